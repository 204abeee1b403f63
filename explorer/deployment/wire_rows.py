"""Which classes stand between two tasks, from the output of one to the input of the other?

A row a part, in the order in which a record meets them; its class by the release from which on it
is that. A test asks the jars of every release whether they have it, and whether the class that is
said to make it speaks of it. ``{...}`` in a sentence is one of the edge's own numbers.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from explorer.deployment.buffers import BLOCKING, HYBRID, PIPELINED
from explorer.flink.releases import Behaviour

WRITES, STORES, READS = "the producer writes", "the result waits", "the consumer reads"

PIPELINED_RESULT: Final = "pipelined"
APPROXIMATE: Final = "approximate"
BOUNDED: Final = "bounded"
SORTED: Final = "sorted"
HYBRID_RESULT: Final = "hybrid"
TIERED: Final = "tiered"
BROADCAST: Final = "all channels"
SELECTED: Final = "one channel"
"""What an edge is: how its result is kept, and whether a channel is chosen for each record."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A part, and the edges that have it."""

    stage: str
    part: str
    class_name: Behaviour
    """Under ``org.apache.flink``; empty: the release has no such part."""
    maker: Behaviour
    """The class that makes or calls it; empty: none is asked."""
    sentence: str
    only: str = ""
    """What an edge must be to have it; empty: every edge has it."""


def _by(values: Mapping[str, str] | str) -> Behaviour:
    told = values if isinstance(values, Mapping) else {"1.9": values}
    full = told if "1.9" in told else {"1.9": "", **told}
    return Behaviour(full, "The class of a part of the wire.")


_STREAM_IO: Final = "streaming.runtime.io"
_NETWORK: Final = "runtime.io.network"
_PARTITION: Final = f"{_NETWORK}.partition"
_HYBRID: Final = f"{_PARTITION}.hybrid"
_CONSUMER: Final = f"{_PARTITION}.consumer"
_FACTORY: Final = _by(f"{_PARTITION}.ResultPartitionFactory")
_GATES: Final = _by(f"{_CONSUMER}.SingleInputGateFactory")
_WRITERS: Final = _by(f"{_NETWORK}.api.writer.RecordWriterBuilder")


def _recovered(kind: str) -> Behaviour:
    """A channel's maker: a channel that has given back what a checkpoint had kept of it."""
    return _by(
        {
            "1.9": f"{_CONSUMER}.SingleInputGateFactory",
            "1.11": f"{_CONSUMER}.{kind}RecoveredInputChannel",
        }
    )


_WRITE: Final = (
    Row(
        stage=WRITES,
        part="output",
        class_name=_by(f"{_STREAM_IO}.RecordWriterOutput"),
        maker=_by("streaming.runtime.tasks.OperatorChain"),
        sentence="Takes the operator's records, keeps those of its side output's tag, and wraps "
        "each as a stream element.",
    ),
    Row(
        stage=WRITES,
        part="writer",
        class_name=_by(f"{_NETWORK}.api.writer.BroadcastRecordWriter"),
        maker=_WRITERS,
        sentence="Serialises a record once, for all {subpartitions}.",
        only=BROADCAST,
    ),
    Row(
        stage=WRITES,
        part="writer",
        class_name=_by(
            {
                "1.9": f"{_NETWORK}.api.writer.RecordWriter",
                "1.10": f"{_NETWORK}.api.writer.ChannelSelectorRecordWriter",
            }
        ),
        maker=_WRITERS,
        sentence="Asks the {partitioner} for a record's channel, one of {subpartitions}.",
        only=SELECTED,
    ),
    Row(
        stage=WRITES,
        part="serializer",
        class_name=_by(
            {
                "1.9": f"{_NETWORK}.api.serialization.SpanningRecordSerializer",
                "1.12": f"{_NETWORK}.api.writer.RecordWriter",
            }
        ),
        maker=_by(""),
        sentence="Writes four bytes of length, then the element; what does not fit the buffer goes "
        "on in the next.",
    ),
    Row(
        stage=WRITES,
        part="buffer",
        class_name=_by(f"{_NETWORK}.buffer.BufferBuilder"),
        maker=_by(
            {
                "1.9": f"{_NETWORK}.api.writer.RecordWriter",
                "1.12": f"{_PARTITION}.BufferWritingResultPartition",
            }
        ),
        sentence="Fills a memory segment of {buffer_size:,} bytes. It goes out when it is full, "
        "{timeout}.",
    ),
    Row(
        stage=WRITES,
        part="buffer pool",
        class_name=_by(f"{_NETWORK}.buffer.LocalBufferPool"),
        maker=_by(f"{_NETWORK}.buffer.NetworkBufferPool"),
        sentence="Lends the segments: each producer's partition requires {pool}. Where none is "
        "free, the task waits: backpressure.",
    ),
)

_STORE: Final = (
    Row(
        stage=STORES,
        part="result partition",
        class_name=_by(
            {
                "1.9": f"{_PARTITION}.ReleaseOnConsumptionResultPartition",
                "1.12": f"{_PARTITION}.PipelinedResultPartition",
            }
        ),
        maker=_FACTORY,
        sentence="{result_type}: one a producing subtask, {partitions} in all, read while it is "
        "written.",
        only=PIPELINED_RESULT,
    ),
    Row(
        stage=STORES,
        part="subpartition",
        class_name=_by(f"{_PARTITION}.PipelinedSubpartition"),
        maker=_FACTORY,
        sentence="A queue of buffers a reader, {subpartitions} in each partition. Its length is "
        "the backlog, which goes to the reader with each buffer.",
        only=PIPELINED_RESULT,
    ),
    Row(
        stage=STORES,
        part="result partition",
        class_name=_by({"1.12": f"{_PARTITION}.PipelinedResultPartition"}),
        maker=_FACTORY,
        sentence="{result_type}: one a producing subtask, {partitions} in all, which outlives a "
        "reader that fails.",
        only=APPROXIMATE,
    ),
    Row(
        stage=STORES,
        part="subpartition",
        class_name=_by({"1.12": f"{_PARTITION}.PipelinedApproximateSubpartition"}),
        maker=_FACTORY,
        sentence="A queue of buffers a reader, {subpartitions} in each partition; a new reader "
        "begins behind the record that the last one had begun.",
        only=APPROXIMATE,
    ),
    Row(
        stage=STORES,
        part="result partition",
        class_name=_by(
            {
                "1.9": f"{_PARTITION}.ResultPartition",
                "1.12": f"{_PARTITION}.BoundedBlockingResultPartition",
            }
        ),
        maker=_FACTORY,
        sentence="{result_type}: one a producing subtask, {partitions} in all, read when it is "
        "finished.",
        only=BOUNDED,
    ),
    Row(
        stage=STORES,
        part="subpartition",
        class_name=_by(f"{_PARTITION}.BoundedBlockingSubpartition"),
        maker=_by(f"{_PARTITION}.BoundedBlockingSubpartitionType"),
        sentence="A file a reader, {subpartitions} in each partition.",
        only=BOUNDED,
    ),
    Row(
        stage=STORES,
        part="result partition",
        class_name=_by({"1.12": f"{_PARTITION}.SortMergeResultPartition"}),
        maker=_FACTORY,
        sentence="{result_type}, and {subpartitions} are {sort_from} or more: one a producing "
        "subtask, {partitions} in all, its records sorted by subpartition into one file.",
        only=SORTED,
    ),
    Row(
        stage=STORES,
        part="subpartition",
        class_name=_by({"1.12": f"{_PARTITION}.SortMergeSubpartitionReader"}),
        maker=_by(""),
        sentence="Reads a subpartition's regions of that file, {subpartitions} in each partition.",
        only=SORTED,
    ),
    Row(
        stage=STORES,
        part="result partition",
        class_name=_by({"1.16": f"{_HYBRID}.HsResultPartition", "2.0": ""}),
        maker=_FACTORY,
        sentence="{result_type}: one a producing subtask, {partitions} in all, read from memory "
        "while it is written, else from a file; {subpartitions} in each.",
        only=HYBRID_RESULT,
    ),
    Row(
        stage=STORES,
        part="result partition",
        class_name=_by({"1.18": f"{_HYBRID}.tiered.shuffle.TieredResultPartition"}),
        maker=_by(
            {"1.18": f"{_HYBRID}.tiered.shuffle.TieredResultPartitionFactory"},
        ),
        sentence="{result_type}: one a producing subtask, {partitions} in all, in tiers: memory, "
        "disk, and remote storage where there is some; {subpartitions} in each.",
        only=TIERED,
    ),
)

_READ: Final = (
    Row(
        stage=READS,
        part="local channel",
        class_name=_by(f"{_CONSUMER}.LocalInputChannel"),
        maker=_recovered("Local"),
        sentence="{local}: producer and consumer are in one task manager, and the buffer that was "
        "written is read, without a copy.",
    ),
    Row(
        stage=READS,
        part="remote channel",
        class_name=_by(f"{_CONSUMER}.RemoteInputChannel"),
        maker=_recovered("Remote"),
        sentence="{remote}, over TCP. A producer sends only what it has credit for: {credit}. Its "
        "backlog says how many more it would send, and the gate lends floating buffers for them.",
    ),
    Row(
        stage=READS,
        part="input gate",
        class_name=_by(f"{_CONSUMER}.SingleInputGate"),
        maker=_GATES,
        sentence="One a consuming subtask, {gates} in all; hands on the buffers of its channels as "
        "they come.",
    ),
    Row(
        stage=READS,
        part="network input",
        class_name=_by(f"{_STREAM_IO}.StreamTaskNetworkInput"),
        maker=_by(""),
        sentence="Takes buffer by buffer, and gives records and watermarks to input {input} of "
        "{target}.",
    ),
    Row(
        stage=READS,
        part="deserializer",
        class_name=_by(f"{_NETWORK}.api.serialization.SpillingAdaptiveSpanningRecordDeserializer"),
        maker=_by(""),
        sentence="One a channel: joins a record that spans buffers; a long one it keeps in a file "
        "until it is whole.",
    ),
    Row(
        stage=READS,
        part="element serializer",
        class_name=_by("streaming.runtime.streamrecord.StreamElementSerializer"),
        maker=_by(""),
        sentence="Reads the element's tag, its timestamp if it has one, and the record.",
    ),
)

ROWS: Final = (*_WRITE, *_STORE, *_READ)
"""In the order in which a record meets them."""


def kept_as(result_type: str, *, is_sorted: bool, tiered: bool) -> str:
    """How a result of this ``ResultPartitionType`` is kept."""
    if result_type in HYBRID:
        return TIERED if tiered else HYBRID_RESULT
    if result_type in BLOCKING:
        return SORTED if is_sorted else BOUNDED
    return PIPELINED_RESULT if result_type in PIPELINED else APPROXIMATE
