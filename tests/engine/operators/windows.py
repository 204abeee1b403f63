"""Aggregates over windows that several tests use, records for them, and a loop over records."""

from collections import defaultdict
from random import Random
from typing import Any, Literal

from hypothesis import strategies as st

from explorer.engine.state.aggregates import Aggregate
from explorer.engine.steps.step_work import MAX_WATERMARK, MIN_WATERMARK
from explorer.engine.steps.window_aggregate import WindowAggregate
from explorer.engine.steps.window_plans import TimeWindows
from explorer.model.row_type import LONG, STRING, RowType

ROW = RowType.of(k=STRING, n=LONG)
RESULT = RowType.of(k=STRING, window_start=LONG, window_end=LONG, c=LONG, s=LONG, m=LONG)
Assigner = Literal["tumbling", "sliding", "session"]

RECORDS = st.tuples(st.sampled_from(("a", "b")), st.integers(-3, 3), st.integers(-30, 60))


KINDS: tuple[tuple[Assigner, int, int], ...] = (
    ("tumbling", 4, 4),
    ("sliding", 6, 2),
    ("sliding", 5, 3),
    ("sliding", 2, 3),
    ("session", 3, 3),
)
"""Assigner, size and slide; of sessions the gap, twice."""


def window_plan(assigner: Assigner, size: int, slide: int, lateness: int = 0) -> WindowAggregate:
    """Count, sum and maximum of ``n`` by ``k``."""
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


Move = list[tuple[str, int, int]] | int
"""Records with a key, a value and a time, or a watermark."""


def walk(seed: int) -> list[Move]:
    """Records around a clock, and watermarks at its times: most records meet a window's end."""
    random, clock = Random(seed), 0  # noqa: S311 - the same walk for a seed
    moves: list[Move] = []
    for _ in range(12):
        clock += random.choice((0, 1, 2, 4))
        times = [clock + random.randint(-9, 5) for _ in range(random.randint(1, 4))]
        moves += [[(random.choice("ab"), random.randint(-3, 3), time) for time in times], clock]
    return [*moves, MAX_WATERMARK]


class WindowLoop:
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
                found.append(self.row((key, start, end)))
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

    def row(self, window: tuple[str, int, int]) -> list[Any]:
        """Return what a window gives as it fires."""
        held = self.open[window]
        return [*window, len(held), sum(held), max(held)]

    def advance(self, time: int) -> list[list[Any]]:
        """Return what goes on before a watermark."""
        before, self.watermark = self.watermark, max(self.watermark, time)
        due = [window for window in self.open if before < window[2] - 1 <= self.watermark]
        rows = [self.row(window) for window in due]
        for window in list(self.open):
            if window[2] - 1 + self.lateness <= self.watermark:
                del self.open[window]
        return rows
