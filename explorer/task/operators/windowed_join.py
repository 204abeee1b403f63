"""Rows of two inputs that have one key and lie in one window, brought together when it ends.

Mirrors ``WindowOperator`` with the ``ListState`` that ``CoGroupedStreams`` gives it: a window keeps
the rows of both inputs, and hands all of them to the function each time that it fires.
"""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np

from explorer.java_numbers import LONG_MAX
from explorer.rows.batch import Batch, Bools, Longs, concat, empty
from explorer.rows.origins import Descent, Origins
from explorer.rows.row_type import RowType
from explorer.task import plan
from explorer.task.operators.pairs import Fires, Side, counts, pairs
from explorer.task.operators.session_windows import sessions_of
from explorer.task.operators.step import MIN_WATERMARK, Emission, Share
from explorer.task.operators.window_aggregates import KeyRows
from explorer.task.operators.windows import AT_ONCE, window_starts, window_times


def windowed_side(
    operator: str, step: plan.WindowedSide, row_type: RowType, share: Share
) -> "WindowedSide":
    """One side of an operator's join over windows, which both sides share."""
    made = share.common.setdefault("windowed join", _WindowedJoin(operator, step.join))
    return WindowedSide(made, step.side)


class WindowedSide:
    """One side's part."""

    def __init__(self, join: "_WindowedJoin", side: int) -> None:
        self._join, self._side = join, side

    def process(self, batch: Batch) -> list[Emission]:
        """Keep rows for their windows; one that is over fires at once, if it is kept."""
        return self._join.process(batch, self._side)

    def advance(self, time: int) -> list[Emission]:
        """What the windows come to that the watermark passes; the other side finds none left."""
        return self._join.advance(time)


class _Kept:
    """One side's rows whose windows are not over for good, in the order in which they came."""

    def __init__(self, row_type: RowType) -> None:
        none = np.empty(0, np.int64)
        self._parts: list[tuple[Batch, Longs, Longs]] = [(empty(row_type), none, none)]

    def add(self, batch: Batch, places: Longs, times: Longs) -> None:
        """Keep rows, with their keys' places and their times."""
        if len(batch):
            self._parts.append((batch.with_timestamps(None), places, times))

    def all(self, descent: Descent | None) -> tuple[Batch, Longs, Longs]:
        """All rows, places and times; ``descent``: of the run, where it is traced."""
        if len(self._parts) > 1:
            # The empty part that it begins with has no origins, whether the run is traced or not.
            parts = self._parts[not len(self._parts[0][0]) :]
            batch = concat([one for one, _, _ in parts])
            places = np.concatenate([one for _, one, _ in parts])
            self._parts = [(batch, places, np.concatenate([one for _, _, one in parts]))]
        rows, places, times = self._parts[0]
        if descent is not None and rows.origins is None:
            rows = rows.with_origins(Origins(descent, np.empty(0, np.int64)))
        return rows, places, times

    def keep(self, stays: Bools) -> None:
        """Let go of all rows but these."""
        rows, places, times = self.all(None)
        if not stays.all():
            self._parts = [(rows.filter(stays), places[stays], times[stays])]


class _Found(NamedTuple):
    """Windows that are due, in the order in which they fire."""

    places: Longs
    ends: Longs
    entries: tuple[tuple[Longs, Longs], tuple[Longs, Longs]]
    """By side the positions of rows, sorted by window, and the window of each."""
    stays: tuple[Bools, Bools]
    """By side the rows of windows that are not over for good."""


class _Timed(NamedTuple):
    """The key's place and the time of each row of a side."""

    places: Longs
    times: Longs


class _Windows(Protocol):
    """How records are put into windows."""

    def of(self, time: int, known: Longs) -> list[tuple[int, int]]:
        """Start and end of a record's windows; ``known``: the times that its key has there."""

    def behind(self, times: Longs, watermark: int) -> Bools:
        """Which records may have a window that is over."""

    def due(self, sides: tuple[_Timed, _Timed], after: int, watermark: int) -> _Found:
        """The windows that end behind one watermark and not behind another."""


class _WindowedJoin:
    """Both sides' rows, by key and window."""

    def __init__(self, operator: str, step: plan.WindowedJoin) -> None:
        self._operator, self._plan = operator, step
        self._keys = KeyRows(())
        self._kept = (_Kept(step.sides[0]), _Kept(step.sides[1]))
        self._watermark = MIN_WATERMARK
        self._descent: Descent | None = None
        kind = _Sessions if step.assigner == "session" else _Assigned
        self._windows: _Windows = kind(step)

    def process(self, batch: Batch, side: int) -> list[Emission]:
        """Keep records; those behind the watermark one by one, as each may fire its windows."""
        times = window_times(self._operator, self._plan, batch)
        places = self._keys.of([batch.columns[key] for key in self._plan.keys[side]])
        self._descent = None if batch.origins is None else batch.origins.descent
        made: list[Emission] = []
        start = 0
        for at in np.flatnonzero(self._windows.behind(times, self._watermark)).tolist():
            self._kept[side].add(batch.slice(start, at), places[start:at], times[start:at])
            one = slice(at, at + 1)
            made += self._late(batch.slice(at, at + 1), places[one], times[one], side)
            start = at + 1
        stop = len(batch)
        self._kept[side].add(batch.slice(start, stop), places[start:], times[start:])
        return made

    def _late(self, record: Batch, places: Longs, times: Longs, side: int) -> list[Emission]:
        """One record: dropped where all its windows are over for good."""
        place, watermark = int(places[0]), self._watermark
        known = [side.times[side.places == place] for side in self._timed()]
        windows = self._windows.of(int(times[0]), np.concatenate([*known, times]))
        live = [one for one in windows if _over_at(one[1], self._plan.lateness) > watermark]
        if live:
            self._kept[side].add(record, places, times)
        return [
            made
            for start, end in live
            if end - 1 <= watermark
            for made in self._made(self._window(place, start, end))
        ]

    def _timed(self) -> tuple[_Timed, _Timed]:
        one, other = (_Timed(*kept.all(self._descent)[1:]) for kept in self._kept)
        return one, other

    def _window(self, place: int, start: int, end: int) -> Fires:
        """One window as it stands."""
        one, other = (self._within(kept, place, start, end) for kept in self._kept)
        return Fires((one, other), np.array([place]), np.array([end]))

    def _within(self, kept: _Kept, place: int, start: int, end: int) -> Side:
        rows, places, times = kept.all(self._descent)
        # Between the ends of a LONG there is more than a LONG holds: as unsigned it is right.
        apart = (times - np.array([start])).view(np.uint64)
        mine = rows.filter((places == place) & (apart < np.uint64((end - start) % (1 << 64))))
        return Side(mine, np.zeros(len(mine), np.int64))

    def _made(self, fires: Fires) -> Iterator[Emission]:
        """What the function makes of windows."""
        if self._plan.function == "count":
            yield None, counts(self._plan, fires, self._keys)
        else:
            yield from ((None, one) for one in pairs(self._operator, self._plan, fires))

    def advance(self, time: int) -> list[Emission]:
        """What the windows come to that the watermark passes, earliest first."""
        if time <= self._watermark:
            return []
        found = self._windows.due(self._timed(), self._watermark, time)
        self._watermark = time
        one, other = (
            Side(kept.all(self._descent)[0].take(rows), windows)
            for kept, (rows, windows) in zip(self._kept, found.entries, strict=True)
        )
        fires = Fires((one, other), found.places, found.ends)
        made = list(self._made(fires)) if len(found.ends) else []
        for kept, stays in zip(self._kept, found.stays, strict=True):
            kept.keep(stays)
        return made


def _over_at(end: int, lateness: int) -> int:
    """``cleanupTime``: the watermark at which no record comes in time any more."""
    return min(end - 1, LONG_MAX - lateness) + lateness


def _all_over(ends: Longs, lateness: int, watermark: int) -> Bools:
    over: Bools = np.minimum(ends - 1, LONG_MAX - lateness) + lateness <= watermark
    return over


class _Assigned:
    """Tumbling and sliding windows: a record's windows depend on its timestamp alone."""

    def __init__(self, step: plan.WindowedJoin) -> None:
        self._size, self._slide, self._lateness = step.size, step.slide, step.lateness

    def of(self, time: int, known: Longs) -> list[tuple[int, int]]:  # noqa: ARG002 - sessions ask
        """The latest window first."""
        _, starts = window_starts(np.array([time]), self._size, self._slide)
        ends = starts + self._size
        return list(zip(starts.tolist(), ends.tolist(), strict=True))

    def behind(self, times: Longs, watermark: int) -> Bools:
        """A window ends after its records, save at the end of a LONG, where it starts over."""
        found: Bools = (times <= watermark) | (times > LONG_MAX - self._size)
        return found

    def due(self, sides: tuple[_Timed, _Timed], after: int, watermark: int) -> _Found:
        """By start, and of one start by key."""
        found = [self._entries(side, after, watermark) for side in sides]
        places, starts = (np.concatenate([one[at] for one in found]) for at in (1, 2))
        codes, numbers = np.unique(np.stack([starts, places]), axis=1, return_inverse=True)
        numbers = numbers.reshape(-1)
        half = len(found[0][0])
        one, other = (
            by_window(rows, mine)
            for (rows, *_), mine in zip(found, (numbers[:half], numbers[half:]), strict=True)
        )
        stays = self._stays(sides[0], watermark), self._stays(sides[1], watermark)
        return _Found(codes[1], codes[0] + self._size, (one, other), stays)

    def _entries(self, side: _Timed, after: int, watermark: int) -> tuple[Longs, Longs, Longs]:
        """The rows of windows that are due, their keys' places and the windows' starts."""
        at_once = max(1, AT_ONCE // -(-self._size // self._slide))
        parts = [np.empty((3, 0), np.int64)]
        for start in range(0, len(side.times), at_once):
            times = side.times[start : start + at_once]
            rows, starts = window_starts(times, self._size, self._slide)
            last = starts + self._size - 1
            due = (last > after) & (last <= watermark)
            rows = rows[due] + start
            parts.append(np.stack([rows, side.places[rows], starts[due]]))
        rows, places, starts = np.hstack(parts)
        return rows, places, starts

    def _stays(self, side: _Timed, watermark: int) -> Bools:
        """A row's last window is the one that starts last."""
        ends = side.times - np.remainder(side.times, self._slide) + self._size
        return ~_all_over(ends, self._lateness, watermark)


class _Sessions:
    """Windows that touch become one, whichever input their rows are of."""

    def __init__(self, step: plan.WindowedJoin) -> None:
        self._gap, self._lateness = step.size, step.lateness

    def of(self, time: int, known: Longs) -> list[tuple[int, int]]:  # noqa: ARG002 - it is the last
        """The session that the last of the times is in."""
        _, starts, ends, sessions = sessions_of(np.zeros(len(known), np.int64), known, self._gap)
        return [(int(starts[sessions[-1]]), int(ends[sessions[-1]]))]

    def behind(self, times: Longs, watermark: int) -> Bools:
        """A session ends so long after its last record."""
        found: Bools = times + self._gap - 1 <= watermark
        return found

    def due(self, sides: tuple[_Timed, _Timed], after: int, watermark: int) -> _Found:
        """By end, and of one end by key."""
        places, times = (np.concatenate(part) for part in zip(*sides, strict=True))
        keys, _, ends, sessions = sessions_of(places, times, self._gap)
        due = np.flatnonzero((ends - 1 > after) & (ends - 1 <= watermark))
        due = due[np.lexsort((keys[due], ends[due]))]
        ranks = np.full(len(ends), -1)
        ranks[due] = np.arange(len(due))
        stays = ~_all_over(ends, self._lateness, watermark)[sessions]
        half = len(sides[0].times)
        halves = sessions[:half], sessions[half:]
        one, other = (
            by_window(np.flatnonzero(ranks[mine] >= 0), ranks[mine][ranks[mine] >= 0])
            for mine in halves
        )
        return _Found(keys[due], ends[due], (one, other), (stays[:half], stays[half:]))


def by_window(rows: Longs, windows: Longs) -> tuple[Longs, Longs]:
    """Rows sorted by window, those of one window in their own order.

    >>> [one.tolist() for one in by_window(np.array([0, 1, 2]), np.array([1, 0, 1]))]
    [[1, 0, 2], [0, 1, 1]]
    """
    order = np.argsort(windows, kind="stable")
    return rows[order], windows[order]
