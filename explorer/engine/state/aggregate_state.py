"""Aggregates and keys of open windows of all kinds."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa

from explorer.engine.rows.batch import Batch, Bools, Column, Longs
from explorer.engine.rows.origins import Origins, joined_ends
from explorer.engine.state.accumulators import Accumulator, accumulator
from explorer.engine.state.aggregated_origins import AggregatedOrigins
from explorer.engine.state.aggregates import Aggregate
from explorer.engine.state.keyed_state import KeyedPlaces, Runs
from explorer.model.row_type import LONG, RowType

_AT_ONCE: Final = 1 << 20
"""Limit of records times windows that are processed together."""


def at_once(size: int, slide: int) -> int:
    """Return how many records to process together; each is in ``size / slide`` windows."""
    return max(1, _AT_ONCE // -(-size // slide))


class Fired(NamedTuple):
    """Windows that emit one row each."""

    places: Longs
    """The places of their keys."""
    starts: Longs
    ends: Longs
    aggregates: list[Column]
    origins: Origins | None


class Added(NamedTuple):
    """The result of adding records to windows."""

    late: Bools
    """The records that no window accepted."""
    fired: Fired | None = None
    """Windows past their end, retained for late records: each late record makes them fire again."""


def joined_fired(fired: Sequence[Fired]) -> Fired | None:
    """Concatenate windows in the order in which they fired."""
    if len(fired) <= 1:
        return fired[0] if fired else None
    places, starts, ends = (np.concatenate(part) for part in list(zip(*fired, strict=True))[:3])
    columns = zip(*(item.aggregates for item in fired), strict=True)
    values = [pa.concat_arrays(parts) for parts in columns]
    return Fired(places, starts, ends, values, joined_ends([one.origins for one in fired]))


class KeyRows:
    """Assigns each key a place and stores the key's columns by place."""

    def __init__(self) -> None:
        self._keys = KeyedPlaces()
        self._rows: list[tuple[Column, ...]] = []

    def of(self, batch: Batch, keys: Sequence[int]) -> Longs:
        """Return each record's place by its key's columns; without columns all have the same."""
        known = len(self._keys)
        places = self._keys.of(batch, keys)
        if len(self._keys) > known:
            fresh = Runs.of(places).first_of_new(known)
            self._rows.append(tuple(batch.columns[key].take(pa.array(fresh)) for key in keys))
        return places

    def at(self, places: Longs) -> list[Column]:
        if len(self._rows) > 1:
            self._rows = [tuple(pa.concat_arrays(p) for p in zip(*self._rows, strict=True))]
        picked = pa.array(places)
        return [column.take(picked) for row in self._rows for column in row]


class Aggregates:
    """An accumulator for each aggregate, by slot: the number of a key, or of a window of a key."""

    def __init__(self, aggregates: tuple[Aggregate, ...], input_type: RowType) -> None:
        self._columns = [aggregate.column for aggregate in aggregates]
        self._accumulators: list[Accumulator] = [
            accumulator(
                aggregate.function,
                LONG if aggregate.column is None else input_type.types[aggregate.column],
            )
            for aggregate in aggregates
        ]
        self._origins = AggregatedOrigins()

    def roll(self, batch: Batch, runs: Runs) -> tuple[list[Column], Origins | None]:
        """Fold records into their slots; return the aggregates after each record."""
        rolled = [
            item.roll(None if column is None else batch.columns[column], runs)
            for column, item in zip(self._columns, self._accumulators, strict=True)
        ]
        return rolled, self._origins.roll(batch.origins, runs)

    def values(self, slots: Longs) -> list[Column]:
        return [item.values(slots) for item in self._accumulators]

    def origins(self, slots: Longs) -> Origins | None:
        return self._origins.of(slots)

    def forget(self, slots: Longs) -> None:
        for item in self._accumulators:
            item.forget(slots)
        self._origins.forget(slots)
