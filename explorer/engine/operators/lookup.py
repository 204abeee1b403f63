"""Rows of a first input, each with the newest row of the second that has the same key.

Mirrors ``KeyedCoProcessOperator`` over a function that keeps the second input's row in a
``ValueState``, and ``CoBroadcastWithKeyedOperator`` and its like over one with a broadcast
``MapState``. Flink takes both inputs as they come; a trial takes the second one first.
"""

import pyarrow as pa

from explorer.engine import plan
from explorer.engine.operators.keyed_state import KeyedPlaces, Runs
from explorer.engine.operators.latest_rows import LatestRows
from explorer.engine.operators.step import Emission, selected
from explorer.engine.rows.batch import ARROW, Batch, Column, Longs


class Lookup:
    """The second input's newest row of each key, which those of the first ask for."""

    def __init__(self, operator: str, step: plan.Lookup) -> None:
        self._operator, self._plan = operator, step
        self._keys, self._rows = KeyedPlaces(), LatestRows()

    def process(self, batch: Batch, side: int) -> list[Emission]:
        """Hand on the first input's rows with what is known of their key; keep the second's."""
        places = self._keys.of(batch, self._plan.keys[side])
        if side == 0:
            return [(None, self._answered(batch, places))]
        runs = Runs.of(places)
        self._rows.put(batch.take(runs.order[runs.ends]), runs.places)
        return []

    def advance(self, time: int, side: int) -> list[Emission]:  # noqa: ARG002 - nothing waits
        """Nothing waits for a watermark."""
        return []

    def _answered(self, batch: Batch, places: Longs) -> Batch:
        """Every row, with the columns of the second input's behind its own."""
        found = self._rows.columns(places) or self._nothing(len(batch))
        origins = self._rows.traced(batch.origins, places)
        columns = (*batch.columns, *found)
        both = Batch(self._plan.joined, columns, batch.timestamps, origins)
        return selected(self._operator, self._plan, both)

    def _nothing(self, count: int) -> tuple[Column, ...]:
        kinds = self._plan.joined.types[len(self._plan.joined.types) - self._plan.added :]
        return tuple(pa.nulls(count, ARROW[kind]) for kind in kinds)
