"""Random batches: rows of all four types, with NULLs, odd numbers and text from all of Unicode."""

from typing import Any

import numpy as np
from hypothesis import strategies as st

from explorer.engine.rows.batch import Batch, from_rows
from explorer.model.row_type import BOOLEAN, DOUBLE, LONG, STRING, ColumnType, RowType

LONGS = st.one_of(st.integers(-5, 5), st.integers(-(2**63), 2**63 - 1))
DOUBLES = st.one_of(st.sampled_from((0.0, -0.0, 1.5, float("nan"), float("inf"))), st.floats())
TEXTS = st.one_of(
    st.sampled_from(
        ("", "a", "the", "été", "線", "😀", "\x7f\x80", "x" * 126, "y" * 127, "z" * 200)
    ),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
)
VALUES: dict[ColumnType, st.SearchStrategy[Any]] = {
    LONG: LONGS,
    DOUBLE: DOUBLES,
    STRING: TEXTS,
    BOOLEAN: st.booleans(),
}


@st.composite
def row_types(draw: st.DrawFn) -> RowType:
    """Draw up to nine columns, so that a row's mask may have two bytes."""
    kinds = draw(st.lists(st.sampled_from(list(VALUES)), min_size=1, max_size=9))
    return RowType(names=tuple(f"c{place}" for place in range(len(kinds))), types=tuple(kinds))


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    """Draw up to twenty rows, with or without timestamps."""
    row_type = draw(row_types())
    row = st.tuples(*(st.none() | VALUES[kind] for kind in row_type.types))
    made = from_rows(row_type, draw(st.lists(row, max_size=20)))
    if draw(st.booleans()):
        return made
    times = draw(st.lists(LONGS, min_size=len(made), max_size=len(made)))
    return made.with_timestamps(np.array(times, np.int64))


def shown(batch: Batch) -> list[str]:
    """Rows and timestamps as texts, in which -0.0 differs from 0.0 and NaNs are equal."""
    times = [None] * len(batch) if batch.timestamps is None else batch.timestamps.tolist()
    return [f"{row} @ {time}" for row, time in zip(batch.rows(), times, strict=True)]
