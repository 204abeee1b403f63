"""Writes encoded records to channels, and counts Flink's bytes.

Mirrors ``RecordWriter``, ``ChannelSelectorRecordWriter`` and ``BroadcastRecordWriter``. Arrow
columns are sent; the bytes are counted that Flink's row format has.
"""

from collections.abc import Callable
from time import perf_counter_ns
from typing import Final, TypeAlias

from explorer.engine import plan
from explorer.engine.counters import EdgeCounters
from explorer.engine.rows.batch import Batch, concat
from explorer.engine.rows.errors import RowError
from explorer.engine.steps.step import RowTypes
from explorer.engine.task.channel_selectors import NullKeyError, partitioner
from explorer.engine.task.frames import FrameKind, columnar_body, pack, watermark_body
from explorer.engine.task.lineage import Lineage
from explorer.engine.task.serializers import (
    END_OF_DATA_SIZE,
    END_OF_PARTITION_SIZE,
    LENGTH_WIDTH,
    batch_size,
    watermark_bytes,
)
from explorer.model.row_type import RowType

Emit: TypeAlias = Callable[[int, bytes], None]
"""Send a frame to a consumer's subtask."""

FRAME_ROWS: Final = 65536
FRAME_BYTES: Final = 512 * 1024
"""A channel sends its columns at this count of rows or bytes."""


class _Sender:
    """Numbers the frames of a stream and sends each to all its consumers."""

    def __init__(
        self, emit: Emit, edge: int, subtask: int, consumers: tuple[int, ...], types: RowTypes
    ) -> None:
        self._emit, self._edge, self._subtask, self._consumers = emit, edge, subtask, consumers
        self._types = {row_type: place for place, row_type in enumerate(types)}
        self._number = 0

    def send(self, kind: FrameKind, row_type: RowType | None, body: bytes) -> None:
        place = 0 if row_type is None else self._types[row_type]
        frame = pack(kind, self._edge, self._subtask, self._number, place, body)
        self._number += 1
        for consumer in self._consumers:
            self._emit(consumer, frame)


class _Columns:
    """A channel with frames of Arrow columns; small batches travel together."""

    def __init__(self, sender: _Sender) -> None:
        self._sender = sender
        self._waiting: list[Batch] = []
        self._rows = self._bytes = 0

    def write(self, batch: Batch) -> None:
        """Write records; those of another row type, or with other timestamps, start a new frame."""
        last = self._waiting[-1] if self._waiting else None
        if last is not None and (
            last.row_type != batch.row_type
            or (last.timestamps is None) != (batch.timestamps is None)
        ):
            self.close()
        self._waiting.append(batch)
        self._rows += len(batch)
        self._bytes += batch.nbytes()
        if self._rows >= FRAME_ROWS or self._bytes >= FRAME_BYTES:
            self.close()

    def watermark(self, time: int) -> None:
        """Send waiting records, then the watermark."""
        self.close()
        self._sender.send(FrameKind.WATERMARK, None, watermark_body(time))

    def close(self) -> None:
        if self._waiting:
            batch = concat(self._waiting)
            self._waiting, self._rows, self._bytes = [], 0, 0
            kind, body = columnar_body(batch)
            self._sender.send(kind, batch.row_type, body)


def effective_partitioner(edge: plan.Edge) -> str:
    """The partitioner that selects channels: REBALANCE for FORWARD with unequal parallelisms."""
    if edge.partitioner == "BROADCAST":
        return "GLOBAL"
    # ``StreamTask.replaceForwardPartitionerIfConsumerParallelismDoesNotMatch``, at run time only:
    # the plan still shows FORWARD.
    if edge.partitioner == "FORWARD" and edge.wiring.producers != edge.wiring.consumers:
        return "REBALANCE"
    return edge.partitioner


class RecordWriter:
    """Writes the records of one producing subtask to one edge."""

    def __init__(
        self,
        edge: plan.Edge,
        subtask: int,
        operator: str,
        emit: Emit,
        lineage: Lineage | None = None,
    ) -> None:
        self._plan, self._operator, self._subtask = edge, operator, subtask
        self._lineage = lineage
        self._broadcast = edge.partitioner == "BROADCAST"
        readers = edge.wiring.readers(subtask)
        self._copies = len(readers)
        # All consumers read a broadcast frame, whatever their number.
        groups = (tuple(edge.wiring.consumers_of(subtask)),) if self._broadcast else readers
        columns: dict[tuple[int, ...], _Columns] = {}
        for group in groups:
            if group not in columns:
                sender = _Sender(emit, edge.number, subtask, group, edge.row_types)
                columns[group] = _Columns(sender)
        self._channels = [columns[group] for group in groups]
        self._partitioner = partitioner(
            effective_partitioner(edge),
            channels=len(groups),
            subtask=subtask,
            edge=edge.number,
            max_parallelism=edge.max_parallelism,
            keys=edge.keys if edge.partitioner == "HASH" else None,
        )
        self.counters = EdgeCounters(edge=edge.number)

    @property
    def counted_bytes(self) -> int:
        """Bytes that the task's ``numBytesOut`` includes."""
        return self.counters.bytes if self._plan.counted else 0

    def write(self, batch: Batch) -> None:
        """Route records to channels; raises ``RowError`` for a record with a null key."""
        begun = perf_counter_ns()
        self.counters.records += len(batch)
        # ``BufferWritingResultPartition.finishBroadcastBufferBuilder`` writes a buffer once and
        # counts it for each subpartition: ``numBytesOut`` is what the consumers read.
        self.counters.bytes += batch_size(batch) * (self._copies if self._broadcast else 1)
        try:
            for channel, part in self._partitioner.route(batch):
                self._channels[channel].write(part)
                if self._lineage is not None:
                    self._lineage.send(self._plan.number, self._subtask, channel, part)
        except NullKeyError as refusal:
            place = f"key_by {', '.join(self._plan.keys or ())}"
            row = batch.row(refusal.index)
            raise RowError(self._operator, place, "", row, str(refusal)) from None
        self.counters.nanoseconds += perf_counter_ns() - begun

    def watermark(self, time: int) -> None:
        """Send a watermark to every channel."""
        # ``RecordWriterOutput.emitWatermark``: the number of any subpartition has four bytes.
        number = 0 if self._plan.internal_watermarks else None
        size = LENGTH_WIDTH + len(watermark_bytes(time, number))
        self.counters.bytes += size * self._copies
        for subpartition, channel in enumerate(self._channels):
            channel.watermark(time)
            if self._lineage is not None:
                self._lineage.send_element(self._plan.number, self._subtask, subpartition, size)

    def flush(self) -> None:
        """Send waiting records."""
        begun = perf_counter_ns()
        for channel in self._channels:
            channel.close()
        self.counters.nanoseconds += perf_counter_ns() - begun

    def close(self) -> None:
        """Send waiting records and the end of the partition."""
        self.flush()
        # ``SortMergeResultPartition.broadcastEvent``, and that of hybrid results, emits an event as
        # data, which ``numBytesOut`` counts for each reader; ``BufferWritingResultPartition``
        # counts no event.
        if self._plan.dynamic:
            self.counters.bytes += (END_OF_DATA_SIZE + END_OF_PARTITION_SIZE) * self._copies
