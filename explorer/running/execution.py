"""Describes the vertices, edges and subtasks of an execution graph.

Subtasks are made from formulas and only where they are asked for: a vertex may have 32,768 of them,
and two vertices more than a billion edges.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from explorer.flink.compiler import Compilation
from explorer.flink.execution_graph import (
    ExecutionEdges,
    ExecutionGraph,
    ExecutionJobVertex,
    ExecutionVertex,
)
from explorer.flink.partitioners import KEYED
from explorer.wording import counted

LATER: Final = "decided later"
"""The text for a number that the scheduler decides while the job runs."""
FEW: Final = 4
"""Limit of subtasks with one line for each range."""


def size(graph: ExecutionGraph) -> str:
    """Describe the size in a sentence."""
    counts = graph.counts
    parts = [
        counted(counts.subtasks, "subtask"),
        counted(counts.partitions, "result partition"),
        counted(counts.edges, "edge"),
    ]
    if later := counts.undecided_vertices:
        parts.append(f"{counted(later, 'vertex', 'vertices')} decided while the job runs")
    return " · ".join(parts)


def keyed_tasks(compilation: Compilation) -> frozenset[str]:
    """Return the IDs of the job vertices that use key groups.

    Flink gives every subtask a range, which only operators on keyed streams use.
    """
    graph, job = compilation.stream_graph, compilation.job_graph
    keyed = {edge.target for edge in graph.edges if edge.partitioner_class == KEYED}
    keyed |= {
        node for node, state in compilation.registered_states.items() if "keyed" in state.what
    }
    return frozenset(job.task_of(node).id for node in keyed)


def key_groups_text(vertex: ExecutionJobVertex) -> str:
    """Show every subtask's range, or of many subtasks the first two and the last."""
    if not vertex.decided:
        return LATER
    if vertex.parallelism <= FEW:
        return " · ".join(span(subtask.key_groups) for subtask in vertex.subtasks())
    first, second = (vertex.subtask(number).key_groups for number in (0, 1))
    last = vertex.subtask(vertex.parallelism - 1).key_groups
    return f"{span(first)} · {span(second)} · … · {span(last)}"


def ends_text(edge: ExecutionEdges) -> str:
    """Show the numbers of subtasks at both ends of a job edge."""
    return " → ".join(f"{n:,}" if n > 0 else "?" for n in (edge.producers, edge.consumers))


def reads_text(edge: ExecutionEdges) -> str:
    """Show the number of partitions that one subtask of the target reads."""
    if not edge.decided:
        return LATER
    if not edge.pointwise:
        return "its only partition" if edge.producers == 1 else f"all {edge.producers:,} partitions"
    fewest, maximum = edge.producers // edge.consumers, -(-edge.producers // edge.consumers)
    if maximum in {fewest, 1}:
        return f"{counted(maximum, 'partition')} each"
    return f"{fewest:,} or {maximum:,} partitions each"


def subtask_rows(
    graph: ExecutionGraph, ids: Sequence[str], *, first: int = 0, most: int
) -> Iterator[tuple[str, ExecutionVertex, str]]:
    """Yield vertex ID, subtask and the subtasks that it reads, for the vertices with these IDs.

    Of each vertex at most ``most`` subtasks, from number ``first`` on.
    """
    for vertex in graph.vertices:
        if vertex.id in ids and vertex.decided:
            inputs = [graph.edges[edge] for edge in vertex.inputs]
            for number in range(first, min(vertex.parallelism, first + most)):
                reads = ", ".join(_sources(graph, edge, number) for edge in inputs)
                yield vertex.id, vertex.subtask(number), reads


def _sources(graph: ExecutionGraph, edge: ExecutionEdges, consumer: int) -> str:
    """Name the subtasks, counted from 1 as in their names, from which one subtask reads."""
    source = graph.vertices[edge.source].name
    if not edge.decided:
        return f"{source}: {LATER}"
    partitions = edge.partitions(consumer)
    return f"{source}: {span((partitions[0] + 1, partitions[-1] + 1))}"


def span(ends: tuple[int, int]) -> str:
    """Write a range with both ends.

    >>> span((0, 42)), span((7, 7)), span((5, 4))
    ('0 to 42', '7', 'none')
    """
    first, last = ends
    if first > last:
        return "none"
    return str(first) if first == last else f"{first} to {last}"
