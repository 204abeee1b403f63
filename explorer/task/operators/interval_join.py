"""Pairs of rows of one key whose timestamps lie near each other.

Mirrors ``IntervalJoinOperator``: a row meets those of the other side that are kept already, a late
one is dropped, and what no row in time can meet any more is let go.
"""

from typing import Final

import numpy as np

from explorer.java_numbers import LONG_MAX, LONG_MIN
from explorer.rows.batch import Batch, Bools, Longs, concat
from explorer.rows.row_type import RowType
from explorer.rows.sizes import BatchTooLargeError
from explorer.task import plan
from explorer.task.operators.keyed_state import KeyedPlaces
from explorer.task.operators.step import MIN_WATERMARK, Emission, Share, selected, times_of

_PAIRS_AT_ONCE: Final = 1 << 20


def join_side(operator: str, step: plan.JoinSide, row_type: RowType, share: Share) -> "JoinSide":
    """One side of an operator's join, which both sides share."""
    made = share.common.setdefault("interval join", _IntervalJoin(operator, step.join))
    return JoinSide(made, step.side)


class JoinSide:
    """One side's part in a join."""

    def __init__(self, join: "_IntervalJoin", side: int) -> None:
        self._join, self._side = join, side

    def process(self, batch: Batch) -> list[Emission]:
        """The pairs that these rows make with those of the other side."""
        return self._join.process(batch, self._side)

    def advance(self, time: int) -> list[Emission]:
        """Let go of what is too old; no pair waits for a watermark."""
        self._join.advance(time, self._side)
        return []


class _Kept:
    """The rows that one side keeps, with their key's places, in the order of both."""

    def __init__(self) -> None:
        self._parts: list[tuple[Batch, Longs, Longs]] = []
        self._sorted = True

    def add(self, batch: Batch, places: Longs, times: Longs) -> None:
        """Keep rows."""
        self._parts.append((batch, places, times))
        self._sorted = False

    def rows(self) -> tuple[Batch, Longs, Longs] | None:
        """All rows, by place and then time; of one time in the order in which they came."""
        if not self._parts:
            return None
        if not self._sorted:
            batch = concat([one for one, _, _ in self._parts])
            places = np.concatenate([one for _, one, _ in self._parts])
            times = np.concatenate([one for _, _, one in self._parts])
            order = np.lexsort((times, places))
            self._parts = [(batch.take(order), places[order], times[order])]
            self._sorted = True
        return self._parts[0]

    def keep(self, later: int, time: int) -> None:
        """Keep the rows whose time plus ``later`` is behind a watermark's."""
        kept = []
        for batch, places, times in self._parts:
            stays = _shifted(times, later) > time
            if stays.all():
                kept.append((batch, places, times))
            elif stays.any():
                kept.append((batch.filter(stays), places[stays], times[stays]))
        self._parts = kept


class _IntervalJoin:
    """Both sides' rows, by key and time."""

    def __init__(self, operator: str, step: plan.IntervalJoin) -> None:
        self._operator, self._plan = operator, step
        self._keys = KeyedPlaces()
        self._kept = (_Kept(), _Kept())
        self._bounds = ((step.lower, step.upper), (-step.upper, -step.lower))
        """By side, how far the other side's time may be from its own."""
        self._watermark = MIN_WATERMARK

    def process(self, batch: Batch, side: int) -> list[Emission]:
        """Join rows in time with the other side's, then keep them."""
        times = times_of(self._operator, "between", batch)
        in_time: Bools = times >= self._watermark
        if not in_time.all():
            batch, times = batch.filter(in_time), times[in_time]
        if not len(batch):
            return []
        places = self._keys.of([batch.columns[key] for key in self._plan.keys[side]])
        emissions = self._pairs(batch, places, times, side)
        self._kept[side].add(batch, places, times)
        return emissions

    def _pairs(self, batch: Batch, places: Longs, times: Longs, side: int) -> list[Emission]:
        other = self._kept[1 - side].rows()
        if other is None:
            return []
        lower, upper = self._bounds[side]
        theirs, their_places, their_times = other
        starts, stops = _ranges(
            their_places, their_times, places, _shifted(times, lower), _shifted(times, upper)
        )
        counts = stops - starts
        total = int(counts.sum())
        if total > _PAIRS_AT_ONCE and len(batch) > 1:
            raise BatchTooLargeError
        if not total:
            return []
        mine = np.repeat(np.arange(len(batch)), counts)
        offsets = np.repeat(np.cumsum(counts) - counts, counts)
        found = np.repeat(starts, counts) + np.arange(total) - offsets
        pair = (batch.take(mine), theirs.take(found))
        return [(None, self._joined(*(pair if side == 0 else pair[::-1])))]

    def _joined(self, first: Batch, second: Batch) -> Batch:
        """The rows of pairs, with the later timestamp of the two."""
        times = np.maximum(_times(first), _times(second))
        origins = None if first.origins is None else first.origins.joined(second.origins)
        both = Batch(self._plan.joined, (*first.columns, *second.columns), times, origins)
        return selected(self._operator, self._plan.columns, both, self._plan.row_type)

    def advance(self, time: int, side: int) -> None:
        """``IntervalJoinOperator`` cleans a row up when no row in time may meet it any more."""
        self._watermark = max(self._watermark, time)
        self._kept[side].keep(max(self._bounds[side][1], 0), self._watermark)


def _times(batch: Batch) -> Longs:
    return np.empty(0, np.int64) if batch.timestamps is None else batch.timestamps


def _shifted(times: Longs, by: int) -> Longs:
    """Times so much later; past the ends of a LONG they stay at the end."""
    if by >= 0:
        return np.minimum(times, LONG_MAX - by) + by
    return np.maximum(times, LONG_MIN - by) + by


def _ranges(
    places: Longs, times: Longs, wanted: Longs, first: Longs, last: Longs
) -> tuple[Longs, Longs]:
    """Where in rows sorted by place and time those of each wanted place and span of time are.

    Times are replaced by their ranks, so that place and time fit one number.
    """
    known = np.unique(times)
    width = len(known) + 1
    sorted_codes = places * width + np.searchsorted(known, times)
    low = wanted * width + np.searchsorted(known, first, side="left")
    high = wanted * width + np.searchsorted(known, last, side="right")
    return np.searchsorted(sorted_codes, low), np.searchsorted(sorted_codes, high)
