"""Rows as lines of CSV, cell by cell as flink-csv writes them, below a line of column names.

Mirrors ``CsvRowDataSerializationSchema`` and Jackson's ``CsvEncoder``. Two things are ours: Flink
writes no header line, without which the file cannot be read back by its columns; and a row of one
column that would be an empty line, which readers skip, is written as two quotes.
"""

from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from explorer.engine.rows.batch import Batch, Column
from explorer.engine.rows.sinks.cell_texts import joined, text_bytes, texts
from explorer.engine.rows.utf16 import utf16
from explorer.model.row_type import RowType

_LONGEST_BARE: Final = 24
"""Letters as Java counts them: of a longer text Jackson's encoder does not look at each."""
_TO_BE_QUOTED: Final = r"[\x00-,\\]"
"""Whatever is not above a comma, as a space is, and the backslash, which might escape."""
_EMPTY_ROW: Final = '""'


def csv_header(row_type: RowType) -> bytes:
    """The line of column names."""
    names = [pa.array([name]) for name in row_type.names]
    return bytes(text_bytes(joined(_line(names), "\n")))


def csv_lines(batch: Batch) -> memoryview:
    r"""A line for each row, ended by a newline; NULL is an empty cell.

    >>> from explorer.engine.rows.batch import from_rows
    >>> from explorer.model.row_type import parse_schema
    >>> bytes(csv_lines(from_rows(parse_schema("w STRING, n LONG"), [["a b", 1], [None, None]])))
    b'"a b",1\n,\n'
    """
    return text_bytes(joined(_line(list(batch.columns)), "\n"))


def _line(columns: list[Column]) -> Column:
    cells = [_cells(column) for column in columns]
    if len(cells) > 1:
        return pc.binary_join_element_wise(*cells, ",")
    (line,) = cells
    return pc.if_else(pc.equal(line, ""), _EMPTY_ROW, line)


def _cells(column: Column) -> Column:
    written = texts(column).fill_null("")
    return _quoted(written) if pa.types.is_string(column.type) else written


def _quoted(cells: Column) -> Column:
    """Texts in quotes where Jackson puts them."""
    long = pa.array(utf16(cells).lengths > _LONGEST_BARE)
    quote = pc.or_(long, pc.match_substring_regex(cells, _TO_BE_QUOTED))
    if not pc.any(quote).as_py():
        return cells
    within = joined('"', pc.replace_substring(cells, '"', '""'), '"')
    return pc.if_else(quote, within, cells)
