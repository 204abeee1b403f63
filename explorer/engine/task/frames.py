"""Frames, in which batches travel between tasks: a header, then columns.

A frame names its edge, its producer and its number in that stream, so the reader notices when one
is missing or late.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from explorer.engine.rows.batch import ARROW, Batch, Column
from explorer.engine.rows.origins import Descent, Origins
from explorer.errors import BrokenInvariantError
from explorer.model.row_type import RowType


class FramesLostError(BrokenInvariantError):
    """Frames that were sent did not arrive, and the transport reported no error."""


class FrameKind(IntEnum):
    """Content of a frame's body."""

    BATCH = 0
    """Arrow columns."""
    TIMED_BATCH = 1
    """Arrow columns, the last of them the timestamps."""
    WATERMARK = 2
    SINK = 3
    """Rows that a sink collects; the edge is the operator's node."""
    REPORT = 4
    """A subtask's counters."""


_NARROWER: Final = (pa.int8(), pa.int16(), pa.int32())
NARROWED: Final = 256
"""Rows from which a column of LONGs is narrowed: of fewer, it costs more than copying them does."""
_NUMBERS: Final = {kind.bit_width: kind for kind in (*_NARROWER, pa.int64())}
_HEADER: Final = struct.Struct("<BiIIH")
_TIME: Final = struct.Struct("<q")


@dataclass(frozen=True, slots=True)
class Frame:
    """A parsed frame."""

    kind: FrameKind
    edge: int
    producer: int
    number: int
    row_type: int
    """Position among the edge's row types."""
    body: memoryview

    @property
    def place(self) -> tuple[int, int, int, int]:
        """Sort key: frames of one stream in their order."""
        return self.kind, self.edge, self.producer, self.number


def pack(
    kind: FrameKind, edge: int, producer: int, number: int, row_type: int, body: bytes
) -> bytes:
    """Put a header before a body."""
    return _HEADER.pack(kind, edge, producer, number, row_type) + body


def unpack(frame: bytes) -> Frame:
    """Parse a frame, without copying its body."""
    kind, edge, producer, number, row_type = _HEADER.unpack_from(frame)
    return Frame(
        FrameKind(kind), edge, producer, number, row_type, memoryview(frame)[_HEADER.size :]
    )


def origin(frame: bytes) -> tuple[int, int]:
    """Read the edge and the producing subtask from a frame's header."""
    _, edge, producer, _, _ = _HEADER.unpack_from(frame)
    return edge, producer


def watermark_body(time: int) -> bytes:
    """A watermark's body."""
    return _TIME.pack(time)


def read_watermark(body: memoryview) -> int:
    """The time of a watermark's body."""
    return int(_TIME.unpack(body)[0])


def _narrow(column: Column) -> Column:
    """Store many LONGs in as few bytes as they need: a frame is copied half a dozen times."""
    if len(column) < NARROWED or not pa.types.is_int64(column.type):
        return column
    ends = pc.min_max(column)
    minimum, maximum = ends["min"].as_py() or 0, ends["max"].as_py() or 0
    for kind in _NARROWER:
        beyond = 1 << (kind.bit_width - 1)
        if -beyond <= minimum and maximum < beyond:
            return pc.cast(column, kind, safe=False)
    return column


def _schema(types: Sequence[pa.DataType]) -> pa.Schema:
    """The schema of a frame; the columns' names do not matter, so they are numbers."""
    return pa.schema([(str(place), kind) for place, kind in enumerate(types)])


def columnar_body(batch: Batch) -> tuple[FrameKind, bytes]:
    """Encode a batch as Arrow columns; also return the kind of its frame.

    The body begins with each column's bit width (0: no integers). After the row's columns come the
    timestamps and, in a traced run, the numbers of the records' origins.
    """
    columns = [*batch.columns]
    if batch.timestamps is not None:
        columns.append(pa.array(batch.timestamps))
    if batch.origins is not None:
        columns.append(pa.array(batch.origins.numbers))
    narrow = [_narrow(column) for column in columns]
    types = [column.type for column in narrow]
    widths = bytes(kind.bit_width if pa.types.is_integer(kind) else 0 for kind in types)
    record_batch = pa.RecordBatch.from_arrays(narrow, schema=_schema(types))
    kind = FrameKind.BATCH if batch.timestamps is None else FrameKind.TIMED_BATCH
    return kind, widths + memoryview(record_batch.serialize())


def read_columnar(
    body: memoryview, row_type: RowType, *, timed: bool, descent: Descent | None = None
) -> Batch:
    """Decode a columnar body; ``descent``: the run's, where it is traced."""
    further_columns = timed + (descent is not None)
    types = [ARROW[kind] for kind in row_type.types] + [pa.int64()] * further_columns
    sent = [_NUMBERS.get(bits, kind) for bits, kind in zip(body, types, strict=False)]
    read = pa.ipc.read_record_batch(pa.py_buffer(body[len(types) :]), _schema(sent))
    columns = [
        column if column.type == kind else pc.cast(column, kind)
        for column, kind in zip(read.columns, types, strict=True)
    ]
    width = len(row_type.names)
    further = [value.to_numpy().astype(np.int64, copy=False) for value in columns[width:]]
    origins = None if descent is None else Origins(descent, further.pop())
    return Batch(row_type, tuple(columns[:width]), further.pop() if timed else None, origins)
