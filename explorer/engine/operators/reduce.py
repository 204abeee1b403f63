"""A rolling aggregate by key: one updated row for each row.

Mirrors ``StreamGroupedReduceOperator``, and ``BatchGroupedReduceOperator`` where only the last row
of each key is emitted.
"""

from typing import ClassVar

import numpy as np
import pyarrow as pa

from explorer.engine.rows.batch import Batch, Column
from explorer.engine.rows.errors import ExpressionError
from explorer.engine.state.aggregate_state import Aggregates
from explorer.engine.state.aggregates import Aggregate
from explorer.engine.state.keyed_state import KeyedPlaces, Runs
from explorer.engine.steps.keyed import KeyedStep, by_functions
from explorer.engine.steps.planned import Arriving, Outcome, PlanningRequest
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import MAX_WATERMARK, Emission, SubtaskContext
from explorer.model.row_type import RowType


class Reduce(KeyedStep, Step, frozen=True, kw_only=True):
    """Retain one row by key and emit the updated row for each row."""

    verb: ClassVar = "adds it up"
    aggregates: tuple[Aggregate, ...]
    final_only: bool = False
    """In BATCH mode only the last row of each key is emitted, at the end."""

    @property
    def traits(self) -> Traits:
        final = self.final_only
        return Traits(order_sensitive=True, emits_each=not final, rolls=not final)

    def work(self, operator: str, row_type: RowType, share: SubtaskContext) -> "ReduceWork":
        return ReduceWork(self)

    def explain_emission(self, emitted: Emitted) -> str:
        return f"It stores one row for each key: {by_functions(self, self.aggregates)}."

    def explain_silence(self) -> str:
        return ""


def plan_operator(request: PlanningRequest) -> Outcome:
    """Plan the aggregate for each row type; without one, in STREAMING mode, rows are passed on."""
    if not request.t.aggregate and not request.context.batch:
        return Outcome()
    steps = [
        Reduce(
            keys=request.keys(arriving),
            aggregates=_aggregates(request, arriving),
            row_type=arriving.row_type,
            final_only=request.context.batch,
        )
        for arriving in request.arriving
    ]
    return request.each(steps)


def _aggregates(request: PlanningRequest, arriving: Arriving) -> tuple[Aggregate, ...]:
    """Read the aggregates of a reduce, which emits rows of the type that it reads."""
    aggregates, row_type = request.aggregates(arriving, count=False), arriving.row_type
    for aggregate in aggregates:
        if aggregate.name not in row_type.names:
            problem = (
                "a reduce gives back the row that it takes, which has no column "
                f"{aggregate.name!r}; its columns are {row_type}; add the column in a map before"
            )
        elif (kind := row_type.types[row_type.index(aggregate.name)]) is not row_type.types[
            aggregate.column or 0
        ]:
            problem = f"column {aggregate.name!r} is {kind} and cannot hold it"
        else:
            continue
        texts, place = request.t.aggregate or {}, request.where(f"aggregate.{aggregate.name}")
        raise ExpressionError(place, texts[aggregate.name], problem)
    return aggregates


class ReduceWork:
    """Stores, for each key, its first row with the aggregated columns updated."""

    def __init__(self, step: Reduce) -> None:
        self._plan = step
        self._keys = KeyedPlaces()
        self._aggregates = Aggregates(step.aggregates, step.row_type)
        self._aggregated = [step.row_type.index(item.name) for item in step.aggregates]
        """The position of the column of each aggregate."""
        self._first: dict[int, Column] = {}
        """By column the value in the first row of each key."""

    def process(self, batch: Batch) -> list[Emission]:
        known = len(self._keys)
        places = self._keys.of(batch, self._plan.keys)
        runs = Runs.of(places)
        fresh = pa.array(runs.first_of_new(known))
        rolled, origins = self._aggregates.roll(batch, runs)
        columns = list(batch.columns)
        for at, column in zip(self._aggregated, rolled, strict=True):
            columns[at] = column
        final = self._plan.final_only
        # ``StreamGroupedReduceOperator`` gives the function the stored row first: columns that it
        # does not aggregate are those of the key's first row, not of the latest.
        computed = set(self._aggregated) | (set() if final else set(self._plan.keys))
        for at, column in enumerate(batch.columns):
            if at not in computed:
                new = column.take(fresh)
                first = pa.concat_arrays([self._first[at], new]) if at in self._first else new
                self._first[at], columns[at] = first, first.take(pa.array(places))
        if final:
            return []
        return [(None, Batch(batch.row_type, tuple(columns), batch.timestamps, origins))]

    def advance(self, time: int) -> list[Emission]:
        """Emit the last row of each key at the end, where only that is emitted."""
        if not self._plan.final_only or time != MAX_WATERMARK or not len(self._keys):
            return []
        places = np.arange(len(self._keys))
        columns = self._first | dict(
            zip(self._aggregated, self._aggregates.values(places), strict=True)
        )
        ordered = tuple(columns[at] for at in range(len(columns)))
        # ``BatchGroupedReduceOperator.onEventTime`` runs by a timer at ``Long.MAX_VALUE``, whose
        # time the rows get.
        times = np.full(len(places), MAX_WATERMARK, np.int64)
        origins = self._aggregates.origins(places)
        return [(None, Batch(self._plan.row_type, ordered, times, origins))]
