"""Appends the previous value of its key to each row: the state shape ``last``.

Mirrors ``KeyedProcessOperator`` over a function with a ``ValueState``.
"""

from typing import ClassVar

import numpy as np
import pyarrow as pa

from explorer.engine.rows.batch import Batch, Column, Longs
from explorer.engine.rows.origins import NOTHING, Origins
from explorer.engine.state.accumulators import grown
from explorer.engine.state.keyed_state import KeyedPlaces, Runs
from explorer.engine.steps.keyed import KeyedStep, ShapedState, by_keys, extended
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import Emission, SubtaskContext, Waitless
from explorer.model.row_type import RowType


class PreviousValue(KeyedStep, Step, frozen=True, kw_only=True):
    """Emit every row with a column's value in the key's previous row appended."""

    verb: ClassVar = "looks back from it"
    traits = Traits(order_sensitive=True, emits_each=True)
    column: int

    def work(self, operator: str, row_type: RowType, share: SubtaskContext) -> "PreviousValueWork":
        return PreviousValueWork(self)

    def explain_emission(self, emitted: Emitted) -> str:
        return f"It puts the value that the key's row before had behind the row{by_keys(self)}."


def plan_shape(state: ShapedState) -> PreviousValue:
    """Plan the previous value of the state's column."""
    return PreviousValue(keys=state.keys, column=state.column, row_type=state.row_type)


class PreviousValueWork(Waitless):
    """Stores a column's value in the newest row of each key; it is NULL before the first."""

    def __init__(self, step: PreviousValue) -> None:
        self._plan, self._keys = step, KeyedPlaces()
        self._last: Column | None = None
        """By place the value of the key's newest row."""
        self._origins = np.empty(0, np.int64)
        """By place the number of that row, where the run is traced."""

    def process(self, batch: Batch) -> list[Emission]:
        runs = Runs.of(self._keys.of(batch, self._plan.keys))
        values = batch.columns[self._plan.column]
        known = 0 if self._last is None else len(self._last)
        more = len(self._keys) - known
        nulls = pa.nulls(more, values.type)
        retained = nulls if self._last is None else pa.concat_arrays([self._last, nulls])
        every = pa.concat_arrays([retained, values])
        old_array = np.empty(len(batch), np.int64)
        old_array[1:] = len(retained) + runs.order[:-1]
        old_array[runs.starts] = runs.places
        newest = np.arange(len(retained))
        newest[runs.places] = len(retained) + runs.order[runs.ends]
        self._last = every.take(pa.array(newest))
        places = runs.back(old_array)
        result = extended(batch, self._plan.row_type, every.take(pa.array(places)))
        return [(None, result.with_origins(self._trace_origins(batch.origins, places, newest)))]

    def _trace_origins(
        self, origins: Origins | None, old_array: Longs, newest: Longs
    ) -> Origins | None:
        """The origins of each row: itself and the one before it; places as in ``process``."""
        if origins is None:
            return None
        retained = grown(self._origins, len(newest), NOTHING)[: len(newest)]
        every = np.concatenate([retained, origins.numbers])
        self._origins = every[newest]
        return origins.joined(Origins(origins.descent, every[old_array]))
