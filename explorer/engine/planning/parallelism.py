"""The parallelism of vertices in BATCH mode, where Flink decides it while the job runs.

Mirrors ``AdaptiveBatchScheduler`` and ``DefaultVertexParallelismAndInputInfosDecider``.
"""

from collections.abc import Iterator, Sequence

from explorer.flink.compiler import Compilation
from explorer.flink.execution_graph import ExecutionEdges
from explorer.model.job_graph import JobEdge


def parallelisms(compilation: Compilation, order: Sequence[str]) -> dict[str, int]:
    """Map each vertex ID to its parallelism, in the given ``order`` with producers first.

    Where the job graph leaves the parallelism open, a source has the environment's, a vertex with a
    forward input has its producer's, and any other vertex has one subtask, as for less than 16 MB.
    """
    graph = compilation.job_graph
    vertices = {vertex.id: vertex for vertex in graph.vertices}
    forwarded = {
        edge.target: edge.source for edge, wiring in _wired_edges(compilation) if wiring.forward
    }
    fed = {edge.target for edge in graph.edges} if compilation.settings.dynamic else set()
    result: dict[str, int] = {}
    for id in order:
        if vertices[id].parallelism > 0:
            result[id] = vertices[id].parallelism
        elif id in forwarded:
            result[id] = result[forwarded[id]]
        elif id in fed:
            result[id] = 1
        else:
            nodes = map(compilation.stream_graph.node, (o.node for o in vertices[id].operators))
            result[id] = max(1, *(node.parallelism for node in nodes))
    return result


def _wired_edges(compilation: Compilation) -> Iterator[tuple[JobEdge, ExecutionEdges]]:
    return zip(compilation.job_graph.edges, compilation.execution_graph.edges, strict=True)


def undecided_warnings(compilation: Compilation) -> tuple[str, ...]:
    """Name the vertices with a parallelism that depends on their input."""
    graph = compilation.job_graph
    fed = {edge.target for edge, wiring in _wired_edges(compilation) if not wiring.forward}
    names = [
        repr(vertex.name)
        for vertex in graph.vertices
        if vertex.parallelism <= 0 and vertex.id in fed
    ]
    if not names:
        return ()
    return (
        f"Flink decides the parallelism of {', '.join(names)} from the input; as of less than "
        "16 MB, each runs with one subtask",
    )
