"""What a real jar uses of the API that releases removed."""

from pathlib import Path

import pytest

from explorer.capture.recording.api_uses import api_uses
from explorer.flink.releases import release
from explorer.flink.upgrades.changed_api import removed_api
from tests.capture.flinks import jar

pytestmark = pytest.mark.flink
OPEN = "RichMapFunction.open(Configuration)"


def test_overrides_classes_and_inherited_methods_are_found(tmp_path: Path) -> None:
    built = jar("OldApi", "1.20.5", tmp_path)
    uses = api_uses([built])
    assert uses is not None
    old, new = release("1.20"), release("2.2")
    found = {
        (use.name, use.overrides): (use, change) for use, change in removed_api(uses, old, new)
    }

    overridden, change = found[OPEN, True]
    assert overridden.users == ("OldApi$Further", "OldApi$Opened")
    assert change.release == "2.0"
    assert change.replacement.startswith("open(Lorg/apache/flink/api/common/functions/OpenContext;")
    sink, moved = found["RichSinkFunction", False]
    assert sink.users == ("OldApi$Written",)
    assert moved.replacement.endswith("/functions/sink/legacy/RichSinkFunction")
    assert ("RuntimeContext.getIndexOfThisSubtask()", False) in found
    assert [*removed_api(uses, new, old)] == []
    folder = tmp_path / "OldApi-1.20.5"
    assert api_uses([folder]) == uses


def test_classes_of_the_program_itself_are_no_use(tmp_path: Path) -> None:
    assert api_uses([jar("Loop", "1.20.5", tmp_path), *_bundled(tmp_path)]) is not None


def _bundled(folder: Path) -> list[Path]:
    """A folder with a class of Flink's name, as a fat jar has."""
    place = folder / "fat" / "org" / "apache" / "flink"
    place.mkdir(parents=True)
    (place / "Odd.class").write_bytes(b"no class")
    return [folder / "fat"]


def test_a_file_that_is_no_jar_is_not_known(tmp_path: Path) -> None:
    (tmp_path / "job.jar").write_bytes(b"PK?")
    assert api_uses([tmp_path / "job.jar"]) is None
