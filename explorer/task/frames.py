"""How do batches travel between tasks? As frames: a small header, then columns or Flink's bytes.

A frame says which edge and producer it belongs to and its number in that stream, so the reader can
tell when one is missing or late.
"""

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np
import pyarrow as pa

from explorer.errors import BrokenInvariantError
from explorer.rows.batch import ARROW, Batch
from explorer.rows.origins import Descent, Origins
from explorer.rows.row_type import RowType


class FramesLostError(BrokenInvariantError):
    """Frames that were sent did not arrive: whoever carried them lost them, and did not notice."""


class FrameKind(IntEnum):
    """What a frame's body is."""

    BATCH = 0
    """Arrow columns."""
    TIMED_BATCH = 1
    """Arrow columns, the last of them the timestamps."""
    WATERMARK = 2
    BUFFER = 3
    """Flink's bytes, in pieces of ``SEGMENT_SIZE``."""
    SINK = 4
    """Rows that a sink keeps; the edge is the operator's node."""
    REPORT = 5
    """A subtask's counters."""


SEGMENT_SIZE: Final = 32 * 1024
"""``taskmanager.memory.segment-size``."""
_HEADER: Final = struct.Struct("<BiIIH")
_TIME: Final = struct.Struct("<q")


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame that was read: whose it is, and its body."""

    kind: FrameKind
    edge: int
    producer: int
    number: int
    row_type: int
    """Which of the edge's row types."""
    body: memoryview

    @property
    def place(self) -> tuple[int, int, int, int]:
        """By what frames are sorted: those of one stream in their order."""
        return self.kind, self.edge, self.producer, self.number


def pack(
    kind: FrameKind, edge: int, producer: int, number: int, row_type: int, body: bytes
) -> bytes:
    """Put a header before a body."""
    return _HEADER.pack(kind, edge, producer, number, row_type) + body


def unpack(frame: bytes) -> Frame:
    """Take a frame apart, without copying its body."""
    kind, edge, producer, number, row_type = _HEADER.unpack_from(frame)
    return Frame(
        FrameKind(kind), edge, producer, number, row_type, memoryview(frame)[_HEADER.size :]
    )


def origin(frame: bytes) -> tuple[int, int]:
    """A frame's edge and its producer's subtask, of its header alone."""
    _, edge, producer, _, _ = _HEADER.unpack_from(frame)
    return edge, producer


def watermark_body(time: int) -> bytes:
    """A watermark's body."""
    return _TIME.pack(time)


def read_watermark(body: memoryview) -> int:
    """The time of a watermark's body."""
    return int(_TIME.unpack(body)[0])


def arrow_schema(row_type: RowType, *, timed: bool, traced: bool = False) -> pa.Schema:
    """The columns of a frame; their names do not matter, so they are numbers."""
    kinds = [ARROW[kind] for kind in row_type.types] + [pa.int64()] * (timed + traced)
    return pa.schema([(str(place), kind) for place, kind in enumerate(kinds)])


def columnar_body(batch: Batch) -> tuple[FrameKind, bytes]:
    """A batch's columns as Arrow writes them, and the kind of frame that they make.

    Behind the columns come timestamps, and of a traced run the numbers of the records' origins.
    """
    timed, traced = batch.timestamps is not None, batch.origins is not None
    columns = [*batch.columns]
    if batch.timestamps is not None:
        columns.append(pa.array(batch.timestamps))
    if batch.origins is not None:
        columns.append(pa.array(batch.origins.numbers))
    record_batch = pa.RecordBatch.from_arrays(
        columns, schema=arrow_schema(batch.row_type, timed=timed, traced=traced)
    )
    kind = FrameKind.TIMED_BATCH if timed else FrameKind.BATCH
    return kind, record_batch.serialize().to_pybytes()


def read_columnar(
    body: memoryview, row_type: RowType, *, timed: bool, descent: Descent | None = None
) -> Batch:
    """The batch of a columnar body; ``descent``: of the run, where it is traced."""
    schema = arrow_schema(row_type, timed=timed, traced=descent is not None)
    read = pa.ipc.read_record_batch(pa.py_buffer(body), schema)
    width = len(row_type.names)
    # Behind the row's own columns.
    further = [one.to_numpy().astype(np.int64, copy=False) for one in read.columns[width:]]
    origins = None if descent is None else Origins(descent, further.pop())
    return Batch(row_type, tuple(read.columns[:width]), further.pop() if timed else None, origins)
