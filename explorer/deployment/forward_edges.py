"""FORWARD edges between tasks of different parallelism, after an override or a rescale.

Mirrors ``StreamTask.replaceForwardPartitionerIfConsumerParallelismDoesNotMatch``: a subtask deals
out its records to all its channels, unless it has as many channels as its task has subtasks. Then
it treats the edge as FORWARD, and sends all records to its first channel.
"""

from collections.abc import Iterator

from explorer.flink.execution_graph import ExecutionEdges, ExecutionGraph
from explorer.model.frozen import FrozenRecord
from explorer.wording import counted, listed, quoted

_SHOWN = 6
"""Subtasks that a sentence names."""


class BrokenForward(FrozenRecord, frozen=True, kw_only=True):
    """A FORWARD edge with ends of different parallelism."""

    job_edge: int
    source: str
    target: str
    producers: int
    consumers: int
    starved: tuple[int, ...]
    """The target's subtasks that get no records, from 0."""

    @property
    def sentence(self) -> str:
        """What becomes of the records."""
        ends = (
            f"FORWARD from {quoted(self.source)} ({counted(self.producers, 'subtask')}) to "
            f"{quoted(self.target)} ({self.consumers:,})"
        )
        if not self.starved:
            return f"{ends}: Flink deals out the records of each subtask over its channels."
        numbers = [str(item + 1) for item in self.starved[:_SHOWN]]
        more = ["others"] if len(self.starved) > _SHOWN else []
        plural = len(self.starved) > 1
        return (
            f"{ends}: {'subtasks' if plural else 'subtask'} {listed([*numbers, *more])} of the "
            f"target {'get' if plural else 'gets'} no records, since a subtask with "
            f"{counted(self.producers, 'channel')} sends all to its first one."
        )


def broken_forwards(graph: ExecutionGraph) -> Iterator[BrokenForward]:
    """Yield the FORWARD edges with ends of different parallelism, in the order of the graph."""
    for edge in graph.edges:
        if edge.forward and edge.decided and edge.producers != edge.consumers:
            yield BrokenForward(
                job_edge=edge.job_edge,
                source=graph.vertices[edge.source].name,
                target=graph.vertices[edge.target].name,
                producers=edge.producers,
                consumers=edge.consumers,
                starved=tuple(_find_starved(edge)),
            )


def _find_starved(edge: ExecutionEdges) -> Iterator[int]:
    if edge.dynamic:
        return
    fed: set[int] = set()
    for producer in range(edge.producers):
        readers = edge.consumers_of(producer)
        fed.update(readers[:1] if len(readers) == edge.producers else readers)
    yield from (item for item in range(edge.consumers) if item not in fed)
