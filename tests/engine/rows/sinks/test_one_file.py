"""Rows as one file for a download."""

import io
from pathlib import Path

import pytest
from pyarrow import parquet

from explorer.engine.rows.batch import from_rows
from explorer.engine.rows.sinks.one_file import encode_rows, join_part_files
from explorer.engine.rows.sinks.part_files import PartWriter
from explorer.model.pipeline import TableFormat
from explorer.model.row_type import parse_schema

ROW = parse_schema("n LONG, w STRING")
PARTS: tuple[list[tuple[int, str | None]], ...] = ([(1, "a"), (2, None)], [(3, "c")])


def parts(folder: Path, form: TableFormat) -> list[Path]:
    made = []
    for subtask, rows in enumerate(PARTS):
        part = PartWriter(str(folder), "out", form, ROW, subtask)
        part.write(from_rows(ROW, rows))
        part.close()
        made.append(Path(str(part.path)))
    return made


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        ("csv", b"n,w\n1,a\n2,\n3,c\n"),
        ("jsonl", b'{"n":1,"w":"a"}\n{"n":2,"w":null}\n{"n":3,"w":"c"}\n'),
    ],
)
def test_parts_are_joined_below_one_header(
    tmp_path: Path, form: TableFormat, wanted: bytes
) -> None:
    assert join_part_files(parts(tmp_path, form), form, ROW) == wanted
    assert encode_rows(from_rows(ROW, [*PARTS[0], *PARTS[1]]), form) == wanted


def test_parts_of_parquet_are_one_table(tmp_path: Path) -> None:
    table = parquet.read_table(
        io.BytesIO(join_part_files(parts(tmp_path, "parquet"), "parquet", ROW))
    )

    assert table.to_pydict() == {"n": [1, 2, 3], "w": ["a", None, "c"]}
    rows = parquet.read_table(io.BytesIO(encode_rows(from_rows(ROW, PARTS[0]), "parquet")))
    assert rows.to_pydict() == {"n": [1, 2], "w": ["a", None]}


def test_no_rows_are_a_file_with_its_columns() -> None:
    assert encode_rows(from_rows(ROW, []), "csv") == b"n,w\n"
    assert join_part_files([], "csv", ROW) == b"n,w\n"
    assert parquet.read_schema(io.BytesIO(join_part_files([], "parquet", ROW))).names == ["n", "w"]
