"""Which consumer stands behind each channel of a producer, and whom does a consumer listen to?

Mirrors ``EdgeManagerBuildUtil`` over the task's subpartitions.
"""

from explorer.model.pointwise import consumed_partitions, consumed_subpartition, consumers_of


def consumers_by_channel(
    subtask: int, *, producers: int, consumers: int, pointwise: bool
) -> tuple[int, ...]:
    """The consumer behind each channel of producer ``subtask``.

    >>> consumers_by_channel(1, producers=2, consumers=5, pointwise=True)
    (4, 3)
    """
    if not pointwise:
        return tuple(range(consumers))
    group = consumers_of(producers, consumers, subtask)
    behind = {consumed_subpartition(producers, consumers, one): one for one in group}
    return tuple(behind[channel] for channel in range(len(group)))


def producers_of(subtask: int, *, producers: int, consumers: int, pointwise: bool) -> range:
    """The producers that consumer ``subtask`` reads."""
    if not pointwise:
        return range(producers)
    return consumed_partitions(producers, consumers, subtask)
