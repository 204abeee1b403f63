"""``WindowOperator`` over time windows gives what a loop over records would."""

from collections import defaultdict
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.engine.rows.batch import NO_TIMESTAMP, Batch, from_rows
from explorer.engine.rows.errors import RowError
from explorer.engine.steps.step_work import MAX_WATERMARK, MIN_WATERMARK
from explorer.engine.steps.window_aggregate import WindowAggregateWork
from tests.engine.operators.windows import ROW, Assigner, window_plan
from tests.examples import examples

Move = list[tuple[str, int, int]] | int
"""Records with a key, a value and a time, or a watermark."""


def _walk(seed: int) -> list[Move]:
    """Records around a clock, and watermarks at its times: most records meet a window's end."""
    random, clock = Random(seed), 0  # noqa: S311 - the same walk for a seed
    moves: list[Move] = []
    for _ in range(12):
        clock += random.choice((0, 1, 2, 4))
        times = [clock + random.randint(-9, 5) for _ in range(random.randint(1, 4))]
        moves += [[(random.choice("ab"), random.randint(-3, 3), time) for time in times], clock]
    return [*moves, MAX_WATERMARK]


class _Loop:
    """Flink's window operator, a record at a time."""

    def __init__(self, assigner: Assigner, size: int, slide: int, lateness: int = 0) -> None:
        self.assigner, self.size, self.slide, self.lateness = assigner, size, slide, lateness
        self.watermark = MIN_WATERMARK
        self.open: dict[tuple[str, int, int], list[int]] = defaultdict(list)
        self.late: list[list[Any]] = []

    def add(self, key: str, value: int, time: int) -> list[list[Any]]:
        """What goes on at once: windows that are over and still accept records."""
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


@pytest.mark.parametrize("lateness", [0, 3])
@pytest.mark.parametrize(
    "kind",
    [
        ("tumbling", 4, 4),
        ("sliding", 6, 2),
        ("sliding", 5, 3),
        ("sliding", 2, 3),
        ("session", 3, 3),
    ],
)
@examples(3)
@given(st.integers(0, 1 << 32))
def test_windows_are_a_loop_over_records(
    kind: tuple[Assigner, int, int], lateness: int, seed: int
) -> None:
    made = msgspec.structs.replace(window_plan(*kind, lateness), late_output="late")
    step, loop = WindowAggregateWork("w", made, ROW), _Loop(*kind, lateness)
    for move in _walk(seed):
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


def test_windows_go_on_earliest_first() -> None:
    step = WindowAggregateWork("w", window_plan("tumbling", 10, 10), ROW)
    batch = from_rows(ROW, [("b", 1), ("a", 2), ("b", 3)])
    step.process(batch.with_timestamps(np.array([25, 5, 3])))
    ((_, found),) = step.advance(MAX_WATERMARK)

    assert [row[:3] for row in found.rows()] == [["b", 0, 10], ["a", 0, 10], ["b", 20, 30]]


@pytest.mark.parametrize("times", [None, np.array([5, NO_TIMESTAMP])])
def test_a_record_without_a_timestamp_is_refused(times: Any) -> None:
    step = WindowAggregateWork("my window", window_plan("tumbling", 10, 10), ROW)
    with pytest.raises(RowError, match="operator 'my window', window: the record has no timestamp"):
        step.process(from_rows(ROW, [("a", 1), ("b", 2)]).with_timestamps(times))
