"""Records that a user gives are JSON lines; a fault names its line."""

from pathlib import Path

import pytest

from explorer.rehearsal.requests import RecordsError, given_records


def read(path: Path, text: str) -> list[tuple[str, object, int]]:
    path.write_text(text)
    return [(one.operator, one.record, one.input) for one in given_records(path)]


def test_a_line_names_an_operator_and_its_record(tmp_path: Path) -> None:
    lines = '{"operator": "keep", "record": 5}\n\n{"operator": "b", "record": {"a": 1}, "input": 1}'

    assert read(tmp_path / "records", lines) == [("keep", 5, 0), ("b", {"a": 1}, 1)]
    assert list(given_records(None)) == []


@pytest.mark.parametrize("line", ["{", '{"record": 1}', '{"operator": 1, "record": 2}', "\udcff"])
def test_a_fault_is_one_sentence_with_its_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "records"
    path.write_bytes(b'{"operator": "a", "record": 1}\n' + line.encode("utf-8", "surrogateescape"))

    with pytest.raises(RecordsError, match=r"line 2: .*a line has the form"):
        list(given_records(path))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordsError, match="is no file"):
        list(given_records(tmp_path / "absent"))
