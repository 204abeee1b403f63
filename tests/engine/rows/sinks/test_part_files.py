"""Part files: what a sink wrote, a source reads back."""

import string
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.engine.rows.batch import from_rows
from explorer.engine.rows.sinks.part_files import PartWriter
from explorer.engine.rows.sources.tables import read_columns
from explorer.engine.rows.storage import FilePath
from explorer.model.pipeline import TableFormat
from explorer.model.row_type import BOOLEAN, DOUBLE, LONG, STRING, ColumnType, RowType

VALUES: dict[ColumnType, st.SearchStrategy[Any]] = {
    LONG: st.integers(-(2**63), 2**63 - 1),
    DOUBLE: st.sampled_from((nan, inf, -inf, -0.0)) | st.floats(),
    STRING: st.text(st.characters(codec="utf-8")),
    BOOLEAN: st.booleans(),
}
FORMATS = ("csv", "jsonl", "parquet")


@st.composite
def tables(draw: st.DrawFn) -> tuple[RowType, list[list[Any]]]:
    """A row type and rows of it, with NULL in any place."""
    kinds = draw(st.lists(st.sampled_from(list(VALUES)), min_size=1, max_size=4))
    names = st.text(string.ascii_letters + "äß_", min_size=1, max_size=4)
    size = len(kinds)
    named = draw(st.lists(names, min_size=size, max_size=size, unique=True))
    row = st.tuples(*(st.none() | VALUES[kind] for kind in kinds)).map(list)
    return RowType(names=tuple(named), types=tuple(kinds)), draw(
        st.lists(row, min_size=1, max_size=6)
    )


def written(
    folder: Path,
    form: TableFormat,
    row_type: RowType,
    rows: list[list[Any]],
    most: int | None = None,
) -> PartWriter:
    """Rows as a part file, each in a batch of its own."""
    part = PartWriter(str(folder), "out", form, row_type, 3, most)
    for row in rows:
        part.write(from_rows(row_type, [row]))
    part.close()
    return part


def read(path: FilePath, form: str, row_type: RowType) -> list[list[Any]]:
    parts = read_columns(path, path.name, form, row_type)
    return [
        list(row)
        for columns in parts
        for row in zip(*(column.to_pylist() for column in columns), strict=True)
    ]


def _without_null_texts(row: list[Any], row_type: RowType) -> list[Any]:
    """As CSV gives a row back: with Flink's format, too, NULL and no text are the same cell."""
    cells = zip(row, row_type.types, strict=True)
    return ["" if value is None and kind is STRING else value for value, kind in cells]


@pytest.mark.parametrize("form", FORMATS)
@given(table=tables())
def test_a_source_reads_the_rows_that_a_sink_wrote(
    form: TableFormat,
    table: tuple[RowType, list[list[Any]]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    row_type, rows = table
    part = written(tmp_path_factory.mktemp("out"), form, row_type, rows)
    if form == "csv":
        rows = [_without_null_texts(row, row_type) for row in rows]

    assert repr(read(part.path, form, row_type)) == repr(rows)
    assert part.bytes == part.path.stat().st_size
