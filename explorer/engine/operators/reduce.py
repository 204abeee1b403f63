"""A rolling aggregate by key: one updated row out for each row in.

Mirrors ``StreamGroupedReduceOperator``, and ``BatchGroupedReduceOperator`` where only the last row
of each key goes on.
"""

import numpy as np
import pyarrow as pa

from explorer.engine import plan
from explorer.engine.operators.accumulators import Accumulator, accumulator
from explorer.engine.operators.kept_origins import KeptOrigins
from explorer.engine.operators.keyed_state import KeyedPlaces, Runs
from explorer.engine.operators.step import MAX_WATERMARK, Emission
from explorer.engine.rows.batch import Batch, Column, Longs


class Reduce:
    """Keeps, for each key, its first row with the aggregated columns brought up to date."""

    def __init__(self, step: plan.Reduce) -> None:
        self._plan = step
        self._keys = KeyedPlaces()
        self._aggregates: dict[int, tuple[plan.Aggregate, Accumulator]] = {
            step.row_type.index(one.name): (
                one,
                accumulator(one.function, step.row_type.types[one.column or 0]),
            )
            for one in step.aggregates
        }
        self._first: dict[int, Column] = {}
        self._origins = KeptOrigins()

    def process(self, batch: Batch) -> list[Emission]:
        """The updated row for each row, unless only the last of each key is wanted."""
        known = len(self._keys)
        places = self._keys.of(batch, self._plan.keys)
        runs = Runs.of(places)
        fresh = runs.first_of_new(known)
        columns = tuple(
            self._column(place, batch, runs, places, fresh) for place in range(len(batch.columns))
        )
        origins = self._origins.roll(batch.origins, runs)
        if self._plan.final_only:
            return []
        return [(None, Batch(batch.row_type, columns, batch.timestamps, origins))]

    def _column(self, place: int, batch: Batch, runs: Runs, places: Longs, fresh: Longs) -> Column:
        """One column after the update; ``fresh`` are the first records of new keys, by place."""
        column = batch.columns[place]
        if place in self._aggregates:
            aggregate, kept = self._aggregates[place]
            return kept.roll(batch.columns[aggregate.column or 0], runs)
        if place in self._plan.keys and not self._plan.final_only:
            return column
        first = self._first.get(place)
        new = column.take(pa.array(fresh))
        first = new if first is None else pa.concat_arrays([first, new])
        self._first[place] = first
        return first.take(pa.array(places))

    def advance(self, time: int) -> list[Emission]:
        """At the end, the last row of each key where only that is wanted."""
        if not self._plan.final_only or time != MAX_WATERMARK or not len(self._keys):
            return []
        places = np.arange(len(self._keys))
        columns = tuple(
            self._aggregates[place][1].values(places)
            if place in self._aggregates
            else self._first[place]
            for place in range(len(self._plan.row_type.names))
        )
        times = np.full(len(places), MAX_WATERMARK, np.int64)
        return [(None, Batch(self._plan.row_type, columns, times, self._origins.of(places)))]
