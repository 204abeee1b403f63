"""Sessions: records without a timestamp, and sessions at the ends of time."""

from typing import Any

import numpy as np
import pytest

from explorer.engine.rows.batch import NO_TIMESTAMP, from_rows
from explorer.engine.steps.step_work import MAX_WATERMARK
from explorer.engine.steps.window_aggregate import WindowAggregateWork
from tests.engine.operators.windows import ROW, window_plan


@pytest.mark.parametrize("times", [None, np.array([NO_TIMESTAMP, NO_TIMESTAMP + 5, 2**62])])
def test_a_session_accepts_records_without_a_timestamp(times: Any) -> None:
    step = WindowAggregateWork("w", window_plan("session", 5, 5), ROW)
    step.process(from_rows(ROW, [("a", 1), ("a", 2), ("a", 3)]).with_timestamps(times))
    ((_, found),) = step.advance(MAX_WATERMARK)
    first = [NO_TIMESTAMP, NO_TIMESTAMP + (5 if times is None else 10)]
    later = [] if times is None else [["a", 2**62, 2**62 + 5, 1, 3, 3]]
    held = [3, 6, 3] if times is None else [2, 3, 2]

    assert found.rows() == [["a", *first, *held], *later]


def test_a_session_of_one_millisecond_is_late_before_any_watermark() -> None:
    step = WindowAggregateWork("w", window_plan("session", 1, 1), ROW)
    step.process(from_rows(ROW, [("a", 1)]))

    assert step.advance(MAX_WATERMARK) == []


def test_a_session_that_ends_with_time_itself_waits_for_the_last_watermark() -> None:
    step = WindowAggregateWork("w", window_plan("session", 8, 8), ROW)
    step.process(from_rows(ROW, [("a", 1)]).with_timestamps(np.array([2**63 - 8])))

    assert not step.advance(0)
    ((_, fired),) = step.advance(MAX_WATERMARK)
    assert fired.rows() == [["a", 2**63 - 8, -(2**63), 1, 1, 1]]
