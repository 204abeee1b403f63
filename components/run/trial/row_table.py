"""Rows of a source, an operator or a sink in a table, of which one can be picked.

The tables are Arrow's: pandas would be a quarter of the server's memory before the first visitor.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st

if TYPE_CHECKING:
    import pyarrow as pa


def show(rows: "pa.Table", *, key: str, height: int | Literal["stretch"]) -> int | None:
    """Draw the rows; give the position of the one that is picked."""
    event = st.dataframe(
        rows,
        hide_index=True,
        height=height,
        key=key,
        on_select="rerun",
        selection_mode="single-row",
    )
    chosen = event["selection"]["rows"]
    return chosen[0] if chosen and chosen[0] < rows.num_rows else None


def named_rows(rows: Sequence[Mapping[str, Any]]) -> "pa.Table":
    """Return a table of rows by column; a row may lack a column."""
    heads = list(dict.fromkeys(head for row in rows for head in row))
    return table_of(heads, [[row.get(head) for head in heads] for row in rows])


def table_of(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> "pa.Table":
    """Return a table of rows; without ``heads`` its columns have numbers, and rows any length."""
    import pyarrow as pa

    columns = list(zip_longest(*rows)) or [()] * len(heads)
    names = list(heads) or [str(number) for number in range(len(columns))]
    return pa.Table.from_arrays([_column(values) for values in columns], names=names)


def _column(values: Sequence[Any]) -> "pa.Array":
    """Return a column; as text where its values have several types, or a type with fields."""
    import pyarrow as pa

    if not any(isinstance(value, dict) for value in values):
        with suppress(pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
            return pa.array(values)
    return pa.array([None if value is None else str(value) for value in values], pa.string())
