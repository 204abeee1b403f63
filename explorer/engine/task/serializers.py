"""Serializes records to Flink's bytes.

Mirrors ``StreamElementSerializer``, ``RowSerializer``, ``StringValue.writeString``, the serializers
of the basic types, and the 4-byte length that ``RecordWriter.serializeRecord`` puts before each.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pyarrow as pa

from explorer.engine.rows.batch import Batch, Column, Longs
from explorer.engine.rows.field_bytes import field_bytes
from explorer.engine.rows.ragged import Bytes, Ragged, interleave, varint_widths
from explorer.engine.rows.utf16 import utf16

TAG_WITH_TIMESTAMP, TAG_WITHOUT, TAG_WATERMARK, TAG_LATENCY_MARKER, TAG_STATUS = range(5)
"""The first byte of a stream element; a trial never sends the last two."""
LENGTH_WIDTH: Final = 4
ROW_KIND_BITS: Final = 2
"""A row's mask begins with its ``RowKind``: 0 is INSERT."""
UNION_TAG_WIDTH: Final = 1
"""The input, 1 or 2, which ``CoGroupedStreams.UnionSerializer`` writes before a row."""
TAG_INTERNAL_WATERMARK: Final = 6
"""A watermark with its subpartition, for consumers that may read several."""
END_OF_DATA_SIZE, END_OF_PARTITION_SIZE = 5, 4
"""Bytes that ``EventSerializer`` writes for the two events that end a partition."""
_WIDTHS: Final = {pa.int64(): 8, pa.float64(): 8, pa.int32(): 4, pa.bool_(): 1}


def mask_width(arity: int) -> int:
    """Bytes of the row kind and the null bits of a row."""
    return (ROW_KIND_BITS + arity + 7) // 8


def row_bytes(columns: Sequence[Column]) -> Ragged:
    """Each record as ``RowSerializer`` writes it: a mask, then the fields that are not null."""
    # ``MaskUtils`` fills a byte from its highest bit on, like packbits; a null has no bytes.
    count = len(columns[0])
    bits = np.zeros((count, ROW_KIND_BITS + len(columns)), np.bool_)
    parts: list[Ragged] = []
    for place, column in enumerate(columns):
        part = field_bytes(column)
        if column.null_count:
            nulls = column.is_null().to_numpy(zero_copy_only=False)
            bits[:, ROW_KIND_BITS + place] = nulls
            part = part.keep(~nulls)
        parts.append(part)
    return interleave([Ragged.fixed(np.packbits(bits, axis=1)), *parts])


def value_bytes(batch: Batch) -> Ragged:
    """Each record's row, after the byte in which ``UnionSerializer`` names its input."""
    rows = row_bytes(batch.columns)
    if not batch.row_type.tag:
        return rows
    tags = np.full((len(batch), UNION_TAG_WIDTH), batch.row_type.tag, np.uint8)
    return interleave([Ragged.fixed(tags), rows])


def element_bytes(values: Ragged, timestamps: Longs | None) -> Ragged:
    """Records as stream elements: a tag, the timestamp if there is one, the value."""
    count = len(values.lengths)
    tag = TAG_WITHOUT if timestamps is None else TAG_WITH_TIMESTAMP
    head = np.full((count, 1), tag, np.uint8)
    if timestamps is not None:
        head = np.hstack([head, timestamps.astype(">i8").view(np.uint8).reshape(count, 8)])
    return interleave([Ragged.fixed(head), values])


def _framed_elements(batch: Batch) -> Ragged:
    """The records as elements in a channel's buffers, each after its length."""
    elements = element_bytes(value_bytes(batch), batch.timestamps)
    lengths = elements.lengths.astype(">u4").view(np.uint8).reshape(-1, LENGTH_WIDTH)
    return interleave([Ragged.fixed(lengths), elements])


def batch_bytes(batch: Batch) -> Bytes:
    """The bytes of the records in a channel's buffers."""
    return _framed_elements(batch).data


def batch_sizes(batch: Batch) -> Longs:
    """The bytes of each record in a channel's buffers, including its length."""
    return _framed_elements(batch).lengths


def batch_size(batch: Batch) -> int:
    """The length of ``batch_bytes``, computed without serializing.

    >>> from explorer.engine.rows.batch import from_rows
    >>> from explorer.model.row_type import LONG, STRING, RowType
    >>> batch_size(from_rows(RowType.of(word=STRING, n=LONG), [("the", 1)]))
    18
    """
    # ``RecordWriter.serializeRecord`` puts four bytes of length before each element, also in one
    # buffer.
    fixed = LENGTH_WIDTH + 1 + mask_width(len(batch.columns))
    if batch.row_type.tag:
        fixed += UNION_TAG_WIDTH
    if batch.timestamps is not None:
        fixed += 8
    return len(batch) * fixed + sum(field_size(column) for column in batch.columns)


def field_size(column: Column) -> int:
    """Serialized bytes of a column's values in all records together; a null has none."""
    # ``RowSerializer.serialize`` writes no byte for a null field; its bit in the mask says so.
    present = len(column) - int(column.null_count)
    if not pa.types.is_string(column.type):
        return present * _WIDTHS[column.type]
    result = utf16(column)
    # ``StringValue.writeString`` writes the length plus one, 0 standing for null: strings of 127
    # units have a head of two bytes. Each unit has 1, 2 or 3 bytes, and not those of UTF-8.
    heads = int(varint_widths(result.lengths + 1).sum()) - int(column.null_count)
    units = result.units.size if result.ascii else int(varint_widths(result.units).sum())
    return heads + units


def watermark_bytes(timestamp: int, subpartition: int | None = None) -> bytes:
    """A watermark as a stream element; with a subpartition, as an ``InternalWatermark``."""
    time = timestamp.to_bytes(8, "big", signed=True)
    if subpartition is None:
        return bytes([TAG_WATERMARK]) + time
    return bytes([TAG_INTERNAL_WATERMARK]) + subpartition.to_bytes(4, "big") + time


def status_bytes(*, active: bool) -> bytes:
    """A watermark status as a stream element."""
    # ``WatermarkStatus.ACTIVE_STATUS`` and ``IDLE_STATUS``, as ints.
    return bytes([TAG_STATUS]) + (0 if active else -1).to_bytes(4, "big", signed=True)


def latency_marker_bytes(marked_time: int, operator_id: str, subtask: int) -> bytes:
    """A latency marker as a stream element; ``operator_id`` in 32 hex digits."""
    # ``StreamElementSerializer`` writes the ID's lower part first, as ``AbstractID.toString`` does:
    # the bytes are those of the digits.
    time = marked_time.to_bytes(8, "big", signed=True)
    source = bytes.fromhex(operator_id) + subtask.to_bytes(4, "big")
    return bytes([TAG_LATENCY_MARKER]) + time + source
