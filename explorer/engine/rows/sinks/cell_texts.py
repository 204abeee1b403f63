"""Formats the cells of whole columns as texts, and joins them to lines."""

from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from explorer.engine.rows.batch import Column
from explorer.engine.rows.expressions.strings import double_texts
from explorer.engine.rows.utf16 import utf8_bytes

Part: TypeAlias = Column | str
"""Texts, one per row and none of them NULL; or one text for all rows."""


def texts(column: Column) -> Column:
    """Format values as both flink-csv and flink-json do; NULL stays NULL.

    >>> texts(pa.array([1e7, None, 0.1])).to_pylist()
    ['1.0E7', None, '0.1']
    """
    if pa.types.is_floating(column.type):
        return double_texts(column)
    return pc.cast(column, pa.string())


def joined(*parts: Part) -> Column:
    """Concatenate texts row by row."""
    return pc.binary_join_element_wise(*parts, "")


def text_bytes(column: Column) -> memoryview:
    """Concatenate all texts of a column as UTF-8; none is NULL."""
    flat, _ = utf8_bytes(column)
    return flat.data
