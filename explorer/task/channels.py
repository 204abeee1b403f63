"""Which consumer stands behind each channel of a producer, and whom does a consumer listen to?

Mirrors ``EdgeManagerBuildUtil`` over the task's subpartitions, and for a dynamic graph
``VertexInputInfoComputationUtils``: there a partition is cut before its consumers are known, and a
consumer may read several subpartitions.
"""

from explorer.flink.pointwise import consumed_partitions, consumed_subpartition, consumers_of


def consumers_by_channel(
    subtask: int,
    *,
    producers: int,
    consumers: int,
    pointwise: bool,
    subpartitions: int | None = None,
) -> tuple[int, ...]:
    """The consumer behind each channel of producer ``subtask``.

    >>> consumers_by_channel(1, producers=2, consumers=5, pointwise=True)
    (4, 3)
    >>> consumers_by_channel(1, producers=2, consumers=5, pointwise=True, subpartitions=3)
    (4, 3, 3)
    """
    group = list(range(consumers))
    if pointwise:
        readers = consumers_of(producers, consumers, subtask)
        group = sorted(readers, key=lambda one: consumed_subpartition(producers, consumers, one))
    cut = subpartitions or len(group)
    return tuple(
        consumer
        for place, consumer in enumerate(group)
        for _ in range(place * cut // len(group), (place + 1) * cut // len(group))
    )


def producers_of(subtask: int, *, producers: int, consumers: int, pointwise: bool) -> range:
    """The producers that consumer ``subtask`` reads."""
    if not pointwise:
        return range(producers)
    return consumed_partitions(producers, consumers, subtask)
