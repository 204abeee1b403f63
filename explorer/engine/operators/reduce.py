"""A rolling aggregate by key: one updated row for each row.

Mirrors ``StreamGroupedReduceOperator``, and ``BatchGroupedReduceOperator`` where only the last row
of each key is emitted.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
import pyarrow as pa

from explorer.engine.operators.accumulators import Accumulator, accumulator
from explorer.engine.operators.aggregated_origins import AggregatedOrigins
from explorer.engine.operators.aggregates import Aggregate, aggregates, key_positions
from explorer.engine.operators.keyed import KeyedStep, by_functions
from explorer.engine.operators.keyed_state import KeyedPlaces, Runs
from explorer.engine.operators.planned import Arriving, Outcome, PlanningContext, each, where
from explorer.engine.operators.step import Emitted, Step, Traits
from explorer.engine.operators.step_work import MAX_WATERMARK, Emission, Share
from explorer.engine.rows.batch import Batch, Column, Longs
from explorer.engine.rows.errors import ExpressionError
from explorer.model.pipeline import Transformation
from explorer.model.row_type import RowType


class Reduce(KeyedStep, Step, frozen=True, kw_only=True):
    """Retain one row by key and emit the updated row for each row."""

    verb: ClassVar = "adds it up"
    aggregates: tuple[Aggregate, ...]
    final_only: bool = False
    """In BATCH mode only the last row of each key is emitted, at the end."""

    @property
    def traits(self) -> Traits:
        return Traits(
            order_sensitive=True,
            buffers=self.final_only,
            emits_each=not self.final_only,
            rolls=not self.final_only,
        )

    def work(self, operator: str, row_type: RowType, share: Share) -> "ReduceWork":
        return ReduceWork(self)

    def passed(self, emitted: Emitted) -> str:
        return f"It stores one row for each key: {by_functions(self, self.aggregates)}."

    def ended(self) -> str:
        return ""


def plan_operator(
    t: Transformation, arriving: Sequence[Arriving], setting: PlanningContext
) -> Outcome:
    """Plan the aggregate for each row type; without one, in STREAMING mode, rows are passed on."""
    if not t.aggregate and not setting.batch:
        return Outcome()
    texts = t.aggregate or {}

    def build(one: Arriving) -> Reduce:
        return Reduce(
            keys=key_positions(one.keys, one.row_type, where(t, "keys")),
            aggregates=_aggregates_of(texts, one.row_type, where(t, "aggregate")),
            row_type=one.row_type,
            final_only=setting.batch,
        )

    return each(arriving, [build(one) for one in arriving])


def _aggregates_of(
    texts: Mapping[str, str], row_type: RowType, where: str
) -> tuple[Aggregate, ...]:
    """Aggregates of a reduce, which gives back rows of the type that it reads."""
    found = aggregates(texts, row_type, where, count=False)
    for one in found:
        place = f"{where}.{one.name}"
        problem = _misfit(one, row_type)
        if problem:
            raise ExpressionError(place, texts[one.name], problem)
    return found


def _misfit(one: Aggregate, row_type: RowType) -> str:
    """Why a row cannot hold an aggregate; empty: it can."""
    if one.name not in row_type.names:
        return (
            f"a reduce gives back the row that it takes, which has no column {one.name!r}; its "
            f"columns are {row_type}; add the column in a map before"
        )
    kind = row_type.types[row_type.index(one.name)]
    if kind is not row_type.types[one.column or 0]:
        return f"column {one.name!r} is {kind} and cannot hold it"
    return ""


class ReduceWork:
    """Stores, for each key, its first row with the aggregated columns updated."""

    def __init__(self, step: Reduce) -> None:
        self._plan = step
        self._keys = KeyedPlaces()
        self._aggregates: dict[int, tuple[Aggregate, Accumulator]] = {
            step.row_type.index(one.name): (
                one,
                accumulator(one.function, step.row_type.types[one.column or 0]),
            )
            for one in step.aggregates
        }
        self._first: dict[int, Column] = {}
        self._origins = AggregatedOrigins()

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
            aggregate, accumulator = self._aggregates[place]
            return accumulator.roll(batch.columns[aggregate.column or 0], runs)
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
