"""Classes of the network exchange between two tasks, from output to input.

One row per part, in the order in which a record passes them, with the part's class by the release
that introduced it. A test checks that the jars of every release contain the class, and that its
creator refers to it. ``{...}`` in a sentence stands for a number of the edge.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from explorer.deployment.buffers import BLOCKING, HYBRID, PIPELINED

PIPELINED_RESULT: Final = "pipelined"
APPROXIMATE: Final = "approximate"
BOUNDED: Final = "bounded"
SORTED: Final = "sorted"
HYBRID_RESULT: Final = "hybrid"
TIERED: Final = "tiered"
BROADCAST: Final = "all channels"
SELECTED: Final = "one channel"
"""Kinds of an edge: the storage of its result, and whether each record goes to one channel."""


class ExchangeRow(msgspec.Struct, frozen=True, kw_only=True):
    """A part, and the edges that have it."""

    part: str
    class_name: str | Mapping[str, str]
    """Under ``org.apache.flink``, or by release; empty: the release has no such part."""
    maker: str | Mapping[str, str] = ""
    """The class that makes or calls it; empty: none is asked."""
    sentence: str
    only: str = ""
    """What an edge must be to have it; empty: every edge has it."""


_STREAM_IO: Final = "streaming.runtime.io"
_NETWORK: Final = "runtime.io.network"
_PARTITION: Final = f"{_NETWORK}.partition"
_HYBRID: Final = f"{_PARTITION}.hybrid"
_CONSUMER: Final = f"{_PARTITION}.consumer"
_FACTORY: Final = f"{_PARTITION}.ResultPartitionFactory"
_GATES: Final = f"{_CONSUMER}.SingleInputGateFactory"
_WRITERS: Final = f"{_NETWORK}.api.writer.RecordWriterBuilder"


def _recovered_channel_maker(kind: str) -> Mapping[str, str]:
    """A channel's maker: a channel that has given back what a checkpoint had retained of it."""
    return {
        "1.9": _GATES,
        "1.11": f"{_CONSUMER}.{kind}RecoveredInputChannel",
    }


_WRITE: Final = (
    ExchangeRow(
        part="output",
        class_name=f"{_STREAM_IO}.RecordWriterOutput",
        maker="streaming.runtime.tasks.OperatorChain",
        sentence="Receives the operator's records, selects those with its side output's tag, and "
        "wraps each as a stream element.",
    ),
    ExchangeRow(
        part="writer",
        class_name=f"{_NETWORK}.api.writer.BroadcastRecordWriter",
        maker=_WRITERS,
        sentence="Serialises a record once, for all {subpartitions}.",
        only=BROADCAST,
    ),
    ExchangeRow(
        part="writer",
        class_name={
            "1.9": f"{_NETWORK}.api.writer.RecordWriter",
            "1.10": f"{_NETWORK}.api.writer.ChannelSelectorRecordWriter",
        },
        maker=_WRITERS,
        sentence="Asks the {partitioner} for a record's channel, one of {subpartitions}.",
        only=SELECTED,
    ),
    ExchangeRow(
        part="serializer",
        class_name={
            "1.9": f"{_NETWORK}.api.serialization.SpanningRecordSerializer",
            "1.12": f"{_NETWORK}.api.writer.RecordWriter",
        },
        sentence="Writes four bytes of length, then the element; what does not fit the buffer goes "
        "on in the next.",
    ),
    ExchangeRow(
        part="buffer",
        class_name=f"{_NETWORK}.buffer.BufferBuilder",
        maker={
            "1.9": f"{_NETWORK}.api.writer.RecordWriter",
            "1.12": f"{_PARTITION}.BufferWritingResultPartition",
        },
        sentence="Fills a memory segment of {buffer_size:,} bytes. It goes out when it is full, "
        "{timeout}.",
    ),
    ExchangeRow(
        part="buffer pool",
        class_name=f"{_NETWORK}.buffer.LocalBufferPool",
        maker=f"{_NETWORK}.buffer.NetworkBufferPool",
        sentence="Provides the segments: each producer's partition requires {pool}. If no "
        "segment is free, the task waits (backpressure).",
    ),
)

_STORE: Final = (
    ExchangeRow(
        part="result partition",
        class_name={
            "1.9": f"{_PARTITION}.ReleaseOnConsumptionResultPartition",
            "1.12": f"{_PARTITION}.PipelinedResultPartition",
        },
        maker=_FACTORY,
        sentence="{result_type}: one per producing subtask, {partitions} in all, read while it is "
        "written.",
        only=PIPELINED_RESULT,
    ),
    ExchangeRow(
        part="subpartition",
        class_name=f"{_PARTITION}.PipelinedSubpartition",
        maker=_FACTORY,
        sentence="A queue of buffers per reader, {subpartitions} in each partition. Its length is "
        "the backlog, which goes to the reader with each buffer.",
        only=PIPELINED_RESULT,
    ),
    ExchangeRow(
        part="result partition",
        class_name={"1.12": f"{_PARTITION}.PipelinedResultPartition"},
        maker=_FACTORY,
        sentence="{result_type}: one per producing subtask, {partitions} in all, which outlives a "
        "reader that fails.",
        only=APPROXIMATE,
    ),
    ExchangeRow(
        part="subpartition",
        class_name={"1.12": f"{_PARTITION}.PipelinedApproximateSubpartition"},
        maker=_FACTORY,
        sentence="A queue of buffers per reader, {subpartitions} in each partition; a new reader "
        "begins behind the record that the last one had begun.",
        only=APPROXIMATE,
    ),
    ExchangeRow(
        part="result partition",
        class_name={
            "1.9": f"{_PARTITION}.ResultPartition",
            "1.12": f"{_PARTITION}.BoundedBlockingResultPartition",
        },
        maker=_FACTORY,
        sentence="{result_type}: one per producing subtask, {partitions} in all, read when it is "
        "finished.",
        only=BOUNDED,
    ),
    ExchangeRow(
        part="subpartition",
        class_name=f"{_PARTITION}.BoundedBlockingSubpartition",
        maker=f"{_PARTITION}.BoundedBlockingSubpartitionType",
        sentence="A file per reader, {subpartitions} in each partition.",
        only=BOUNDED,
    ),
    ExchangeRow(
        part="result partition",
        class_name={"1.12": f"{_PARTITION}.SortMergeResultPartition"},
        maker=_FACTORY,
        sentence="{result_type}, and {subpartitions} are {sort_from} or more: one per producing "
        "subtask, {partitions} in all, its records sorted by subpartition into one file.",
        only=SORTED,
    ),
    ExchangeRow(
        part="subpartition",
        class_name={"1.12": f"{_PARTITION}.SortMergeSubpartitionReader"},
        sentence="Reads a subpartition's regions of that file, {subpartitions} in each partition.",
        only=SORTED,
    ),
    ExchangeRow(
        part="result partition",
        class_name={"1.16": f"{_HYBRID}.HsResultPartition", "2.0": ""},
        maker=_FACTORY,
        sentence="{result_type}: one per producing subtask, {partitions} in all, read from memory "
        "while it is written, else from a file; {subpartitions} in each.",
        only=HYBRID_RESULT,
    ),
    ExchangeRow(
        part="result partition",
        class_name={"1.18": f"{_HYBRID}.tiered.shuffle.TieredResultPartition"},
        maker={"1.18": f"{_HYBRID}.tiered.shuffle.TieredResultPartitionFactory"},
        sentence="{result_type}: one per producing subtask, {partitions} in all, in tiers: memory, "
        "disk, and remote storage where there is some; {subpartitions} in each.",
        only=TIERED,
    ),
)

_READ: Final = (
    ExchangeRow(
        part="local channel",
        class_name=f"{_CONSUMER}.LocalInputChannel",
        maker=_recovered_channel_maker("Local"),
        sentence="{local}: producer and consumer are in one task manager, and the buffer that was "
        "written is read, without a copy.",
    ),
    ExchangeRow(
        part="remote channel",
        class_name=f"{_CONSUMER}.RemoteInputChannel",
        maker=_recovered_channel_maker("Remote"),
        sentence="{remote}, over TCP. A producer sends only what it has credit for: {credit}. Its "
        "backlog states how many more it would send, and the gate lends floating buffers for them.",
    ),
    ExchangeRow(
        part="input gate",
        class_name=f"{_CONSUMER}.SingleInputGate",
        maker=_GATES,
        sentence="One per consuming subtask, {gates} in all; passes on the buffers of its channels "
        "in arrival order.",
    ),
    ExchangeRow(
        part="network input",
        class_name=f"{_STREAM_IO}.StreamTaskNetworkInput",
        sentence="Reads buffer by buffer, and passes records and watermarks to input {input} of "
        "{target}.",
    ),
    ExchangeRow(
        part="deserializer",
        class_name=f"{_NETWORK}.api.serialization.SpillingAdaptiveSpanningRecordDeserializer",
        sentence="One per channel: joins the parts of a record that spans buffers; a long record "
        "is spilled to a file until it is complete.",
    ),
    ExchangeRow(
        part="element serializer",
        class_name="streaming.runtime.streamrecord.StreamElementSerializer",
        sentence="Reads the element's tag, its timestamp if it has one, and the record.",
    ),
)

ROWS: Final = {
    "the producer writes": _WRITE,
    "the result waits": _STORE,
    "the consumer reads": _READ,
}
"""By who acts, the parts in the order in which a record meets them."""


def result_form(result_type: str, *, is_sorted: bool, tiered: bool) -> str:
    """Return how a result of this ``ResultPartitionType`` is stored."""
    if result_type in HYBRID:
        return TIERED if tiered else HYBRID_RESULT
    if result_type in BLOCKING:
        return SORTED if is_sorted else BOUNDED
    return PIPELINED_RESULT if result_type in PIPELINED else APPROXIMATE
