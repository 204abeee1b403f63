"""Emits rows that are among their key's greatest so far: the state shape ``top``.

Mirrors ``KeyedProcessOperator`` over a function with a ``ListState``.
"""

from bisect import bisect_right
from typing import ClassVar

import numpy as np
import pyarrow as pa

from explorer.engine.rows.batch import Batch, values_and_nulls
from explorer.engine.state.accumulators import grown, in_order
from explorer.engine.state.keyed_state import KeyedPlaces
from explorer.engine.steps.keyed import KeyedStep, ShapedState, extended
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import Emission, SubtaskContext, Waitless
from explorer.model.row_type import RowType


class Greatest(KeyedStep, Step, frozen=True, kw_only=True):
    """Emit the rows that are among their key's greatest so far, with their rank appended."""

    verb: ClassVar = "ranks it"
    traits = Traits(order_sensitive=True, emits_each=False)
    column: int
    size: int

    def work(self, operator: str, row_type: RowType, share: SubtaskContext) -> "GreatestWork":
        return GreatestWork(self)

    def explain_emission(self, emitted: Emitted) -> str:
        return f"It is among its key's {self.size:,} greatest so far."

    def explain_silence(self) -> str:
        return f"It is not among its key's {self.size:,} greatest so far."


def plan_shape(state: ShapedState) -> Greatest:
    """Plan the ranks of the state's column, which must be a number."""
    column, size = state.number, state.state.size or 1
    return Greatest(keys=state.keys, column=column, size=size, row_type=state.row_type)


class GreatestWork(Waitless):
    """Stores each key's greatest numbers; of equal ones the earlier."""

    def __init__(self, step: Greatest) -> None:
        self._plan, self._keys = step, KeyedPlaces()
        self._ranked: list[list[int]] = []
        """By place the greatest numbers, negated: bisect needs ascending order."""
        self._least = np.empty(0, np.int64)
        """By place the number that a row must exceed; no bound until the list is full."""
        self._full = np.empty(0, np.bool_)

    def process(self, batch: Batch) -> list[Emission]:
        places = self._keys.of(batch, self._plan.keys)
        size = int(places.max(initial=-1)) + 1
        self._ranked += [[] for _ in range(size - len(self._ranked))]
        self._least = grown(self._least, size, 0)
        self._full = grown(self._full, size, filler=False)
        numbers, nulls = values_and_nulls(batch.columns[self._plan.column])
        ordered = in_order(numbers)
        may = ~self._full[places] | (ordered > self._least[places])
        candidates = np.flatnonzero(may if nulls is None else may & ~nulls)
        pairs = zip(places[candidates].tolist(), ordered[candidates].tolist(), strict=True)
        ranks = np.array([self._rank(place, value) for place, value in pairs], np.int64)
        in_top = ranks > 0
        if not in_top.any():
            return []
        greatest = batch.take(candidates[in_top])
        return [(None, extended(greatest, self._plan.row_type, pa.array(ranks[in_top])))]

    def _rank(self, place: int, value: int) -> int:
        """Rank a number in its key's list, from 1 on; 0: it is not among the greatest."""
        ranked, size = self._ranked[place], self._plan.size
        rank = bisect_right(ranked, -value)
        if rank >= size:
            return 0
        ranked.insert(rank, -value)
        del ranked[size:]
        if len(ranked) == size:
            self._full[place], self._least[place] = True, -ranked[-1]
        return rank + 1
