"""Aggregates of all rows of a key, or of a subtask, emitted when the input has ended.

Mirrors ``GlobalWindows`` with ``EndOfStreamTrigger``, ``PartitionAggregateOperator`` and
``PartitionReduceOperator``. A subtask without rows emits none.
"""

from typing import ClassVar

import numpy as np

from explorer.engine.rows.batch import Batch
from explorer.engine.state.aggregate_state import Aggregates, KeyRows
from explorer.engine.state.aggregates import Aggregate
from explorer.engine.state.keyed_state import Runs
from explorer.engine.steps.keyed import KeyedStep, by_functions, by_keys
from explorer.engine.steps.planned import Outcome, PlanningRequest
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import MAX_WATERMARK, Emission, SubtaskContext
from explorer.engine.steps.window_plans import window_keys
from explorer.flink.kinds import KINDS
from explorer.java_numbers import LONG_MAX
from explorer.model.row_type import RowType


class EndAggregate(KeyedStep, Step, frozen=True, kw_only=True):
    """Aggregate all rows of a key, or of the subtask without ``keys``, at the end of the input."""

    verb: ClassVar = "waits for the end of the input"
    traits = Traits(order_sensitive=True, emits_each=False)
    aggregates: tuple[Aggregate, ...]
    in_window: bool
    """Whether a row has the last timestamp of its window; else it has none."""

    def work(self, operator: str, row_type: RowType, share: SubtaskContext) -> "EndAggregateWork":
        return EndAggregateWork(self, row_type)

    def explain_emission(self, emitted: Emitted) -> str:
        return (
            f"It aggregates all rows{by_keys(self) or ' of the subtask'} when the input has ended: "
            f"{by_functions(self, self.aggregates)}."
        )

    def explain_silence(self) -> str:
        return ""  # Every row is part of an emitted one.


def plan_end_aggregate(request: PlanningRequest) -> Outcome:
    """Plan the aggregates of all rows."""
    steps = [
        EndAggregate(
            keys=window_keys(request, arriving),
            aggregates=request.aggregates(arriving),
            row_type=request.given_type(arriving),
            in_window=KINDS[request.t.type].key_selector != "none",
        )
        for arriving in request.arriving
    ]
    return request.each(steps)


class EndAggregateWork:
    """Stores the aggregates of every key until the last watermark."""

    def __init__(self, step: EndAggregate, input_type: RowType) -> None:
        self._plan = step
        self._keys = KeyRows()
        self._aggregates = Aggregates(step.aggregates, input_type)
        self._count = 0
        """Keys so far; the places of keys count up from 0."""

    def process(self, batch: Batch) -> list[Emission]:
        places = self._keys.of(batch, self._plan.keys)
        self._aggregates.roll(batch, Runs.of(places))
        self._count = max(self._count, int(places.max(initial=-1)) + 1)
        return []

    def advance(self, time: int) -> list[Emission]:
        """Emit one row for each key, in the order of their first rows, when the input has ended."""
        if time < MAX_WATERMARK or not self._count:
            return []
        places = np.arange(self._count)
        columns = (*self._keys.at(places), *self._aggregates.values(places))
        origins = self._aggregates.origins(places)
        # ``GlobalWindow.maxTimestamp``
        times = np.full(self._count, LONG_MAX) if self._plan.in_window else None
        self._count = 0
        return [(None, Batch(self._plan.row_type, columns, times, origins))]
