"""Rows as lines of CSV, formatted like flink-csv, below a line of column names.

Mirrors ``CsvRowDataSerializationSchema`` and Jackson's ``CsvEncoder``, with two differences: Flink
writes no header line, which a reader needs to find columns by name; and a row of one column that
would be an empty line, which readers skip, is written as two quotes.
"""

from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from explorer.engine.rows.batch import Batch, Column
from explorer.engine.rows.sinks.cell_texts import joined, text_bytes, texts
from explorer.engine.rows.utf16 import utf16
from explorer.model.row_type import RowType

_LONGEST_BARE: Final = 24
"""UTF-16 units of a text above which Jackson's encoder always writes quotes."""
_TO_BE_QUOTED: Final = r"[\x00-,\\]"
"""Characters up to the comma, as a space, and the backslash, which might escape."""


def csv_header(row_type: RowType) -> bytes:
    """Return the line of column names."""
    names = [pa.array([name]) for name in row_type.names]
    return bytes(text_bytes(joined(_line(names), "\n")))


def csv_lines(batch: Batch) -> memoryview:
    r"""Return a line for each row; NULL is an empty cell.

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
    return pc.if_else(pc.equal(line, ""), '""', line)


def _cells(column: Column) -> Column:
    """Format the cells of a column, with quotes where Jackson writes them."""
    cells = texts(column).fill_null("")
    if not pa.types.is_string(column.type):
        return cells
    long = pa.array(utf16(cells).lengths > _LONGEST_BARE)
    quote = pc.or_(long, pc.match_substring_regex(cells, _TO_BE_QUOTED))
    if not pc.any(quote).as_py():
        return cells
    within = joined('"', pc.replace_substring(cells, '"', '""'), '"')
    return pc.if_else(quote, within, cells)
