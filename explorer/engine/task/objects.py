"""Tracks records that share one object where Flink reuses objects.

Mirrors ``ChainingOutput.pushToOperator``, which hands on the reference where
``CopyingChainingOutput`` copies: when an operator changes a record, all later readers of the record
receive the change. Columns do not change, so the changed values are
stored separately, by the number of a record's object.
"""

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from explorer.engine.rows.batch import Batch, Longs

if TYPE_CHECKING:
    from explorer.model.row_type import RowType


class SharedObjects:
    """The objects of the records that pass through one task's chain."""

    def __init__(self) -> None:
        self._next = 0
        self._changed: dict[RowType, tuple[Longs, Batch]] = {}

    def fresh(self) -> None:
        """Forget old records before new records enter the chain."""
        self._changed.clear()

    def number(self, batch: Batch) -> Batch:
        """Return the records with a number for each object; new rows are new objects."""
        if batch.objects is not None:
            return batch
        first, self._next = self._next, self._next + len(batch)
        return batch.with_objects(np.arange(first, self._next, dtype=np.int64))

    def change(self, batch: Batch) -> None:
        """Store these records' values as the current values of their objects."""
        if batch.objects is None:
            return
        old_changed = self._changed.get(batch.row_type)
        if old_changed is None:
            self._changed[batch.row_type] = (batch.objects, batch)
            return
        retained = ~np.isin(old_changed[0], batch.objects)
        remaining_batch = old_changed[1].filter(retained)
        columns = tuple(
            pa.concat_arrays([old, new])
            for old, new in zip(remaining_batch.columns, batch.columns, strict=True)
        )
        numbers = np.concatenate([old_changed[0][retained], batch.objects])
        self._changed[batch.row_type] = (numbers, Batch(batch.row_type, columns))

    def current(self, batch: Batch) -> Batch:
        """Return the records with the current values of their objects."""
        changed = self._changed.get(batch.row_type)
        if changed is None or batch.objects is None:
            return batch
        numbers, values = changed
        order = np.argsort(numbers)
        places = np.clip(np.searchsorted(numbers[order], batch.objects), 0, len(numbers) - 1)
        hit = numbers[order][places] == batch.objects
        if not hit.any():
            return batch
        picked, mask = pa.array(order[places]), pa.array(hit)
        columns = tuple(
            pc.if_else(mask, new.take(picked), old)
            for new, old in zip(values.columns, batch.columns, strict=True)
        )
        return batch.with_columns(columns)
