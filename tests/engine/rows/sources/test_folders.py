"""Folders as sources: which of their files are read, and as what."""

from pathlib import Path

import pytest

from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.sources.folders import files_of
from explorer.engine.rows.sources.tables import infer_row_type, read_columns
from explorer.model.row_type import parse_schema


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two parts, one in a folder of its own, and much that is none."""
    made = tmp_path / "data" / "out"
    for name in ("part-1-0.csv", "more/part-0-0.csv", "_trial.json", ".part-2-0.csv.inprogress.1"):
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_text("n,w\n1,a\n" if "1-0" in name else "n,w\n2.5,\n")
    (made / ".hidden").mkdir()
    (made / ".hidden" / "part-3-0.csv").write_text("n,w\n3,c\n")
    (tmp_path / "secret.csv").write_text("n,w\n4,d\n")
    (made / "link.csv").symlink_to(tmp_path / "secret.csv")
    (made / "away").symlink_to(tmp_path)
    return made


def test_a_folder_is_read_file_by_file_without_hidden_files_and_links(folder: Path) -> None:
    assert [name for _, name in files_of(folder, "out/")] == [
        "out/part-1-0.csv",
        "out/more/part-0-0.csv",
    ]
    assert str(infer_row_type(folder, "out", "csv")) == "n DOUBLE, w STRING"
    parts = read_columns(folder, "out", "csv", parse_schema("w STRING, n DOUBLE"))
    rows = [[column.to_pylist() for column in columns] for columns in parts]
    assert rows == [[["a"], [1.0]], [[""], [2.5]]]


def test_an_error_in_a_part_names_the_part(folder: Path) -> None:
    (folder / "more" / "part-0-0.csv").write_text("n,w\n2,b\nx,c\n")
    with pytest.raises(SourceError, match=r"file 'out/more/part-0-0\.csv' cannot be read at row 2"):
        list(read_columns(folder, "out", "csv", parse_schema("n LONG, w STRING")))


def test_an_empty_folder_has_rows_of_any_schema_and_none_to_infer(tmp_path: Path) -> None:
    assert list(read_columns(tmp_path, "out", "parquet", parse_schema("n LONG"))) == []
    for form in ("csv", "jsonl", "parquet"):
        with pytest.raises(SourceError, match="'out' has no rows to infer columns from; give the"):
            infer_row_type(tmp_path, "out", form)
