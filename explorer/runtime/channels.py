"""Which consumer stands behind each channel of a producer, and whom does a consumer listen to?

Mirrors ``EdgeManagerBuildUtil`` over the task's subpartitions, and for a dynamic graph
``VertexInputInfoComputationUtils``: there every producer of a point-wise edge cuts its partition
into equally many, and a consumer may read several of them.
"""

from explorer.model.pointwise import consumed_partitions, consumed_subpartition, consumers_of


def consumers_by_channel(
    subtask: int, *, producers: int, consumers: int, pointwise: bool, dynamic: bool = False
) -> tuple[int, ...]:
    """The consumer behind each channel of producer ``subtask``.

    >>> consumers_by_channel(1, producers=2, consumers=5, pointwise=True)
    (4, 3)
    >>> consumers_by_channel(1, producers=2, consumers=5, pointwise=True, dynamic=True)
    (4, 3, 3)
    """
    if not pointwise:
        return tuple(range(consumers))
    group = consumers_of(producers, consumers, subtask)
    behind = {consumed_subpartition(producers, consumers, one): one for one in group}
    cut = -(-consumers // producers) if dynamic else len(group)
    places = range(len(group))
    return tuple(
        behind[place]
        for place in places
        for _ in range(place * cut // len(group), (place + 1) * cut // len(group))
    )


def producers_of(subtask: int, *, producers: int, consumers: int, pointwise: bool) -> range:
    """The producers that consumer ``subtask`` reads."""
    if not pointwise:
        return range(producers)
    return consumed_partitions(producers, consumers, subtask)
