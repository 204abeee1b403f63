"""Windows are what a loop over records would give, watermark by watermark."""

from collections import defaultdict
from typing import Any, Literal

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.engine.operators.aggregates import Aggregate
from explorer.engine.operators.count_windows import CountWindows, CountWindowsWork
from explorer.engine.operators.step_work import MAX_WATERMARK, MIN_WATERMARK
from explorer.engine.operators.window_aggregate import WindowAggregate, WindowAggregateWork
from explorer.engine.operators.window_plans import TimeWindows
from explorer.engine.rows.batch import NO_TIMESTAMP, Batch, from_rows
from explorer.engine.rows.errors import RowError
from explorer.model.row_type import LONG, STRING, RowType

ROW = RowType.of(k=STRING, n=LONG)
RESULT = RowType.of(k=STRING, window_start=LONG, window_end=LONG, c=LONG, s=LONG, m=LONG)
Assigner = Literal["tumbling", "sliding", "session"]


def _plan(assigner: Assigner, size: int, slide: int, lateness: int = 0) -> WindowAggregate:
    return WindowAggregate(
        keys=(0,),
        aggregates=(
            Aggregate(name="c", function="count", column=None),
            Aggregate(name="s", function="sum", column=1),
            Aggregate(name="m", function="max", column=1),
        ),
        windows=TimeWindows(assigner=assigner, size=size, slide=slide, lateness=lateness),
        row_type=RESULT,
    )


RECORDS = st.tuples(st.sampled_from(("a", "b")), st.integers(-3, 3), st.integers(-30, 60))
STEPS = st.lists(
    st.one_of(st.lists(RECORDS, min_size=1, max_size=6), st.integers(-20, 60)), max_size=8
)


class _Loop:
    """Flink's window operator, a record at a time."""

    def __init__(self, assigner: Assigner, size: int, slide: int, lateness: int = 0) -> None:
        self.assigner, self.size, self.slide, self.lateness = assigner, size, slide, lateness
        self.watermark = MIN_WATERMARK
        self.open: dict[tuple[str, int, int], list[int]] = defaultdict(list)
        self.late: list[list[Any]] = []

    def add(self, key: str, value: int, time: int) -> list[list[Any]]:
        """What goes on at once: windows that are over and still take records."""
        skipped, found = True, []
        for window in self._windows(time):
            if self.assigner == "session":
                start, end, held = self._merged(key, *window, value)
            else:
                (start, end), held = window, [*self.open.get((key, *window), ()), value]
            if end - 1 + self.lateness <= self.watermark:
                continue
            skipped = False
            self.open[key, start, end] = held
            if end - 1 <= self.watermark:
                found.append(self._row((key, start, end)))
        if skipped and time + self.lateness <= self.watermark:
            self.late.append([key, value, time])
        return found

    def _windows(self, time: int) -> list[tuple[int, int]]:
        if self.assigner == "session":
            return [(time, time + self.size)]
        last = time - time % self.slide
        starts = range(last, time - self.size, -self.slide)
        return [(start, start + self.size) for start in starts]

    def _merged(self, key: str, start: int, end: int, value: int) -> tuple[int, int, list[int]]:
        touching = [w for w in self.open if w[0] == key and w[1] <= end and w[2] >= start]
        held = [one for window in touching for one in self.open.pop(window)]
        new_start = min([start, *(w[1] for w in touching)])
        return new_start, max([end, *(w[2] for w in touching)]), [*held, value]

    def _row(self, window: tuple[str, int, int]) -> list[Any]:
        held = self.open[window]
        return [*window, len(held), sum(held), max(held)]

    def advance(self, time: int) -> list[list[Any]]:
        before, self.watermark = self.watermark, max(self.watermark, time)
        due = [window for window in self.open if before < window[2] - 1 <= self.watermark]
        rows = [self._row(window) for window in due]
        for window in list(self.open):
            if window[2] - 1 + self.lateness <= self.watermark:
                del self.open[window]
        return rows


@given(
    st.sampled_from(
        [
            ("tumbling", 10, 10),
            ("sliding", 12, 4),
            ("sliding", 10, 3),
            ("sliding", 3, 7),
            ("session", 5, 5),
        ]
    ),
    st.sampled_from((0, 0, 3, 20)),
    STEPS,
)
def test_windows_are_a_loop_over_records(
    kind: tuple[Assigner, int, int], lateness: int, steps: list[Any]
) -> None:
    made = msgspec.structs.replace(_plan(*kind, lateness), late_output="late")
    step, loop = WindowAggregateWork("w", made, ROW), _Loop(*kind, lateness)
    for move in [*steps, MAX_WATERMARK]:
        if isinstance(move, list):
            batch = from_rows(ROW, [(key, value) for key, value, _ in move])
            emissions = step.process(batch.with_timestamps(np.array([time for _, _, time in move])))
            wanted = [row for record in move for row in loop.add(*record)]
        else:
            emissions, wanted = step.advance(move), loop.advance(move)
        late = [batch for tag, batch in emissions if tag == "late"]
        emitted = [batch for tag, batch in emissions if tag is None]
        found = [row for batch in emitted for row in batch.rows()]

        assert sorted(found) == sorted(wanted)
        assert sorted(_timed(late)) == sorted(loop.late)
        loop.late.clear()
        assert all(
            batch.timestamps is not None
            and batch.timestamps.tolist() == [row[2] - 1 for row in batch.rows()]
            for batch in emitted
        )


def _timed(batches: list[Batch]) -> list[list[Any]]:
    """The rows, each with its timestamp behind it."""
    return [
        [*row, time]
        for batch in batches
        if batch.timestamps is not None
        for row, time in zip(batch.rows(), batch.timestamps.tolist(), strict=True)
    ]


@given(
    st.lists(st.lists(RECORDS, min_size=1, max_size=9), max_size=5),
    st.integers(1, 5),
    st.integers(1, 5),
)
def test_count_windows_are_a_loop_over_records(steps: list[Any], size: int, slide: int) -> None:
    done = _plan("tumbling", 1, 1)
    row_type = RowType.of(k=STRING, c=LONG, s=LONG, m=LONG)
    step = CountWindowsWork(
        CountWindows(
            keys=(0,), aggregates=done.aggregates, size=size, slide=slide, row_type=row_type
        ),
        ROW,
    )
    kept: dict[str, list[int]] = defaultdict(list)
    for move in steps:
        wanted = []
        for key, value, _ in move:
            kept[key].append(value)
            if len(kept[key]) % slide == 0:
                last = kept[key][-size:]
                wanted.append([key, len(last), sum(last), max(last)])
        found = step.process(from_rows(ROW, [(key, value) for key, value, _ in move]))
        assert [row for _, batch in found for row in batch.rows()] == wanted


def test_windows_go_on_earliest_first() -> None:
    step = WindowAggregateWork("w", _plan("tumbling", 10, 10), ROW)
    batch = from_rows(ROW, [("b", 1), ("a", 2), ("b", 3)])
    step.process(batch.with_timestamps(np.array([25, 5, 3])))
    ((_, found),) = step.advance(MAX_WATERMARK)

    assert [row[:3] for row in found.rows()] == [["b", 0, 10], ["a", 0, 10], ["b", 20, 30]]


@pytest.mark.parametrize("times", [None, np.array([5, NO_TIMESTAMP])])
def test_a_record_without_a_timestamp_is_refused(times: Any) -> None:
    step = WindowAggregateWork("my window", _plan("tumbling", 10, 10), ROW)
    with pytest.raises(RowError, match="operator 'my window', window: the record has no timestamp"):
        step.process(from_rows(ROW, [("a", 1), ("b", 2)]).with_timestamps(times))


@pytest.mark.parametrize("times", [None, np.array([NO_TIMESTAMP, NO_TIMESTAMP + 5, 2**62])])
def test_a_session_takes_records_without_a_timestamp(times: Any) -> None:
    step = WindowAggregateWork("w", _plan("session", 5, 5), ROW)
    step.process(from_rows(ROW, [("a", 1), ("a", 2), ("a", 3)]).with_timestamps(times))
    ((_, found),) = step.advance(MAX_WATERMARK)
    first = [NO_TIMESTAMP, NO_TIMESTAMP + (5 if times is None else 10)]
    later = [] if times is None else [["a", 2**62, 2**62 + 5, 1, 3, 3]]
    held = [3, 6, 3] if times is None else [2, 3, 2]

    assert found.rows() == [["a", *first, *held], *later]


def test_a_window_across_the_ends_of_time_is_not_lost() -> None:
    step = WindowAggregateWork("w", _plan("tumbling", 10, 10), ROW)
    last = 2**63 - 8
    batch = from_rows(ROW, [("a", 1), ("a", 2), ("a", 3)])
    step.process(batch.with_timestamps(np.array([2**63 - 1, last, NO_TIMESTAMP + 1])))
    ((_, found),) = step.advance(MAX_WATERMARK)

    assert sorted(row[1:4] for row in found.rows()) == [
        [last, last + 10 - 2**64, 2],
        [last + 6, last + 16 - 2**64, 1],
    ]


def test_a_session_of_one_millisecond_is_late_before_any_watermark() -> None:
    step = WindowAggregateWork("w", _plan("session", 1, 1), ROW)
    step.process(from_rows(ROW, [("a", 1)]))

    assert step.advance(MAX_WATERMARK) == []


def test_a_session_that_ends_with_time_itself_waits_for_the_last_watermark() -> None:
    step = WindowAggregateWork("w", _plan("session", 8, 8), ROW)
    step.process(from_rows(ROW, [("a", 1)]).with_timestamps(np.array([2**63 - 8])))

    assert not step.advance(0)
    ((_, fired),) = step.advance(MAX_WATERMARK)
    assert fired.rows() == [["a", 2**63 - 8, -(2**63), 1, 1, 1]]
