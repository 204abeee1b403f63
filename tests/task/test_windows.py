"""Event-time windows are what a loop over records would give, watermark by watermark."""

from collections import defaultdict
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.rows.batch import NO_TIMESTAMP, from_rows
from explorer.rows.errors import RowError
from explorer.rows.row_type import LONG, STRING, RowType
from explorer.task import plan
from explorer.task.operators.step import MAX_WATERMARK, MIN_WATERMARK
from explorer.task.operators.windows import WindowAggregate

ROW = RowType.of(k=STRING, n=LONG)
RESULT = RowType.of(k=STRING, window_start=LONG, window_end=LONG, c=LONG, s=LONG, m=LONG)
Assigner = Literal["tumbling", "sliding", "session"]


def _plan(assigner: Assigner, size: int, slide: int) -> plan.WindowAggregate:
    return plan.WindowAggregate(
        keys=(0,),
        aggregates=(
            plan.Aggregate(name="c", function="count", column=None),
            plan.Aggregate(name="s", function="sum", column=1),
            plan.Aggregate(name="m", function="max", column=1),
        ),
        assigner=assigner,
        size=size,
        slide=slide,
        row_type=RESULT,
    )


RECORDS = st.tuples(st.sampled_from(("a", "b")), st.integers(-3, 3), st.integers(-30, 60))
STEPS = st.lists(
    st.one_of(st.lists(RECORDS, min_size=1, max_size=6), st.integers(-20, 60)), max_size=8
)


class _Loop:
    """Flink's window operator, a record at a time."""

    def __init__(self, assigner: Assigner, size: int, slide: int) -> None:
        self.assigner, self.size, self.slide = assigner, size, slide
        self.watermark = MIN_WATERMARK
        self.open: dict[tuple[str, int, int], list[int]] = defaultdict(list)

    def add(self, key: str, value: int, time: int) -> None:
        for window in self._windows(time):
            if self.assigner == "session":
                start, end, held = self._merged(key, *window, value)
            else:
                (start, end), held = window, [value]
            if end - 1 > self.watermark:
                self.open[key, start, end] += held

    def _windows(self, time: int) -> list[tuple[int, int]]:
        if self.assigner == "session":
            return [(time, time + self.size)]
        last = time - time % self.slide
        starts = range(last, time - self.size, -self.slide)
        return [(start, start + self.size) for start in starts]

    def _merged(self, key: str, start: int, end: int, value: int) -> tuple[int, int, list[int]]:
        touching = [w for w in self.open if w[0] == key and w[1] <= end and w[2] >= start]
        new_start = min([start, *(w[1] for w in touching)])
        new_end = max([end, *(w[2] for w in touching)])
        if new_end - 1 <= self.watermark:
            return start, end, [value]
        held = [one for window in touching for one in self.open.pop(window)]
        return new_start, new_end, [*held, value]

    def advance(self, time: int) -> list[list[Any]]:
        self.watermark = max(self.watermark, time)
        done = [window for window in self.open if window[2] - 1 <= self.watermark]
        return [
            [key, start, end, len(held), sum(held), max(held)]
            for key, start, end in done
            for held in [self.open.pop((key, start, end))]
        ]


@given(
    st.sampled_from(
        [("tumbling", 10, 10), ("sliding", 12, 4), ("sliding", 10, 3), ("session", 5, 5)]
    ),
    STEPS,
)
def test_windows_are_a_loop_over_records(kind: tuple[Assigner, int, int], steps: list[Any]) -> None:
    step, loop = WindowAggregate("w", _plan(*kind), ROW), _Loop(*kind)
    for move in [*steps, MAX_WATERMARK]:
        if isinstance(move, list):
            batch = from_rows(ROW, [(key, value) for key, value, _ in move])
            step.process(batch.with_timestamps(np.array([time for _, _, time in move])))
            for record in move:
                loop.add(*record)
            continue
        emitted = [batch for _, batch in step.advance(move)]
        found = [row for batch in emitted for row in batch.rows()]

        assert sorted(found) == sorted(loop.advance(move))
        assert all(
            batch.timestamps is not None
            and batch.timestamps.tolist() == [row[2] - 1 for row in batch.rows()]
            for batch in emitted
        )


def test_windows_go_on_earliest_first() -> None:
    step = WindowAggregate("w", _plan("tumbling", 10, 10), ROW)
    batch = from_rows(ROW, [("b", 1), ("a", 2), ("b", 3)])
    step.process(batch.with_timestamps(np.array([25, 5, 3])))
    ((_, found),) = step.advance(MAX_WATERMARK)

    assert [row[:3] for row in found.rows()] == [["b", 0, 10], ["a", 0, 10], ["b", 20, 30]]


@pytest.mark.parametrize("times", [None, np.array([5, NO_TIMESTAMP])])
def test_a_record_without_a_timestamp_is_refused(times: Any) -> None:
    step = WindowAggregate("my window", _plan("tumbling", 10, 10), ROW)
    with pytest.raises(RowError, match="operator 'my window', window: the record has no timestamp"):
        step.process(from_rows(ROW, [("a", 1), ("b", 2)]).with_timestamps(times))


@pytest.mark.parametrize("times", [None, np.array([NO_TIMESTAMP, NO_TIMESTAMP + 5, 2**62])])
def test_a_session_takes_records_without_a_timestamp(times: Any) -> None:
    step = WindowAggregate("w", _plan("session", 5, 5), ROW)
    step.process(from_rows(ROW, [("a", 1), ("a", 2), ("a", 3)]).with_timestamps(times))
    ((_, found),) = step.advance(MAX_WATERMARK)
    first = [NO_TIMESTAMP, NO_TIMESTAMP + (5 if times is None else 10)]
    later = [] if times is None else [["a", 2**62, 2**62 + 5, 1, 3, 3]]
    held = [3, 6, 3] if times is None else [2, 3, 2]

    assert found.rows() == [["a", *first, *held], *later]


def test_a_window_across_the_ends_of_time_is_not_lost() -> None:
    step = WindowAggregate("w", _plan("tumbling", 10, 10), ROW)
    last = 2**63 - 8
    batch = from_rows(ROW, [("a", 1), ("a", 2), ("a", 3)])
    step.process(batch.with_timestamps(np.array([2**63 - 1, last, NO_TIMESTAMP + 1])))
    ((_, found),) = step.advance(MAX_WATERMARK)

    assert sorted(row[1:4] for row in found.rows()) == [
        [last, last + 10 - 2**64, 2],
        [last + 6, last + 16 - 2**64, 1],
    ]


def test_a_session_of_one_millisecond_is_late_before_any_watermark() -> None:
    step = WindowAggregate("w", _plan("session", 1, 1), ROW)
    step.process(from_rows(ROW, [("a", 1)]))

    assert step.advance(MAX_WATERMARK) == []
