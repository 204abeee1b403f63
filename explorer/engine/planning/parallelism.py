"""The parallelism of vertices in BATCH mode, where Flink decides it while the job runs.

Mirrors ``AdaptiveBatchScheduler`` and ``DefaultVertexParallelismAndInputInfosDecider``.
"""

from collections.abc import Sequence
from typing import Final

from explorer.flink.compiler import Compilation
from explorer.flink.partitioners import partitioner_class
from explorer.model.job_graph import JobEdge, JobVertex

UNDECIDED: Final = (
    "Flink decides the parallelism of {names} from the input; as of less than 16 MB, each runs "
    "with one subtask"
)


def parallelisms(compilation: Compilation, order: Sequence[str]) -> dict[str, int]:
    """By vertex ID, producers first as in ``order``, the number of subtasks.

    Where the job graph leaves it open, a source has the environment's parallelism, what is
    forwarded to has its producer's, and any other has one subtask for each 16 MB of input.
    """
    graph = compilation.job_graph
    vertices = {vertex.id: vertex for vertex in graph.vertices}
    forwarded = {one.target: one.source for one in graph.edges if _forward(one)}
    fed = {edge.target for edge in graph.edges} if compilation.settings.dynamic else set()
    found: dict[str, int] = {}
    for id in order:
        if vertices[id].parallelism > 0:
            found[id] = vertices[id].parallelism
        elif id in forwarded:
            found[id] = found[forwarded[id]]
        else:
            found[id] = 1 if id in fed else _of_nodes(compilation, vertices[id])
    return found


def _forward(edge: JobEdge) -> bool:
    return partitioner_class(edge.partitioner_class).forward


def _of_nodes(compilation: Compilation, vertex: JobVertex) -> int:
    nodes = (compilation.stream_graph.node(operator.node) for operator in vertex.operators)
    return max(1, *(node.parallelism for node in nodes))


def undecided(compilation: Compilation) -> tuple[str, ...]:
    """A warning that names the vertices with a parallelism that depends on their input."""
    graph = compilation.job_graph
    fed = {edge.target for edge in graph.edges if not _forward(edge)}
    names = [repr(one.name) for one in graph.vertices if one.parallelism <= 0 and one.id in fed]
    return (UNDECIDED.format(names=", ".join(names)),) if names else ()
