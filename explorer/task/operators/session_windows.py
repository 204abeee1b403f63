"""Session windows: records of a key that lie near each other in time, in one window.

Mirrors ``WindowOperator`` over ``EventTimeSessionWindows`` with its ``MergingWindowSet``.
"""

import numpy as np

from explorer.java_numbers import LONG_MAX
from explorer.rows.batch import Batch, Bools, Longs, concat
from explorer.rows.row_type import RowType
from explorer.task import plan
from explorer.task.operators.step import MAX_WATERMARK, MIN_WATERMARK
from explorer.task.operators.window_aggregates import Added, Aggregates, Fired, joined_fired


class Sessions:
    """Session windows that touch become one, so records wait until theirs is over for good."""

    def __init__(self, step: plan.WindowAggregate, input_type: RowType) -> None:
        self._gap, self._lateness = step.size, step.lateness
        self._plan, self._input_type = step, input_type
        self._pending: list[tuple[Batch, Longs, Longs]] = []
        self._fired_to = MIN_WATERMARK

    def add(self, batch: Batch, places: Longs, times: Longs, watermark: int) -> Added:
        """Keep records whose session may still change; one that is over fires at each of them."""
        bare = batch.with_timestamps(None)
        late = np.zeros(len(batch), np.bool_)
        fired: list[Fired] = []
        start = 0
        for at in np.flatnonzero(times + self._gap - 1 <= watermark).tolist():
            self._keep(bare, places, times, start, at)
            start = at + 1
            late[at] = not self._add_late(bare, places, times, at, watermark, fired)
        self._keep(bare, places, times, start, len(batch))
        return Added(late, joined_fired(fired))

    def _keep(self, batch: Batch, places: Longs, times: Longs, start: int, stop: int) -> None:
        if start < stop:
            part = batch.slice(start, stop)
            self._pending.append((part, places[start:stop], times[start:stop]))

    def _add_late(
        self,
        batch: Batch,
        places: Longs,
        times: Longs,
        at: int,
        watermark: int,
        fired: list[Fired],
    ) -> bool:
        """Take one record whose own window is over; False where its session is over for good."""
        members = [p == places[at] for _, p, _ in self._pending]
        mine = [t[m] for (_, _, t), m in zip(self._pending, members, strict=True)]
        known = np.concatenate([*mine, times[at : at + 1]])
        _, starts, ends, sessions = sessions_of(np.zeros(len(known), np.int64), known, self._gap)
        start, end = int(starts[sessions[-1]]), int(ends[sessions[-1]])
        if min(end - 1, LONG_MAX - self._lateness) + self._lateness <= watermark:
            return False
        self._keep(batch, places, times, at, at + 1)
        if end - 1 <= watermark:
            fired.append(self._session(int(places[at]), start, end))
        return True

    def _session(self, place: int, start: int, end: int) -> Fired:
        """One session as it stands."""
        chosen = []
        for batch, places, times in self._pending:
            inside = (places == place) & (times >= start) & (times <= end - self._gap)
            if inside.any():
                chosen.append(batch.filter(inside))
        rows = concat(chosen)
        aggregates = Aggregates(self._plan.aggregates, self._input_type)
        slot = np.zeros(1, np.int64)
        aggregates.roll(rows, np.zeros(len(rows), np.int64))
        bounds = [np.array([one]) for one in (place, start, end)]
        return Fired(
            bounds[0], bounds[1], bounds[2], aggregates.values(slot), aggregates.origins(slot)
        )

    def fire(self, watermark: int) -> Fired | None:
        """Hand on the sessions that the watermark passes, and let go of those over for good."""
        if not self._pending:
            self._fired_to = watermark
            return None
        places = np.concatenate([p for _, p, _ in self._pending])
        times = np.concatenate([t for _, _, t in self._pending])
        keys, starts, ends, sessions = sessions_of(places, times, self._gap)
        last = watermark == MAX_WATERMARK
        complete = np.ones(len(ends), np.bool_) if last else ends <= watermark + 1
        due = complete & (ends - 1 > self._fired_to)
        over = np.minimum(ends - 1, LONG_MAX - self._lateness) + self._lateness <= watermark
        aggregates = Aggregates(self._plan.aggregates, self._input_type)
        self._fold(aggregates, sessions, due, complete & over)
        self._fired_to = watermark
        chosen = np.flatnonzero(due)
        chosen = chosen[np.lexsort((keys[chosen], ends[chosen]))]
        values, origins = aggregates.values(chosen), aggregates.origins(chosen)
        return Fired(keys[chosen], starts[chosen], ends[chosen], values, origins)

    def _fold(self, aggregates: Aggregates, sessions: Longs, due: Bools, over: Bools) -> None:
        """Fold the records of sessions that are due, and keep those of sessions not over."""
        kept: list[tuple[Batch, Longs, Longs]] = []
        start = 0
        for batch, places, times in self._pending:
            mine = sessions[start : start + len(batch)]
            start += len(batch)
            now, stays = due[mine], ~over[mine]
            if now.any():
                aggregates.roll(batch.filter(now), mine[now])
            if stays.all():
                kept.append((batch, places, times))
            elif stays.any():
                kept.append((batch.filter(stays), places[stays], times[stays]))
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
    last = np.append(first, len(order))[1:] - 1
    sessions = np.empty(len(order), np.int64)
    sessions[order] = np.cumsum(new) - 1
    return sorted_places[first], sorted_times[first], sorted_times[last] + gap, sessions
