"""Pairs of rows of one key with timestamps within an interval.

Mirrors ``IntervalJoinOperator``: a row is joined with the retained rows of the other side, a late
row is dropped, and rows that can no longer be joined are removed.
"""

from typing import ClassVar, Final

import numpy as np

from explorer.engine.rows.batch import Batch, Bools, Longs
from explorer.engine.rows.ragged import positions
from explorer.engine.rows.sizes import BatchTooLargeError
from explorer.engine.state.buffered_rows import BufferedRows
from explorer.engine.state.keyed_state import KeyedPlaces
from explorer.engine.steps.join import Join, SideWork, both_sides, join_keys, steps_of
from explorer.engine.steps.planned import Outcome, PlanningRequest
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import MIN_WATERMARK, Emission, SubtaskContext, later, times_of
from explorer.model.row_type import RowType

_PAIRS_AT_ONCE: Final = 1 << 20


class IntervalJoin(Join, Step, frozen=True, kw_only=True):
    """Join rows of one key with timestamps near each other."""

    verb: ClassVar = "joins it"
    traits = Traits(order_sensitive=True, emits_each=False)
    lower: int
    upper: int
    """Bounds of the second row's timestamp minus the first's, in milliseconds."""

    def work(self, operator: str, row_type: RowType, share: SubtaskContext) -> SideWork:
        return SideWork(IntervalJoinWork(operator, self), self.side, share)

    def explain_emission(self, emitted: Emitted) -> str:
        return (
            f"It joins records of one key with timestamps {self.lower:,} to {self.upper:,} ms "
            "apart."
        )

    def explain_silence(self) -> str:
        return (
            f"No row of its key on the other input is within {self.lower:,} to {self.upper:,} ms."
        )


def plan_operator(request: PlanningRequest) -> Outcome:
    """Plan the join; without an interval the rows of both inputs are passed on."""
    between = request.t.between
    if between is None:
        return Outcome()
    arriving, other_arriving, joined = both_sides(request)
    join = IntervalJoin(
        side=0,
        keys=join_keys(request, arriving, other_arriving),
        joined=joined,
        columns=arriving.selected,
        row_type=request.given_type(arriving),
        lower=between.lower,
        upper=between.upper,
    )
    return Outcome(steps=steps_of(join, (1, arriving.row_type), (2, other_arriving.row_type)))


class IntervalJoinWork:
    """Both sides' rows, by key and time."""

    def __init__(self, operator: str, step: IntervalJoin) -> None:
        self._operator, self._plan = operator, step
        self._keys = KeyedPlaces()
        self._buffered = (BufferedRows(), BufferedRows())
        self._sorted = [True, True]
        """By side, whether its rows are in the order of keys and times."""
        # The bounds are the second row's time minus the first's; seen from the second side they
        # change places and signs, as ``processElement2`` passes them.
        self._bounds = ((step.lower, step.upper), (-step.upper, -step.lower))
        """By side, how far the other side's time may be from its own."""
        self._watermark = MIN_WATERMARK

    def process(self, batch: Batch, side: int) -> list[Emission]:
        times = times_of(self._operator, "between", batch)
        # ``IntervalJoinOperator.isLate`` is ``timestamp < currentWatermark``: a row at the
        # watermark itself is in time, where windows call a record late whose window ends there.
        in_time: Bools = times >= self._watermark
        if not in_time.all():
            batch, times = batch.filter(in_time), times[in_time]
        if not len(batch):
            return []
        places = self._keys.of(batch, self._plan.keys[side])
        emissions = self._pairs(batch, places, times, side)
        self._buffered[side].add(batch, places, times)
        self._sorted[side] = False
        return emissions

    def _pairs(self, batch: Batch, places: Longs, times: Longs, side: int) -> list[Emission]:
        other_buffered_rows = self._buffered[1 - side]
        if not other_buffered_rows:
            return []
        if not self._sorted[1 - side]:
            other_buffered_rows.sort()
            self._sorted[1 - side] = True
        theirs, their_places, their_times = other_buffered_rows.all()
        lower, upper = self._bounds[side]
        starts, stops = _ranges(
            their_places, their_times, places, later(times, lower), later(times, upper)
        )
        counts = stops - starts
        total = int(counts.sum())
        if total > _PAIRS_AT_ONCE and len(batch) > 1:
            raise BatchTooLargeError
        if not total:
            return []
        mine, array = np.repeat(np.arange(len(batch)), counts), positions(starts, counts)
        pair = (batch.take(mine), theirs.take(array))
        # ``IntervalJoinOperator.collect`` gives a pair the later of both timestamps: the earlier
        # one would be late behind the next window.
        highest = np.maximum(times[mine], their_times[array])
        first, second = pair if side == 0 else pair[::-1]
        origins = None if first.origins is None else first.origins.joined(second.origins)
        columns = (*first.columns, *second.columns)
        return [(None, self._plan.emit(self._operator, columns, highest, origins))]

    def advance(self, time: int, side: int) -> list[Emission]:
        """Remove the rows with which no row in time can be joined any more; emit nothing."""
        self._watermark = max(self._watermark, time)
        buffered = self._buffered[side]
        buffered.keep(later(buffered.times, max(self._bounds[side][1], 0)) > self._watermark)
        return []


def _ranges(
    places: Longs, times: Longs, wanted_array: Longs, first: Longs, last: Longs
) -> tuple[Longs, Longs]:
    """Find the rows of each wanted place and time span among rows sorted by place and time.

    Times are replaced by their ranks, so that place and time fit one number.
    """
    array = np.unique(times)
    width = len(array) + 1
    sorted_codes = places * width + np.searchsorted(array, times)
    low = wanted_array * width + np.searchsorted(array, first, side="left")
    high = wanted_array * width + np.searchsorted(array, last, side="right")
    return np.searchsorted(sorted_codes, low), np.searchsorted(sorted_codes, high)
