"""Windows of time of a record, and the time until which a window accepts records.

Mirrors ``TumblingEventTimeWindows``, ``SlidingEventTimeWindows`` and ``EventTimeSessionWindows``
with its ``MergingWindowSet``, and the methods of ``TimeWindow``.
"""

from typing import Final, NamedTuple

import numpy as np

from explorer.engine.rows.batch import NO_TIMESTAMP, Batch, Bools, Longs
from explorer.engine.steps.step_work import later, times_of
from explorer.engine.steps.window_plans import TimeWindows


def window_starts(times: Longs, size: int, slide: int, offset: int = 0) -> tuple[Longs, Longs]:
    """Return the windows of each record: pairs of the record's number and the window's start.

    >>> [one.tolist() for one in window_starts(np.array([7]), 6, 2)]
    [[0, 0, 0], [6, 4, 2]]
    >>> [one.tolist() for one in window_starts(np.array([7]), 6, 6, 2)]
    [[0], [2]]
    """
    # np.remainder is never negative, as in ``TimeWindow.getWindowStartWithOffset``: up to 1.13 its
    # remainder could be, and times long before 1970 fell into the window after theirs.
    # The latest window is first, as in ``SlidingEventTimeWindows``; shape (records, windows).
    last = times - np.remainder(times - offset, slide)
    copies = -(-size // slide)
    starts = (last[:, None] - np.arange(copies) * slide).reshape(-1)
    records = np.repeat(np.arange(len(times)), copies)
    open_windows = starts > times[records] - size
    return records[open_windows], starts[open_windows]


def window_times(operator: str, windows: TimeWindows, batch: Batch) -> Longs:
    """Return the time by which each record is assigned to windows.

    Only sessions accept records without a timestamp; the marker is their time.
    """
    if not windows.event_time:
        return np.zeros(len(batch), np.int64)
    if windows.assigner != "session":
        return times_of(operator, "window", batch)
    missing = np.full(len(batch), NO_TIMESTAMP, np.int64)
    return missing if batch.timestamps is None else batch.timestamps


def over_at(ends: Longs, lateness: int) -> Longs:
    """``cleanupTime``: the watermark from which on a window accepts no record."""
    # ``TimeWindow.maxTimestamp`` is one below the end, and overflows at the limit of LONG.
    return later(ends - 1, lateness)


def sessions_of(places: Longs, times: Longs, gap: int) -> tuple[Longs, Longs, Longs, Longs]:
    """Merge each key's records into sessions; windows that touch merge, as in ``TimeWindow``.

    Returns each session's key place, start and end, and each record's session.

    >>> found = sessions_of(np.array([0, 0, 0]), np.array([0, 5, 20]), 5)
    >>> [one.tolist() for one in found]
    [[0, 0], [0, 20], [10, 25], [0, 0, 1]]
    """
    order = np.lexsort((times, places))
    sorted_places, sorted_times = places[order], times[order]
    new = np.ones(len(order), np.bool_)
    # A difference may exceed the range of LONG: as an unsigned number it is correct.
    apart = np.diff(sorted_times).view(np.uint64) > gap
    new[1:] = (np.diff(sorted_places) != 0) | apart
    first = np.flatnonzero(new)
    last = np.append(first, len(order))[1:] - 1
    sessions = np.empty(len(order), np.int64)
    sessions[order] = np.cumsum(new) - 1
    return sorted_places[first], sorted_times[first], sorted_times[last] + gap, sessions


NOT_DUE: Final = -1


class DueSessions(NamedTuple):
    """Sessions that end between two watermarks, by end and then by key."""

    places: Longs
    """The key's place of each session."""
    starts: Longs
    ends: Longs
    sessions: Longs
    """The session of each record, or ``NOT_DUE``."""
    stays: Bools
    """A mask of the records with a session that still accepts records."""


def due_sessions(
    places: Longs, times: Longs, windows: TimeWindows, following: int, watermark: int
) -> DueSessions:
    """Find the sessions of these records that end after ``following`` and up to ``watermark``."""
    keys, starts, ends, sessions = sessions_of(places, times, windows.size)
    due = np.flatnonzero((ends - 1 > following) & (ends - 1 <= watermark))
    due = due[np.lexsort((keys[due], ends[due]))]
    ranks = np.full(len(ends), NOT_DUE)
    ranks[due] = np.arange(len(due))
    stays = over_at(ends, windows.lateness) > watermark
    return DueSessions(keys[due], starts[due], ends[due], ranks[sessions], stays[sessions])


def session_of_last(times: Longs, gap: int) -> tuple[Longs, Longs]:
    """Return start and end of the session that contains the last of these times of one key."""
    _, starts, ends, sessions = sessions_of(np.zeros(len(times), np.int64), times, gap)
    return starts[sessions[-1:]], ends[sessions[-1:]]
