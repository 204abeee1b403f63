"""Aggregates by key and event-time window; its row goes on when the watermark passes its end.

Mirrors ``WindowOperator`` with ``TumblingEventTimeWindows``, ``SlidingEventTimeWindows``,
``EventTimeSessionWindows`` and ``EventTimeTrigger``, without allowed lateness.
"""

from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from explorer.rows.batch import NO_TIMESTAMP, Batch, Column, Longs
from explorer.rows.origins import Origins
from explorer.rows.row_type import LONG, RowType
from explorer.task import plan
from explorer.task.operators.accumulators import Accumulator, accumulator
from explorer.task.operators.kept_origins import KeptOrigins
from explorer.task.operators.keyed_state import KeyedPlaces, Runs
from explorer.task.operators.step import MAX_WATERMARK, MIN_WATERMARK, Emission, times_of

_AT_ONCE: Final = 1 << 20
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


class WindowAggregate:
    """Keeps the open windows of every key."""

    def __init__(self, operator: str, step: plan.WindowAggregate, input_type: RowType) -> None:
        self._operator, self._plan = operator, step
        self._watermark = MIN_WATERMARK
        self._keys = KeyedPlaces()
        self._key_rows: list[tuple[Column, ...]] = []
        kind = _Sessions if step.assigner == "session" else _Assigned
        self._windows: _Assigned | _Sessions = kind(step, input_type)

    def process(self, batch: Batch) -> list[Emission]:
        """Put records into their windows; nothing goes on yet."""
        times = self._times(batch)
        places = self._places(batch)
        self._windows.add(batch, places, times, self._watermark)
        return []

    def _times(self, batch: Batch) -> Longs:
        """Sessions alone take records without a timestamp, as if the marker were their time."""
        if not self._plan.event_time:
            return np.zeros(len(batch), np.int64)
        if self._plan.assigner != "session":
            return times_of(self._operator, "window", batch)
        missing = np.full(len(batch), NO_TIMESTAMP, np.int64)
        return missing if batch.timestamps is None else batch.timestamps

    def _places(self, batch: Batch) -> Longs:
        keys = [batch.columns[key] for key in self._plan.keys]
        if not keys:
            return np.zeros(len(batch), np.int64)
        known = len(self._keys)
        places = self._keys.of(keys)
        runs = Runs.of(places)
        fresh = runs.order[runs.starts[runs.places >= known]]
        if len(fresh):
            self._key_rows.append(tuple(key.take(pa.array(fresh)) for key in keys))
        return places

    def advance(self, time: int) -> list[Emission]:
        """The rows of all windows that end before ``time``, earliest first, with their last ms."""
        self._watermark = max(self._watermark, time)
        places, starts, ends, aggregates, origins = self._windows.fire(self._watermark)
        if not len(places):
            return []
        picked = pa.array(places)
        keys = [pa.concat_arrays(parts).take(picked) for parts in zip(*self._key_rows, strict=True)]
        self._key_rows = [tuple(pa.concat_arrays(p) for p in zip(*self._key_rows, strict=True))]
        columns = (*keys, pa.array(starts), pa.array(ends), *aggregates)
        return [(None, Batch(self._plan.row_type, columns, ends - 1, origins))]


class _Aggregates:
    """One accumulator an aggregate, by slot: a number for each window of a key."""

    def __init__(self, step: plan.WindowAggregate, input_type: RowType) -> None:
        self._columns = [one.column for one in step.aggregates]
        self._kept: list[Accumulator] = [
            accumulator(one.function, LONG if one.column is None else input_type.types[one.column])
            for one in step.aggregates
        ]
        self._origins = KeptOrigins()

    def roll(self, batch: Batch, slots: Longs) -> None:
        """Fold records into their slots."""
        runs = Runs.of(slots)
        for column, kept in zip(self._columns, self._kept, strict=True):
            kept.roll(None if column is None else batch.columns[column], runs)
        self._origins.roll(batch.origins, runs)

    def values(self, slots: Longs) -> list[Column]:
        """The aggregates of these slots."""
        return [kept.values(slots) for kept in self._kept]

    def origins(self, slots: Longs) -> Origins | None:
        """What took part in these slots."""
        return self._origins.of(slots)


Fired = tuple[Longs, Longs, Longs, list[Column], Origins | None]
"""Key places, window starts, window ends, aggregates and origins of windows that are complete."""


class _Assigned:
    """Tumbling and sliding windows: a record's windows depend on its timestamp alone."""

    def __init__(self, step: plan.WindowAggregate, input_type: RowType) -> None:
        self._size, self._slide = step.size, step.slide
        self._slots = KeyedPlaces()
        self._aggregates = _Aggregates(step, input_type)
        self._open = np.empty((3, 0), np.int64)
        """Shape (3, open windows): key place, window start and slot of each."""

    def add(self, batch: Batch, places: Longs, times: Longs, watermark: int) -> None:
        """Fold records into their windows, as many at once as memory should hold."""
        at_once = max(1, _AT_ONCE // -(-self._size // self._slide))
        for start in range(0, len(batch), at_once):
            stop = min(start + at_once, len(batch))
            mine = slice(start, stop)
            self._fold(batch.slice(start, stop), places[mine], times[mine], watermark)

    def _fold(self, batch: Batch, places: Longs, times: Longs, watermark: int) -> None:
        """Fold records into their windows; a window that is complete takes no more."""
        records, starts = window_starts(times, self._size, self._slide)
        in_time = self._last_ms(starts) > watermark
        records, starts = records[in_time], starts[in_time]
        if not len(records):
            return
        known = len(self._slots)
        slots = self._slots.of([pa.array(places[records]), pa.array(starts)])
        runs = Runs.of(slots)
        new = runs.order[runs.starts[runs.places >= known]]
        opened = np.stack([places[records[new]], starts[new], slots[new]])
        self._open = np.hstack([self._open, opened])
        self._aggregates.roll(batch.take(records), slots)

    def _last_ms(self, starts: Longs) -> Longs:
        """``TimeWindow.maxTimestamp``: past the end of LONG it starts over, as Java's sum does."""
        return starts + self._size - 1

    def fire(self, watermark: int) -> Fired:
        """Close the windows whose last millisecond is not after ``watermark``."""
        complete = self._last_ms(self._open[1]) <= watermark
        fired, self._open = self._open[:, complete], self._open[:, ~complete]
        # Timers fire by time; which key comes first at one time Flink leaves to its heap.
        fired = fired[:, np.lexsort((fired[0], fired[1]))]
        places, starts, slots = fired
        values, origins = self._aggregates.values(slots), self._aggregates.origins(slots)
        return places, starts, starts + self._size, values, origins


class _Sessions:
    """Session windows: those that touch become one, so records wait until theirs is complete."""

    def __init__(self, step: plan.WindowAggregate, input_type: RowType) -> None:
        self._gap = step.size
        self._plan, self._input_type = step, input_type
        self._pending: list[tuple[Batch, Longs, Longs]] = []

    def add(self, batch: Batch, places: Longs, times: Longs, watermark: int) -> None:
        """Keep records whose session may still be open."""
        bare = batch.with_timestamps(None)
        if np.all(times + self._gap - 1 > watermark):
            self._pending.append((bare, places, times))
            return
        in_time = self._with_open_sessions(places, times) - 1 > watermark
        if in_time.any():
            self._pending.append((bare.filter(in_time), places[in_time], times[in_time]))

    def _with_open_sessions(self, places: Longs, times: Longs) -> Longs:
        """The end of the session that each new record would belong to."""
        held = [(p, t) for _, p, t in self._pending]
        all_places = np.concatenate([*(p for p, _ in held), places])
        all_times = np.concatenate([*(t for _, t in held), times])
        _, _, ends, sessions = sessions_of(all_places, all_times, self._gap)
        found: Longs = ends[sessions][len(all_places) - len(places) :]
        return found

    def fire(self, watermark: int) -> Fired:
        """Close the sessions whose last millisecond is not after ``watermark``."""
        if not self._pending:
            nothing = np.empty(0, np.int64)
            return nothing, nothing, nothing, [], None
        places = np.concatenate([p for _, p, _ in self._pending])
        times = np.concatenate([t for _, _, t in self._pending])
        keys, starts, ends, sessions = sessions_of(places, times, self._gap)
        last = watermark == MAX_WATERMARK
        complete = np.ones(len(ends), np.bool_) if last else ends <= watermark + 1
        aggregates = _Aggregates(self._plan, self._input_type)
        self._fold(aggregates, sessions, complete)
        chosen = np.flatnonzero(complete)
        chosen = chosen[np.lexsort((keys[chosen], ends[chosen]))]
        values, origins = aggregates.values(chosen), aggregates.origins(chosen)
        return keys[chosen], starts[chosen], ends[chosen], values, origins

    def _fold(
        self, aggregates: _Aggregates, sessions: Longs, complete: npt.NDArray[np.bool_]
    ) -> None:
        """Fold the records of complete sessions, and keep the others."""
        kept: list[tuple[Batch, Longs, Longs]] = []
        start = 0
        for batch, places, times in self._pending:
            mine = sessions[start : start + len(batch)]
            start += len(batch)
            done = complete[mine]
            if done.any():
                aggregates.roll(batch.filter(done), mine[done])
            if not done.all():
                kept.append((batch.filter(~done), places[~done], times[~done]))
        self._pending = kept


def sessions_of(places: Longs, times: Longs, gap: int) -> tuple[Longs, Longs, Longs, Longs]:
    """Merge each key's records into sessions; windows that touch merge, as in ``TimeWindow``.

    Gives each session's key place, start and end, and each record's session.

    >>> found = sessions_of(np.array([0, 0, 0]), np.array([0, 5, 20]), 5)
    >>> [one.tolist() for one in found]
    [[0, 0], [0, 20], [10, 25], [0, 0, 1]]
    """
    order = np.lexsort((times, places))
    sorted_places, sorted_times = places[order], times[order]
    new = np.ones(len(order), np.bool_)
    # Between the ends of a LONG there is more than a LONG holds: as unsigned it is right.
    apart = np.diff(sorted_times).view(np.uint64) > gap
    new[1:] = (np.diff(sorted_places) != 0) | apart
    first = np.flatnonzero(new)
    last = np.append(first[1:], len(order)) - 1
    sessions = np.empty(len(order), np.int64)
    sessions[order] = np.cumsum(new) - 1
    return sorted_places[first], sorted_times[first], sorted_times[last] + gap, sessions
