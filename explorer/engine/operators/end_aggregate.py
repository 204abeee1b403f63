"""Aggregates over all rows of a key, or of a subtask, that go on when the input has ended.

Mirrors ``GlobalWindows`` with ``EndOfStreamTrigger``, ``PartitionAggregateOperator`` and
``PartitionReduceOperator``. A subtask without rows gives none.
"""

import numpy as np

from explorer.engine import plan
from explorer.engine.operators.step import MAX_WATERMARK, Emission
from explorer.engine.operators.window_aggregates import Aggregates, KeyRows
from explorer.engine.rows.batch import Batch
from explorer.java_numbers import LONG_MAX
from explorer.model.row_type import RowType


class EndAggregate:
    """Keeps the aggregates of every key until the last watermark."""

    def __init__(self, step: plan.EndAggregate, input_type: RowType) -> None:
        self._plan = step
        self._keys = KeyRows()
        self._aggregates = Aggregates(step.aggregates, input_type)
        self._count = 0
        """Keys so far; the places of keys count up from 0."""

    def process(self, batch: Batch) -> list[Emission]:
        """Fold the rows into their keys; no row goes on."""
        places = self._keys.of(batch, self._plan.keys)
        self._aggregates.fold(batch, places)
        self._count = max(self._count, int(places.max(initial=-1)) + 1)
        return []

    def advance(self, time: int) -> list[Emission]:
        """One row for each key, in the order of their first rows, when the input has ended."""
        if time < MAX_WATERMARK or not self._count:
            return []
        places = np.arange(self._count)
        columns = (*self._keys.at(places), *self._aggregates.values(places))
        origins = self._aggregates.origins(places)
        # ``GlobalWindow.maxTimestamp``
        times = np.full(self._count, LONG_MAX) if self._plan.in_window else None
        self._count = 0
        return [(None, Batch(self._plan.row_type, columns, times, origins))]
