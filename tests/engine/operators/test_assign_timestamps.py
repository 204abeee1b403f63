"""``TimestampsAndWatermarksOperator``: timestamps of a column, and watermarks behind them."""

from typing import Any

import numpy as np
import pytest

from explorer.engine.operators.assign_timestamps import AssignTimestamps
from explorer.engine.rows.batch import from_rows
from explorer.engine.rows.errors import RowError
from explorer.engine.steps.step_work import EmittedWatermark, SubtaskContext
from explorer.model.row_type import LONG, RowType
from tests.engine.operators.few_rows import refusal, report

ROW = RowType.of(t=LONG)
PUNCTUATED = {"watermarks": "punctuated"}
TEN = {"assigner": "tumbling", "size": 10}


def emitted(step: AssignTimestamps, times: list[int | None]) -> list[Any]:
    """Timestamps of batches, and watermarks as one-tuples, in order."""
    outputs = step.work("times", ROW, SubtaskContext(0, 1, {})).process(
        from_rows(ROW, [[t] for t in times])
    )
    return [
        (out.time,) if isinstance(out, EmittedWatermark) else np.asarray(out[1].timestamps).tolist()
        for out in outputs
    ]


def test_a_record_has_the_timestamp_of_its_column_and_no_watermark_follows() -> None:
    assert emitted(AssignTimestamps(column=0), [5, 3, 9]) == [[5, 3, 9]]


def test_a_punctuated_watermark_follows_each_record_that_raises_it() -> None:
    step = AssignTimestamps(column=0, punctuated=2)

    assert emitted(step, [5, 3, 9]) == [[5], (2,), [3, 9], (6,)]


def test_a_null_is_no_timestamp() -> None:
    with pytest.raises(RowError, match="a timestamp cannot be NULL"):
        emitted(AssignTimestamps(column=0), [5, None])


def test_the_column_must_be_long() -> None:
    message = refusal({"type": "timestamps", "timestamps": {"column": "k"}})

    assert "a timestamp is LONG milliseconds, and this is STRING" in message


def test_a_source_does_not_become_idle_in_a_run_and_the_run_warns() -> None:
    times = {"column": "t", "idleness": 5}

    assert "none becomes idle" in report({"type": "timestamps", "timestamps": times}).warnings[0]


def test_watermarks_from_upstream_end_where_timestamps_are_assigned_anew() -> None:
    """Only the last one goes on: it closes the windows, for which no row was late."""
    ended = report(
        {"id": "each", "type": "timestamps", "timestamps": {"column": "t", **PUNCTUATED}},
        {"id": "anew", "type": "timestamps", "timestamps": {"column": "t"}},
        {"id": "keyed", "type": "key_by", "keys": ["k"]},
        {"type": "window", "aggregate": {"n": "count(*)"}, "window": TEN},
        values=[["a", 1, 5], ["a", 2, 25], ["a", 3, 6]],
    )

    assert ended.sinks["o"].data == (("a", 0, 10, 2), ("a", 20, 30, 1))
    assert not any(operator.late_dropped for operator in ended.operators)
