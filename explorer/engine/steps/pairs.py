"""Pairs of the rows of both inputs in one window, or the number of these rows.

Mirrors ``JoinedStreams.JoinCoGroupFunction``, which pairs each row of the first input with each row
of the second, both in order of arrival, and similar functions of programs.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa

from explorer.engine.rows.batch import Batch, Longs
from explorer.engine.rows.origins import NOTHING, Origins, joined_ends
from explorer.engine.rows.ragged import positions
from explorer.engine.state.aggregate_state import KeyRows
from explorer.engine.state.aggregated_origins import AggregatedOrigins
from explorer.engine.state.keyed_state import Runs
from explorer.engine.steps.join import Join
from explorer.model.row_type import RowType

_PAIRS_AT_ONCE: Final = 1 << 20
_WITH_FIRST: Final = {"left_outer", "full_outer"}
_WITH_SECOND: Final = {"right_outer", "full_outer"}
"""The functions that emit a row of that input without a partner."""


class JoinSide(NamedTuple):
    """One input's rows of windows that fire, by window and in order of arrival."""

    rows: Batch
    windows: Longs
    """One a row: its window's number."""

    def with_absent(self, windows: Longs) -> tuple[Longs, Longs]:
        """Return positions of rows and their windows, and position -1 for each of ``windows``."""
        at = np.concatenate([np.arange(len(self.windows)), np.full(len(windows), -1)])
        mine = np.concatenate([self.windows, windows])
        order = np.argsort(mine, kind="stable")
        return at[order], mine[order]


class Fires(NamedTuple):
    """Windows that fire, in their order."""

    sides: tuple[JoinSide, JoinSide]
    places: Longs
    """By window its key's place."""
    ends: Longs

    @property
    def counts(self) -> list[Longs]:
        """By input and window, how many rows there are."""
        return [np.bincount(side.windows, minlength=len(self.ends)) for side in self.sides]


def pairs(operator: str, step: Join, function: str, fires: Fires) -> Iterator[Batch]:
    """Yield the pairs of each window by first row, with the window's last millisecond.

    ``function``: the kind of join, ``inner`` or an outer one.
    """
    join_side, other_join_side = fires.sides
    counts = fires.counts
    without_first = np.flatnonzero((counts[0] == 0) & (function in _WITH_SECOND))
    without_second = np.flatnonzero((counts[1] == 0) & (function in _WITH_FIRST))
    first, windows = join_side.with_absent(without_first)
    second, theirs = other_join_side.with_absent(without_second)
    partners = np.bincount(theirs, minlength=len(fires.ends))
    starts = np.cumsum(partners) - partners
    for part in _parts(partners[windows]):
        partners_of = partners[windows[part]]
        mine = np.repeat(np.arange(len(partners_of)), partners_of)
        array = positions(starts[windows[part]], partners_of)
        if len(mine):
            sides = (join_side.rows, first[part][mine]), (other_join_side.rows, second[array])
            # A position -1 stands for a row of NULLs.
            columns = tuple(
                column.take(pa.array(at, mask=at < 0))
                for rows, at in sides
                for column in rows.columns
            )
            # ``WindowOperator`` emits with ``TimeWindow.maxTimestamp``, one below the end: with the
            # end itself the row would fall into the next window downstream.
            times = fires.ends[windows[part][mine]] - 1
            yield step.emit(operator, columns, times, _origins(*sides[0], *sides[1]))


def _parts(counts: Longs) -> Iterator[slice]:
    """Divide first rows into parts with a limited number of pairs each."""
    ends = np.cumsum(counts)
    start = 0
    while start < len(counts):
        previous = int(ends[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, previous + _PAIRS_AT_ONCE, side="right")))
        yield slice(start, stop)
        start = stop


def _origins(batch: Batch, first: Longs, other_batch: Batch, second: Longs) -> Origins | None:
    """Join the origins of the two rows of each pair."""
    if batch.origins is None or other_batch.origins is None:
        return None
    # Position -1, an absent row, reads the appended number.
    mine = np.append(batch.origins.numbers, NOTHING)[first]
    theirs = np.append(other_batch.origins.numbers, NOTHING)[second]
    array = np.where(mine == NOTHING, theirs, mine)
    descent = batch.origins.descent
    return Origins(descent, descent.add(array, np.where(mine == NOTHING, NOTHING, theirs)))


def counts(row_type: RowType, fires: Fires, keys: KeyRows) -> Batch:
    """Return a row for each window: its key and the number of rows of each input."""
    columns = (*keys.at(fires.places), *map(pa.array, fires.counts))
    aggregated = AggregatedOrigins()
    traced = joined_ends([side.rows.origins for side in fires.sides])
    aggregated.roll(traced, Runs.of(np.concatenate([side.windows for side in fires.sides])))
    origins = aggregated.of(np.arange(len(fires.ends)))
    return Batch(row_type, columns, fires.ends - 1, origins)
