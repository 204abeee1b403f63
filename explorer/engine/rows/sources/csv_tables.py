"""Reads csv files with a header line: cells as text, or in given types."""

import csv as plain_csv
import io
import re
from collections.abc import Iterator
from typing import Final

import pyarrow as pa

from explorer.engine.rows.batch import ARROW
from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.sizes import ROW_BYTES
from explorer.engine.rows.sources.faults import missing_column, source_error
from explorer.engine.rows.sources.lines import line_blocks
from explorer.engine.rows.sources.text_files import BLOCK_SIZE, open_text
from explorer.engine.rows.storage import FilePath
from explorer.model.row_type import RowType
from explorer.wording import quoted

_TRUE: Final = ["true", "True", "TRUE"]
_FALSE: Final = ["false", "False", "FALSE"]
_WIDER: Final = 8
"""Factor by which the block size grows if a row does not fit."""
_TOO_LONG: Final = "straddling"
"""Arrow's word for a row that is longer than a block."""
_BAD_CELL: Final = re.compile(r"In CSV column #(\d+): .*invalid value '(.*)'", re.DOTALL)


def read_csv(path: FilePath, name: str, row_type: RowType | None) -> Iterator[pa.RecordBatch]:
    """Read the rows of a csv file, as text if ``row_type`` is None.

    The columns of ``row_type`` are found by name, or by position if the header has other names.
    """
    header = _header(path, name)
    wanted_names = _choose_names(header, name, row_type)
    kinds = dict.fromkeys(header, pa.string())
    if row_type is not None:
        kinds |= {
            item: ARROW[kind] for item, kind in zip(wanted_names, row_type.types, strict=True)
        }
    try:
        yield from _rows(path, name, kinds, wanted_names)
    except pa.ArrowInvalid as error:
        place = _place(path, name, header, str(error)) if row_type is not None else ""
        raise source_error(name, "csv", str(error), place) from None


def _rows(
    path: FilePath, name: str, kinds: dict[str, pa.DataType], expected: list[str]
) -> Iterator[pa.RecordBatch]:
    """Read the rows; if one does not fit a block, continue with larger blocks."""
    size, visited = BLOCK_SIZE, 0
    while True:
        skipped = visited
        try:
            for rows in _blocks(path, name, kinds, expected, size):
                if skipped < len(rows):
                    yield rows.slice(skipped)
                    visited += len(rows) - skipped
                skipped = max(0, skipped - len(rows))
        except pa.ArrowInvalid as error:
            if _TOO_LONG not in str(error) or size >= ROW_BYTES:
                raise
            size = min(size * _WIDER, ROW_BYTES)
        else:
            return


def _blocks(
    path: FilePath, name: str, kinds: dict[str, pa.DataType], expected: list[str], size: int
) -> Iterator[pa.RecordBatch]:
    from pyarrow import csv

    options = csv.ConvertOptions(
        column_types=kinds,
        include_columns=expected,
        null_values=[""],
        strings_can_be_null=False,
        true_values=_TRUE,
        false_values=_FALSE,
    )
    # The header line is skipped as a row, because it may have line breaks and empty names.
    named = csv.ReadOptions(block_size=size, column_names=list(kinds), skip_rows_after_names=1)
    parsing = csv.ParseOptions(newlines_in_values=True)
    with open_text(path, name) as file:
        yield from csv.open_csv(
            file, read_options=named, parse_options=parsing, convert_options=options
        )


def _header(path: FilePath, name: str) -> list[str]:
    """Read the names in the header line; an unnamed column is named by position, as in Spark."""
    first = next(line_blocks(path, name), b"")
    text = io.StringIO(first.decode(), newline="")
    names = next((row for row in plain_csv.reader(text) if row), None)
    if names is None:
        msg = f"file {quoted(name)} is empty; a csv file begins with a header line"
        raise SourceError(msg)
    if len(set(filled := [item for item in names if item])) < len(filled):
        msg = (
            f"file {quoted(name)} names a column twice in its header line: {', '.join(names)[:200]}"
        )
        raise SourceError(msg)
    return [one or _free(f"_c{at}", names) for at, one in enumerate(names)]


def _free(name: str, used: list[str]) -> str:
    while name in used:
        name = f"_{name}"
    return name


def _choose_names(header: list[str], name: str, row_type: RowType | None) -> list[str]:
    if row_type is None:
        return header
    if set(row_type.names) <= set(header):
        return list(row_type.names)
    if len(row_type.names) == len(header):
        return header
    missing = next(item for item in row_type.names if item not in header)
    raise missing_column(name, missing, header)


def _place(path: FilePath, name: str, header: list[str], words: str) -> str:
    """Find the cell that cannot be converted: Arrow reports its column and its text."""
    result = _BAD_CELL.search(words)
    if result is None:
        return ""
    column, row = header[int(result[1])], 0
    for rows in _rows(path, name, dict.fromkeys(header, pa.string()), [column]):
        cells = rows.column(0).index(result[2]).as_py()
        if cells >= 0:
            return f"row {row + cells + 1:,}, column {quoted(column)}"
        row += len(rows)
    return f"column {quoted(column)}"
