"""Which Flink a program is started with, by the release that the caller names."""

from pathlib import Path

import pytest

from explorer.capture.cached import CaptureOptions, installation_of
from explorer.errors import MissingFlinkError
from tests.capture.test_installation import folder


@pytest.fixture(autouse=True)
def _cached_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache that holds Flink 1.20.5 and nothing else."""
    monkeypatch.delenv("FLINK_HOME", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cache = tmp_path / "streamgraph-explorer" / "flink" / "1.20.5"
    folder(cache, "flink-dist-1.20.5.jar")


@pytest.mark.parametrize("release", ["1.20", "1.20.5"])
def test_a_release_and_its_patch_level_name_the_same_jars(release: str) -> None:
    found = installation_of(Path("job.sql"), CaptureOptions(release=release))

    assert found.version == "1.20.5"


def test_another_release_is_missing_and_another_patch_level_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLINK_HOME", str(tmp_path / "streamgraph-explorer" / "flink" / "1.20.5"))
    assert installation_of(Path("job.sql"), CaptureOptions(release="1.20.4")).version == "1.20.5"
    with pytest.raises(MissingFlinkError, match=r"jars of Flink 1\.18\.1, and here .* 1\.20\.5"):
        installation_of(Path("job.sql"), CaptureOptions(release="1.18.1"))
