"""Tumbling and sliding windows at the ends of time."""

import numpy as np

from explorer.engine.rows.batch import NO_TIMESTAMP, from_rows
from explorer.engine.steps.step_work import MAX_WATERMARK
from explorer.engine.steps.window_aggregate import WindowAggregateWork
from tests.engine.operators.windows import ROW, window_plan


def test_a_window_across_the_ends_of_time_is_not_lost() -> None:
    step = WindowAggregateWork("w", window_plan("tumbling", 10, 10), ROW)
    last = 2**63 - 8
    batch = from_rows(ROW, [("a", 1), ("a", 2), ("a", 3)])
    step.process(batch.with_timestamps(np.array([2**63 - 1, last, NO_TIMESTAMP + 1])))
    ((_, found),) = step.advance(MAX_WATERMARK)

    assert sorted(row[1:4] for row in found.rows()) == [
        [last, last + 10 - 2**64, 2],
        [last + 6, last + 16 - 2**64, 1],
    ]
