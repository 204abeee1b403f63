"""Emits the first row of each key or value: the state shape ``deduplicate``.

Mirrors ``KeyedProcessOperator`` over a function with a ``ValueState`` or a ``MapState``.
"""

from typing import ClassVar

import numpy as np

from explorer.engine.rows.batch import Batch
from explorer.engine.state.keyed_state import KeyedPlaces, Runs
from explorer.engine.steps.keyed import ShapedState
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import Emission, SubtaskContext, Waitless
from explorer.model.row_type import RowType


class FirstOnly(Step, frozen=True, kw_only=True):
    """Emit the first of all rows with the same values in some columns."""

    verb: ClassVar = "lets the first pass"
    traits = Traits(order_sensitive=True, emits_each=False)
    columns: tuple[int, ...]

    def work(self, operator: str, row_type: RowType, share: SubtaskContext) -> "FirstOnlyWork":
        return FirstOnlyWork(self)

    def explain_emission(self, emitted: Emitted) -> str:
        return "It is the first row with these values."

    def explain_silence(self) -> str:
        return "A row with the same values has come before."


def plan_shape(state: ShapedState) -> FirstOnly:
    """Plan the first row by key, or by key and the state's column."""
    more = () if state.state.column is None else (state.column,)
    return FirstOnly(columns=(*state.keys, *more))


class FirstOnlyWork(Waitless):
    """The first row of each key, or of each value within it."""

    def __init__(self, step: FirstOnly) -> None:
        self._plan, self._seen = step, KeyedPlaces()

    def process(self, batch: Batch) -> list[Emission]:
        known = len(self._seen)
        runs = Runs.of(self._seen.of(batch, self._plan.columns))
        first = np.sort(runs.first_of_new(known))
        return [(None, batch.take(first))] if len(first) else []
