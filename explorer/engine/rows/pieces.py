"""Cuts rows into pieces that fit a frame, and refuses a row that is too large."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from explorer.engine.rows.batch import Batch, Longs
from explorer.engine.rows.errors import RowError
from explorer.engine.rows.sizes import BATCH_BYTES, ROW_BYTES


def pieces(operator: str, batch: Batch) -> Iterator[Batch]:
    """Yield the records of a batch in pieces; raises ``RowError`` for a row that is too large.

    Nothing is copied; of a batch that is small enough, as most are, only the size is computed.
    """
    if batch.nbytes() <= BATCH_BYTES:
        yield batch
        return
    sizes = row_bytes(batch)
    largest = int(np.argmax(sizes))
    if sizes[largest] > ROW_BYTES:
        reason = f"the row takes {sizes[largest]:,} bytes, and {ROW_BYTES:,} are allowed"
        raise RowError(operator, "the row that it gives", "", batch.row(largest), reason)
    ends = np.cumsum(sizes)
    start, previous = 0, 0
    while start < len(batch):
        stop = max(start + 1, int(np.searchsorted(ends, previous + BATCH_BYTES, side="right")))
        yield batch.slice(start, stop)
        start, previous = stop, int(ends[stop - 1])


def fitting(batch: Batch, size: int) -> Batch:
    """Return as many of the first records as fit ``size`` bytes."""
    if batch.nbytes() <= size:
        return batch
    ends = np.cumsum(row_bytes(batch))
    return batch.slice(0, int(np.searchsorted(ends, size, side="right")))


def row_bytes(batch: Batch) -> Longs:
    """Estimate the bytes of each record."""
    sizes = np.zeros(len(batch), np.int64)
    for column in batch.columns:
        if pa.types.is_string(column.type):
            sizes += pc.fill_null(pc.binary_length(column), 0).to_numpy(zero_copy_only=False)
        else:
            sizes += column.type.bit_width // 8
    return sizes
