"""Aggregates by key and event-time window; its row goes on when the watermark passes its end.

Mirrors ``WindowOperator`` with ``TumblingEventTimeWindows``, ``SlidingEventTimeWindows`` and
``EventTimeTrigger``, with allowed lateness and a side output for what comes later still.
"""

from typing import Final

import numpy as np
import pyarrow as pa

from explorer.java_numbers import LONG_MAX
from explorer.rows.batch import NO_TIMESTAMP, Batch, Bools, Longs
from explorer.rows.row_type import RowType
from explorer.task import plan
from explorer.task.operators.keyed_state import OpenSlots
from explorer.task.operators.session_windows import Sessions
from explorer.task.operators.step import MIN_WATERMARK, Emission, times_of
from explorer.task.operators.window_aggregates import (
    Added,
    Aggregates,
    Fired,
    KeyRows,
    joined_fired,
)

AT_ONCE: Final = 1 << 20
"""Records times windows that are looked at together."""


def window_starts(times: Longs, size: int, slide: int) -> tuple[Longs, Longs]:
    """The windows that each record falls into: the record's number and the window's start.

    >>> [one.tolist() for one in window_starts(np.array([7]), 6, 2)]
    [[0, 0, 0], [6, 4, 2]]
    """
    # np.remainder is never negative here, as Flink's getWindowStartWithOffset makes its own.
    # The latest window first, as ``SlidingEventTimeWindows`` counts down; shape (records, windows).
    last = times - np.remainder(times, slide)
    copies = -(-size // slide)
    starts = (last[:, None] - np.arange(copies) * slide).reshape(-1)
    records = np.repeat(np.arange(len(times)), copies)
    inside = starts > times[records] - size
    return records[inside], starts[inside]


def window_times(
    operator: str, step: plan.WindowAggregate | plan.WindowedJoin, batch: Batch
) -> Longs:
    """By which time each record falls into windows.

    Sessions alone take records without a timestamp, as if the marker were their time.
    """
    if not step.event_time:
        return np.zeros(len(batch), np.int64)
    if step.assigner != "session":
        return times_of(operator, "window", batch)
    missing = np.full(len(batch), NO_TIMESTAMP, np.int64)
    return missing if batch.timestamps is None else batch.timestamps


class WindowAggregate:
    """Keeps the open windows of every key."""

    def __init__(self, operator: str, step: plan.WindowAggregate, input_type: RowType) -> None:
        self._operator, self._plan = operator, step
        self._watermark = MIN_WATERMARK
        self._keys = KeyRows(step.keys)
        kind = Sessions if step.assigner == "session" else _Assigned
        self._windows: _Assigned | Sessions = kind(step, input_type)

    def process(self, batch: Batch) -> list[Emission]:
        """Put records into their windows; a window that is over fires at once, if it is kept."""
        times = window_times(self._operator, self._plan, batch)
        added = self._windows.add(batch, self._keys.places(batch), times, self._watermark)
        return [*self._rows(added.fired), *self._late(batch, added.late, times)]

    def _late(self, batch: Batch, late: Bools, times: Longs) -> list[Emission]:
        """``isElementLate``: what no window took, and what is behind the watermark besides."""
        plan, lateness = self._plan, self._plan.lateness
        if plan.late_output is None or not late.any():
            return []
        behind = late & (np.minimum(times, LONG_MAX - lateness) + lateness <= self._watermark)
        return [(plan.late_output, batch.filter(behind))] if behind.any() else []

    def advance(self, time: int) -> list[Emission]:
        """The rows of all windows that end before ``time``, earliest first, with their last ms."""
        self._watermark = max(self._watermark, time)
        return self._rows(self._windows.fire(self._watermark))

    def _rows(self, fired: Fired | None) -> list[Emission]:
        if fired is None or not len(fired.places):
            return []
        ends = (pa.array(fired.starts), pa.array(fired.ends))
        columns = (*self._keys.at(fired.places), *ends, *fired.aggregates)
        return [(None, Batch(self._plan.row_type, columns, fired.ends - 1, fired.origins))]


class _Assigned:
    """Tumbling and sliding windows: a record's windows depend on its timestamp alone."""

    def __init__(self, step: plan.WindowAggregate, input_type: RowType) -> None:
        self._size, self._slide, self._lateness = step.size, step.slide, step.lateness
        self._slots = OpenSlots()
        self._aggregates = Aggregates(step.aggregates, input_type)
        self._open = np.empty((4, 0), np.int64)
        """Shape (4, open windows): key place, window start, slot, and 1 where it has fired."""

    def add(self, batch: Batch, places: Longs, times: Longs, watermark: int) -> Added:
        """Fold records into their windows, as many at once as memory should hold."""
        at_once = max(1, AT_ONCE // -(-self._size // self._slide))
        parts = []
        for start in range(0, max(len(batch), 1), at_once):
            stop = min(start + at_once, len(batch))
            mine = slice(start, stop)
            part = batch.slice(start, stop)
            parts.append(self._fold(part, places[mine], times[mine], watermark))
        late = np.concatenate([part.late for part in parts])
        return Added(late, joined_fired([part.fired for part in parts if part.fired]))

    def _fold(self, batch: Batch, places: Longs, times: Longs, watermark: int) -> Added:
        """Fold records into their windows; a window that is over for good takes no more."""
        records, starts = window_starts(times, self._size, self._slide)
        live = self._over_at(starts) > watermark
        records, starts = records[live], starts[live]
        late = np.ones(len(batch), np.bool_)
        late[records] = False
        if not len(records):
            return Added(late)
        mine = places[records]
        slots, opened = self._slots.of(mine, starts)
        now = self._last_ms(starts) <= watermark
        new = np.stack([mine[opened], starts[opened], slots[opened], now[opened]])
        self._open = np.hstack([self._open, new])
        rolled, origins = self._aggregates.roll(batch.take(records), slots)
        if not now.any():
            return Added(late)
        picked = pa.array(np.flatnonzero(now))
        made = None if origins is None else origins.filter(now)
        columns = [column.take(picked) for column in rolled]
        ends = starts[now] + self._size
        return Added(late, Fired(mine[now], starts[now], ends, columns, made))

    def _last_ms(self, starts: Longs) -> Longs:
        """``TimeWindow.maxTimestamp``: past the end of LONG it starts over, as Java's sum does."""
        return starts + self._size - 1

    def _over_at(self, starts: Longs) -> Longs:
        """``cleanupTime``: the watermark at which no record comes in time any more."""
        return np.minimum(self._last_ms(starts), LONG_MAX - self._lateness) + self._lateness

    def fire(self, watermark: int) -> Fired:
        """Hand on the windows that the watermark passes, and let go of those over for good."""
        complete = (self._last_ms(self._open[1]) <= watermark) & (self._open[3] == 0)
        self._open[3, complete] = 1
        fired = self._open[:, complete]
        # Timers fire by time; which key comes first at one time Flink leaves to its heap.
        places, starts, slots, _ = fired[:, np.lexsort((fired[0], fired[1]))]
        values, origins = self._aggregates.values(slots), self._aggregates.origins(slots)
        over = self._over_at(self._open[1]) <= watermark
        closed, self._open = self._open[2, over], self._open[:, ~over]
        self._slots.close(closed)
        self._aggregates.forget(closed)
        return Fired(places, starts, starts + self._size, values, origins)
