"""One step on batches of records with timestamps, and on watermarks between them."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from explorer.engine.rows.batch import from_rows
from explorer.engine.steps.step import Step
from explorer.engine.steps.step_work import MAX_WATERMARK, EmittedWatermark, SubtaskContext
from explorer.model.row_type import LONG, STRING, RowType

ROW = RowType.of(k=STRING, n=LONG)
MORE = RowType.of(k=STRING, n=LONG, made=LONG)

RECORDS = st.tuples(st.sampled_from("ab"), st.none() | st.integers(-4, 4), st.integers(0, 12))
BATCHES = st.lists(st.lists(RECORDS, min_size=1, max_size=6) | st.integers(0, 15), max_size=8)
Record = tuple[str, int | None, int]
Given = Sequence[list[Record] | int]


def emitted(step: Step, given: Given) -> list[list[Any]]:
    """Return the rows that a step emits for batches and watermarks, each with its timestamp."""
    work = step.work("state", ROW, SubtaskContext(0, 1, {}))
    rows: list[list[Any]] = []
    for one in (*given, MAX_WATERMARK):
        if isinstance(one, int):
            emissions = work.advance(one)
        else:
            times = np.array([time for _, _, time in one])
            batch = from_rows(ROW, [record[:2] for record in one]).with_timestamps(times)
            emissions = [
                out for out in work.process(batch) if not isinstance(out, EmittedWatermark)
            ]
        for _, batch in emissions:
            assert batch.timestamps is not None
            rows += [
                [*row, t] for row, t in zip(batch.rows(), batch.timestamps.tolist(), strict=True)
            ]
    return rows


def records(given: Given) -> Iterator[Record]:
    """The records of all batches, without the watermarks."""
    for one in given:
        if not isinstance(one, int):
            yield from one
