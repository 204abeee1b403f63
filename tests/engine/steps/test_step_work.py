"""What the work of several steps uses."""

import numpy as np
import pytest

from explorer.engine.rows.batch import NO_TIMESTAMP, from_rows
from explorer.engine.rows.errors import RowError
from explorer.engine.steps.step_work import later, times_of, timestamped
from explorer.java_numbers import LONG_MAX, LONG_MIN
from explorer.model.row_type import LONG, RowType

BATCH = from_rows(RowType.of(n=LONG), [[1], [2]])


def test_a_missing_timestamp_is_the_least_long() -> None:
    times = timestamped(BATCH).timestamps

    assert times is not None
    assert times.tolist() == [NO_TIMESTAMP, NO_TIMESTAMP]
    with pytest.raises(RowError, match="the record has no timestamp"):
        times_of("window", "window", BATCH)


def test_times_stay_at_the_ends_of_a_long() -> None:
    times = np.array([LONG_MIN, 0, LONG_MAX])

    assert later(times, 5).tolist() == [LONG_MIN + 5, 5, LONG_MAX]
    assert later(times, -5).tolist() == [LONG_MIN, -5, LONG_MAX - 5]
