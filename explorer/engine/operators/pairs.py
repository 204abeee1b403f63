"""Pairs of the rows that both inputs have in one window, or the number of these rows.

Mirrors ``JoinedStreams.JoinCoGroupFunction``, which pairs each row of the first input with each one
of the second, both in the order in which they came, and functions of programs that do about that.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple, Protocol

import numpy as np
import pyarrow as pa

from explorer.engine.operators.aggregate_state import KeyRows
from explorer.engine.operators.aggregated_origins import AggregatedOrigins
from explorer.engine.operators.keyed_state import Runs
from explorer.engine.operators.step_work import SelectStep, selected
from explorer.engine.rows.batch import Batch, Longs
from explorer.engine.rows.origins import NOTHING, Origins, joined_ends
from explorer.engine.rows.ragged import positions
from explorer.model.row_type import RowType

_PAIRS_AT_ONCE: Final = 1 << 20
_WITH_FIRST: Final = {"left_outer", "full_outer"}
_WITH_SECOND: Final = {"right_outer", "full_outer"}
"""The functions for which a row of that input needs no partner."""


class Pairing(SelectStep, Protocol):
    """A join over windows."""

    @property
    def function(self) -> str:
        """The pairs that it emits, or ``count``."""

    @property
    def joined(self) -> RowType:
        """The columns of both rows."""


class JoinSide(NamedTuple):
    """One input's rows of windows that fire, window by window and each in the order they came."""

    rows: Batch
    windows: Longs
    """One a row: its window's number."""

    def with_absent(self, windows: Longs) -> "tuple[Longs, Longs]":
        """Positions among the rows and their windows, with a position -1 for each window named."""
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


def pairs(operator: str, step: Pairing, fires: Fires) -> Iterator[Batch]:
    """The pairs of each window, first row by first row, with the window's last millisecond."""
    one, other = fires.sides
    counts = fires.counts
    without_first = np.flatnonzero((counts[0] == 0) & (step.function in _WITH_SECOND))
    without_second = np.flatnonzero((counts[1] == 0) & (step.function in _WITH_FIRST))
    first, windows = one.with_absent(without_first)
    second, theirs = other.with_absent(without_second)
    partners = np.bincount(theirs, minlength=len(fires.ends))
    starts = np.cumsum(partners) - partners
    for part in _parts(partners[windows]):
        partners_of = partners[windows[part]]
        mine = np.repeat(np.arange(len(partners_of)), partners_of)
        found = positions(starts[windows[part]], partners_of)
        if len(mine):
            ends = fires.ends[windows[part][mine]]
            both = _joined(one.rows, first[part][mine], other.rows, second[found], step.joined)
            timed = both.with_timestamps(ends - 1)
            yield selected(operator, step, timed)


def _parts(counts: Longs) -> Iterator[slice]:
    """First rows, as many at once as their pairs fit."""
    ends = np.cumsum(counts)
    start = 0
    while start < len(counts):
        before = int(ends[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + _PAIRS_AT_ONCE, side="right")))
        yield slice(start, stop)
        start = stop


def _joined(one: Batch, first: Longs, other: Batch, second: Longs, joined: RowType) -> Batch:
    """Rows side by side; a position -1 stands for a row of NULLs."""
    columns = [
        column.take(pa.array(positions, mask=positions < 0))
        for rows, positions in ((one, first), (other, second))
        for column in rows.columns
    ]
    return Batch(joined, tuple(columns), None, _origins(one, first, other, second))


def _origins(one: Batch, first: Longs, other: Batch, second: Longs) -> Origins | None:
    """The origins of the two rows of each pair."""
    if one.origins is None or other.origins is None:
        return None
    # A row that is absent is none of the numbers.
    mine = np.append(one.origins.numbers, NOTHING)[first]
    theirs = np.append(other.origins.numbers, NOTHING)[second]
    here = np.where(mine == NOTHING, theirs, mine)
    descent = one.origins.descent
    return Origins(descent, descent.add(here, np.where(mine == NOTHING, NOTHING, theirs)))


def counts(step: Pairing, fires: Fires, keys: KeyRows) -> Batch:
    """By window its key, and how many rows each input has in it."""
    columns = (*keys.at(fires.places), *map(pa.array, fires.counts))
    aggregated = AggregatedOrigins()
    traced = joined_ends([side.rows.origins for side in fires.sides])
    aggregated.roll(traced, Runs.of(np.concatenate([side.windows for side in fires.sides])))
    origins = aggregated.of(np.arange(len(fires.ends)))
    return Batch(step.row_type, columns, fires.ends - 1, origins)
