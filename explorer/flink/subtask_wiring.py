"""Channels of an edge: which subtask reads which part of which producer's partition.

Mirrors ``EdgeManagerBuildUtil`` and, for a dynamic graph, ``VertexInputInfoComputationUtils``:
there a partition is cut before its consumers are known, and a consumer may read several parts.
No channel is stored: a wiring is a few numbers and answers with ranges.
"""

import struct
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple, Self

import msgspec

from explorer.errors import ExplorerError


def consumed_partitions(
    producers: int, consumers: int, consumer: int, *, floats: bool = False
) -> range:
    """The producers' partitions that ``consumer`` reads.

    >>> [list(consumed_partitions(3, 5, i)) for i in range(5)]
    [[0], [0], [1], [1], [2]]
    >>> [list(consumed_partitions(14, 16, 8, floats=floats)) for floats in (False, True)]
    [[7], [6]]
    """
    if floats and not _is_regular(producers, consumers):
        return _consumed_in_floats(producers, consumers, consumer)
    # ``EdgeManagerBuildUtil.connectPointwise`` multiplies first, in whole numbers; a quotient in
    # floats sends 14 producers to 16 consumers otherwise than Flink does.
    start = consumer * producers // consumers
    if producers >= consumers:
        return range(start, (consumer + 1) * producers // consumers)
    return range(start, start + 1)


def _is_regular(producers: int, consumers: int) -> bool:
    """Whether each subtask of one side has equally many of the other."""
    return max(producers, consumers) % min(producers, consumers) == 0


def consumers_of(producers: int, consumers: int, producer: int, *, floats: bool = False) -> range:
    """The consumers that read ``producer``'s partition.

    >>> [list(consumers_of(2, 5, i)) for i in range(2)]
    [[0, 1, 2], [3, 4]]
    """

    def past(partition: int) -> int:
        """The first consumer that reads nothing up to ``partition``."""
        if not floats or _is_regular(producers, consumers):
            return min(-(-(partition + 1) * consumers // producers), consumers)
        return bisect_left(
            range(consumers),
            partition + 1,
            key=lambda i: consumed_partitions(producers, consumers, i, floats=floats).start,
        )

    if producers >= consumers:
        # The one consumer with the range of partitions that holds this producer.
        reader = past(producer) - 1
        return range(reader, reader + 1)
    return range(past(producer - 1), past(producer))


def consumed_subpartition(
    producers: int, consumers: int, consumer: int, *, floats: bool = False
) -> int:
    """The subpartition that ``consumer`` reads of each of its partitions.

    Flink reads the consumer's own number, not its place in the group.

    >>> [consumed_subpartition(2, 5, i) for i in range(5)]
    [0, 1, 2, 1, 0]
    """
    if producers >= consumers:
        return 0
    (partition,) = consumed_partitions(producers, consumers, consumer, floats=floats)
    # ``VertexInputInfoComputationUtils.computeConsumedSubpartitionRange`` takes the remainder of
    # the subtask's number; the place in the group would read another subtask's records.
    return consumer % len(consumers_of(producers, consumers, partition, floats=floats))


def channels(pattern: str, producers: int, consumers: int) -> int:
    """Number of channels that an exchange opens between these numbers of subtasks.

    >>> channels("ALL_TO_ALL", 2, 3), channels("POINTWISE", 2, 3)
    (6, 3)
    """
    return producers * consumers if pattern == "ALL_TO_ALL" else max(producers, consumers)


def _single(value: float) -> float:
    """Return the nearest number of single precision, Java's ``float``."""
    (nearest,) = struct.unpack("f", struct.pack("f", value))
    return float(nearest)


def _consumed_in_floats(producers: int, consumers: int, consumer: int) -> range:
    if producers < consumers:
        partition = int(_single(consumer / _single(consumers / producers)))
        return range(partition, partition + 1)
    # Up to 1.13 ``connectPointwise`` divided in ``float``: 24 bits decide which neighbour an uneven
    # pair gets, and a double gives another one for some numbers.
    factor = _single(producers / consumers)
    last = consumer == consumers - 1
    # The last subtask reads up to the end: the product of a rounded factor may fall short of it.
    end = producers if last else int(_single((consumer + 1) * factor))
    return range(int(_single(consumer * factor)), end)


class UndecidedParallelismError(ExplorerError):
    """The subtasks of a vertex were requested before the scheduler decides its parallelism."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(
            f"the parallelism of {name!r} is decided while the job runs, so its subtasks are not "
            "known; set a parallelism to see them"
        )


class ConsumedPartitions(NamedTuple):
    """What one subtask reads of one input: these subpartitions of each of these partitions."""

    partitions: range
    subpartitions: range


class SubtaskWiring(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The channels of one job edge: each consumer has one for each partition it reads."""

    job_edge: int
    """Position in ``JobGraph.edges``."""
    producers: int
    """The parallelism of the source; -1: undecided."""
    consumers: int
    most_consumers: int
    """What a dynamic graph cuts its partitions for: the target's parallelism, else its maximum."""
    pointwise: bool
    broadcast: bool
    forward: bool
    dynamic: bool
    """Whether the job's scheduler may still decide a vertex's parallelism."""
    floats: bool
    """Whether the release's point-wise rule divides in single precision."""

    @property
    def decided(self) -> bool:
        """Whether both parallelisms are known before the job runs."""
        return self.producers > 0 and self.consumers > 0

    @property
    def pattern(self) -> str:
        """The edge's ``DistributionPattern``."""
        return "POINTWISE" if self.pointwise else "ALL_TO_ALL"

    @property
    def count(self) -> int | None:
        """How many pairs of a partition and its consumer there are; None: not known yet."""
        if not self.decided:
            return None
        return channels(self.pattern, self.producers, self.consumers)

    def settled(self, producers: int, consumers: int) -> Self:
        """The wiring after the scheduler has decided; the partitions stay cut as before."""
        return msgspec.structs.replace(self, producers=producers, consumers=consumers)

    def partitions(self, consumer: int) -> range:
        """The partitions that the target's subtask of this number reads."""
        self._check_decided()
        if not self.pointwise:
            return range(self.producers)
        return consumed_partitions(self.producers, self.consumers, consumer, floats=self.floats)

    def consumed(self, consumer: int) -> ConsumedPartitions:
        """What the target's subtask of this number reads."""
        partitions = self.partitions(consumer)
        if not self.pointwise:
            return ConsumedPartitions(partitions, self._shared_out(consumer, self.consumers, 0))
        group = len(self.consumers_of(partitions.start))
        return ConsumedPartitions(
            partitions, self._shared_out(self._place(consumer), group, partitions.start)
        )

    def consumers_of(self, partition: int) -> range:
        """The target's subtasks that read this partition."""
        self._check_decided()
        if not self.pointwise:
            return range(self.consumers)
        return consumers_of(self.producers, self.consumers, partition, floats=self.floats)

    def readers(self, partition: int) -> tuple[tuple[int, ...], ...]:
        """By subpartition of this partition, the target's subtasks that read it."""
        group = self.consumers_of(partition)
        # ``IntermediateResultPartition.computeNumberOfSubpartitionsForDynamicGraph`` is 1 for a
        # broadcast result: it is written once, and all read it.
        if self.broadcast and self.dynamic:
            return (tuple(group),)
        placed = sorted(group, key=self._place) if self.pointwise else group
        return tuple(
            (consumer,)
            for place, consumer in enumerate(placed)
            for _ in self._shared_out(place, len(group), partition)
        )

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Every partition with every subtask that reads it, by consumer."""
        for consumer in range(self.consumers):
            for partition in self.partitions(consumer):
                yield partition, consumer

    def subpartitions(self, partition: int) -> int | None:
        """Number of subpartitions of a partition; None: not known yet."""
        if self.dynamic:
            return self._dynamic_subpartitions()
        return len(self.consumers_of(partition))

    @property
    def all_subpartitions(self) -> int | None:
        """The subpartitions of all partitions; None: not known yet."""
        if self.dynamic:
            dynamic_subpartitions = self._dynamic_subpartitions()
            return (
                None
                if dynamic_subpartitions is None or self.producers < 0
                else dynamic_subpartitions * self.producers
            )
        return self.count

    def _dynamic_subpartitions(self) -> int | None:
        """``IntermediateResultPartition.computeNumberOfMaxPossiblePartitionConsumers``.

        What is broadcast is written once. What is forwarded has as many consumers as producers,
        since a forward group is decided as one: as ``isForward`` states from 2.0 on, and before a
        group's vertices already had the same parallelism here.
        """
        if self.broadcast or self.forward:
            return 1
        if not self.pointwise:
            return self.most_consumers
        return None if self.producers < 0 else -(-self.most_consumers // self.producers)

    def _place(self, consumer: int) -> int:
        """The position of the consumer among the consumers of the same partition."""
        return consumed_subpartition(self.producers, self.consumers, consumer, floats=self.floats)

    def _shared_out(self, place: int, group: int, partition: int) -> range:
        """The subpartitions of the consumer at ``place`` in a group of ``group``."""
        if not self.dynamic:
            return range(place, place + 1)
        cut = self.subpartitions(partition) or 0
        if self.broadcast:
            return range(1)
        # ``computeConsumedSubpartitionRange`` again multiplies first: no subpartition is left
        # without a reader, and none has two.
        return range(place * cut // group, (place + 1) * cut // group)

    def _check_decided(self) -> None:
        if not self.decided:
            raise UndecidedParallelismError(name=f"edge {self.job_edge}")
