"""Appends a running aggregate of its key to each row: the state shapes ``count`` and ``total``.

Mirrors ``KeyedProcessOperator`` over a function with a ``ValueState``.
"""

from typing import ClassVar, Literal

from explorer.engine.rows.batch import Batch
from explorer.engine.state.aggregate_state import Aggregates
from explorer.engine.state.aggregates import Aggregate
from explorer.engine.state.keyed_state import KeyedPlaces, Runs
from explorer.engine.steps.keyed import KeyedStep, ShapedState, by_keys, extended
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import Emission, SubtaskContext, Waitless
from explorer.model.row_type import RowType


class RunningColumn(KeyedStep, Step, frozen=True, kw_only=True):
    """Emit every row with its key's aggregate so far appended."""

    verb: ClassVar = "adds it up"
    traits = Traits(order_sensitive=True, emits_each=True, rolls=True)
    aggregate: Aggregate

    def work(self, operator: str, row_type: RowType, share: SubtaskContext) -> "RunningColumnWork":
        return RunningColumnWork(self, row_type)

    def explain_emission(self, emitted: Emitted) -> str:
        return f"It puts the key's {self.aggregate.function} so far behind the row{by_keys(self)}."


def plan_count(state: ShapedState) -> RunningColumn:
    """Plan the number of rows of each key."""
    return _plan(state, "count", None)


def plan_total(state: ShapedState) -> RunningColumn:
    """Plan the sum of a column by key."""
    return _plan(state, "sum", state.number)


def _plan(
    state: ShapedState, function: Literal["count", "sum"], column: int | None
) -> RunningColumn:
    name = state.row_type.names[-1]
    aggregate = Aggregate(name=name, function=function, column=column)
    return RunningColumn(keys=state.keys, aggregate=aggregate, row_type=state.row_type)


class RunningColumnWork(Waitless):
    """Stores the aggregate of each key."""

    def __init__(self, step: RunningColumn, input_type: RowType) -> None:
        self._plan, self._keys = step, KeyedPlaces()
        self._aggregates = Aggregates((step.aggregate,), input_type)

    def process(self, batch: Batch) -> list[Emission]:
        runs = Runs.of(self._keys.of(batch, self._plan.keys))
        (rolled,), origins = self._aggregates.roll(batch, runs)
        result = extended(batch, self._plan.row_type, rolled)
        return [(None, result.with_origins(origins))]
