"""Which partitions does a consumer of a point-wise edge read, and which subpartition of each?

Mirrors ``VertexInputInfoComputationUtils`` and, before it, ``EdgeManagerBuildUtil``: whole numbers
since 1.13. ``floats`` asks for the rule of ``ExecutionVertex.connectPointwise`` up to 1.12, which
divides in single precision wherever one side is not a multiple of the other.
"""

import struct
from bisect import bisect_left


def consumed_partitions(
    producers: int, consumers: int, consumer: int, *, floats: bool = False
) -> range:
    """The producers' partitions that ``consumer`` reads.

    >>> [list(consumed_partitions(3, 5, i)) for i in range(5)]
    [[0], [0], [1], [1], [2]]
    >>> [list(consumed_partitions(14, 16, 8, floats=floats)) for floats in (False, True)]
    [[7], [6]]
    """
    irregular = max(producers, consumers) % min(producers, consumers) != 0
    if floats and irregular:
        return _consumed_in_floats(producers, consumers, consumer)
    start = consumer * producers // consumers
    if producers >= consumers:
        return range(start, (consumer + 1) * producers // consumers)
    return range(start, start + 1)


def consumers_of(producers: int, consumers: int, producer: int, *, floats: bool = False) -> range:
    """The consumers that read ``producer``'s partition.

    >>> [list(consumers_of(2, 5, i)) for i in range(2)]
    [[0, 1, 2], [3, 4]]
    """

    def past(partition: int) -> int:
        """The first consumer that reads nothing up to ``partition``."""
        return bisect_left(
            range(consumers),
            partition + 1,
            key=lambda i: consumed_partitions(producers, consumers, i, floats=floats).start,
        )

    if producers >= consumers:
        # The one consumer whose range of partitions holds this producer.
        reader = past(producer) - 1
        return range(reader, reader + 1)
    return range(past(producer - 1), past(producer))


def consumed_subpartition(
    producers: int, consumers: int, consumer: int, *, floats: bool = False
) -> int:
    """The subpartition that ``consumer`` reads of each of its partitions.

    Flink takes the consumer's own number, not its place in the group.

    >>> [consumed_subpartition(2, 5, i) for i in range(5)]
    [0, 1, 2, 1, 0]
    """
    if producers >= consumers:
        return 0
    (partition,) = consumed_partitions(producers, consumers, consumer, floats=floats)
    return consumer % len(consumers_of(producers, consumers, partition, floats=floats))


def _single(value: float) -> float:
    """The nearest number of single precision, as Java's ``float`` keeps it."""
    (nearest,) = struct.unpack("f", struct.pack("f", value))
    return float(nearest)


def _consumed_in_floats(producers: int, consumers: int, consumer: int) -> range:
    if producers < consumers:
        partition = int(_single(consumer / _single(consumers / producers)))
        return range(partition, partition + 1)
    factor = _single(producers / consumers)
    last = consumer == consumers - 1
    end = producers if last else int(_single((consumer + 1) * factor))
    return range(int(_single(consumer * factor)), end)
