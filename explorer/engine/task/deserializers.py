"""Decodes Flink's serialized records into batches.

Mirrors ``SpillingAdaptiveSpanningRecordDeserializer`` (records may span buffers) and the
``deserialize`` methods of ``StreamElementSerializer`` and ``RowSerializer``.
"""

import struct
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import numpy as np
import pyarrow as pa

from explorer.engine.rows.batch import Batch, Column, Longs
from explorer.engine.rows.ragged import Bytes, positions
from explorer.engine.rows.utf16 import strings
from explorer.engine.task.serializers import (
    LENGTH_WIDTH,
    ROW_KIND_BITS,
    TAG_INTERNAL_WATERMARK,
    TAG_WATERMARK,
    TAG_WITH_TIMESTAMP,
    TAG_WITHOUT,
    UNION_TAG_WIDTH,
    mask_width,
)
from explorer.errors import BrokenInvariantError
from explorer.model.row_type import BOOLEAN, STRING, ColumnType, RowType

_LENGTH: Final = struct.Struct(">I")
_DTYPES: Final = {"LONG": ">i8", "DOUBLE": ">f8"}


@dataclass(slots=True)
class ChannelDecoder:
    """Turns the buffers of one channel back into batches and watermarks, in order."""

    row_type: RowType
    _rest: bytes = field(default=b"", init=False)

    def feed(self, buffer: bytes) -> list[Batch | int]:
        """Decode the complete elements; a number is a watermark. The rest waits for more bytes."""
        data = self._rest + buffer
        starts, end = _element_starts(data)
        self._rest = data[end:]
        if not starts:
            return []
        flat = np.frombuffer(data, np.uint8)
        places = np.array(starts, np.int64)
        tags = flat[places]
        cuts = [0, *(np.flatnonzero(np.diff(tags)) + 1).tolist(), len(starts)]
        found: list[Batch | int] = []
        for start, stop in pairwise(cuts):
            found.extend(self._run(flat, int(tags[start]), places[start:stop] + 1))
        return found

    def _run(self, flat: Bytes, tag: int, cursors: Longs) -> list[Batch | int]:
        """Decode elements of one tag; ``cursors`` point behind their tags."""
        if tag == TAG_WITHOUT:
            return [decode_rows(flat, cursors, self.row_type)]
        if tag == TAG_INTERNAL_WATERMARK:
            tag, cursors = TAG_WATERMARK, cursors + 4
        times = _read_fixed(flat, cursors, ">i8").astype(np.int64)
        if tag == TAG_WATERMARK:
            return [int(time) for time in times]
        if tag == TAG_WITH_TIMESTAMP:
            return [decode_rows(flat, cursors + 8, self.row_type).with_timestamps(times)]
        msg = f"corrupt stream, found tag {tag}"
        raise BrokenInvariantError(msg)


def _element_starts(data: bytes) -> tuple[list[int], int]:
    """Positions of the complete elements, and of the first incomplete element's length."""
    starts: list[int] = []
    at, size = 0, len(data)
    unpack = _LENGTH.unpack_from
    while at + LENGTH_WIDTH <= size:
        behind = at + LENGTH_WIDTH + unpack(data, at)[0]
        if behind > size:
            break
        starts.append(at + LENGTH_WIDTH)
        at = behind
    return starts, at


def decode_rows(flat: Bytes, cursors: Longs, row_type: RowType) -> Batch:
    """Decode the rows of one row type that begin at ``cursors`` in ``flat``, column by column."""
    if row_type.tag:
        cursors = cursors + UNION_TAG_WIDTH
    masks = cursors
    cursors = cursors + mask_width(len(row_type.names))
    columns: list[Column] = []
    for place, kind in enumerate(row_type.types):
        byte, bit = divmod(ROW_KIND_BITS + place, 8)
        nulls = (flat[masks + byte] >> (7 - bit)) & 1 == 1
        column, widths = _column(flat, cursors[~nulls], kind)
        if nulls.any():
            column = column.take(pa.array(np.cumsum(~nulls) - 1, mask=nulls))
        columns.append(column)
        cursors = cursors.copy()
        cursors[~nulls] += widths
    return Batch(row_type, tuple(columns))


def _column(flat: Bytes, cursors: Longs, kind: ColumnType) -> tuple[Column, Longs | int]:
    """Decode a field of rows in which it is not null; also return its bytes in each row."""
    if kind is STRING:
        return _strings(flat, cursors)
    if kind is BOOLEAN:
        return pa.array(flat[cursors] == 1), 1
    values = _read_fixed(flat, cursors, _DTYPES[kind.value])
    return pa.array(values.astype(values.dtype.newbyteorder("="))), 8


def _read_fixed(flat: Bytes, cursors: Longs, dtype: str) -> np.ndarray:
    # Shape (rows, 8); a view of another type needs the bytes of a row side by side.
    table = np.ascontiguousarray(flat[cursors[:, None] + np.arange(8)])
    return table.view(dtype).reshape(-1)


def _strings(flat: Bytes, cursors: Longs) -> tuple[Column, Longs]:
    """Decode strings: the ends of all varints in the data show where each string stops."""
    ends = np.flatnonzero(flat < 0x80)
    before = np.searchsorted(ends, cursors)
    heads = ends[before] + 1 - cursors
    lengths = _varints(flat, cursors, heads) - 1
    # A string of n units has n varints after its head.
    widths = ends[before + lengths] + 1 - cursors
    body, body_widths = cursors + heads, widths - heads
    flat_units = flat[positions(body, body_widths)]
    unit_ends = np.flatnonzero(flat_units < 0x80) + 1
    unit_starts = np.concatenate(([0], unit_ends[:-1])) if len(unit_ends) else unit_ends
    units = _varints(flat_units, unit_starts, unit_ends - unit_starts)
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    return strings(units.astype(np.uint16), offsets), widths


def _varints(flat: Bytes, starts: Longs, widths: Longs) -> Longs:
    numbers = np.zeros(len(starts), np.int64)
    for group in range(int(widths.max(initial=0))):
        reach = widths > group
        numbers[reach] |= (flat[starts[reach] + group].astype(np.int64) & 0x7F) << (7 * group)
    return numbers
