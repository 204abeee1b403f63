"""A file with something broken in it is read or gets one sentence; nothing else comes of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.damaged_files import SCHEMA, WHOLE, Reader, damaged

pytestmark = pytest.mark.law


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the file lies, under a name that no sentence of ours says."""
    return tmp_path_factory.mktemp("of-the-server")


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    """A process for all files that do not end it."""
    made = Reader()
    yield made
    made.close()


@pytest.mark.parametrize("form", WHOLE)
def test_a_file_is_read_while_nothing_is_broken(reader: Reader, folder: Path, form: str) -> None:
    for content in WHOLE[form]:
        (folder / "rows").write_bytes(content)
        found, reported = reader.read(folder / "rows", form, None if form == "text" else SCHEMA)

        assert (found, reported) == (40, "")


@pytest.mark.parametrize("form", WHOLE)
@settings.get_profile("mutations")
@given(data=st.data())
def test_a_damaged_file_has_rows_or_one_sentence(
    reader: Reader, folder: Path, form: str, data: st.DataObject
) -> None:
    (folder / "rows").write_bytes(data.draw(damaged(form)))
    schema = None if form == "text" else data.draw(st.sampled_from((None, SCHEMA)))
    _, reported = reader.read(folder / "rows", form, schema)

    assert not reported or "'rows'" in reported or "Source: " in reported
    assert reported.isprintable()
    assert len(reported) < 1_000
    assert "of-the-server" not in reported
