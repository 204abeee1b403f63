"""Description of an execution graph: vertices, edges and subtasks, one row each.

Rows are made from formulas and only where they are asked for: a vertex may have 32,768 subtasks and
two of them more than a billion edges.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from explorer.flink.compiler import Compilation
from explorer.flink.execution_graph import ExecutionEdges, ExecutionGraph, ExecutionJobVertex
from explorer.flink.partitioners import KEYED
from explorer.wording import counted

LATER: Final = "decided later"
"""The text for a number that the scheduler decides while the job runs."""
FEW: Final = 4
"""Limit of subtasks with one line for each range."""


class VertexRow(msgspec.Struct, frozen=True, kw_only=True):
    """A job vertex and its subtasks."""

    id: str
    name: str
    parallelism: int | None
    """None: decided later."""
    max_parallelism: int
    derived: bool
    """Whether Flink derives the maximum from the parallelism."""
    key_groups: str
    results: int
    """Number of data sets that it writes."""


class EdgeRow(msgspec.Struct, frozen=True, kw_only=True):
    """A job edge between the subtasks of two vertices."""

    job_edge: int
    """Position in ``JobGraph.edges``."""
    source: str
    target: str
    pattern: str
    ends: str
    count: int | None
    """Channels; None: decided later."""
    reads: str
    """The number of partitions that one subtask of the target reads, in words."""
    result_type: str


class SubtaskRow(msgspec.Struct, frozen=True, kw_only=True):
    """One subtask."""

    id: str
    """The ID of its job vertex."""
    number: int
    name: str
    """The name that a task manager shows, numbered from 1."""
    key_groups: tuple[int, int]
    reads: str
    """For each input, the subtasks from which it reads partitions."""


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


def vertex_rows(graph: ExecutionGraph) -> Iterator[VertexRow]:
    """Return one row for each job vertex, in the graph's order."""
    for vertex in graph.vertices:
        yield VertexRow(
            id=vertex.id,
            name=vertex.name,
            parallelism=vertex.parallelism if vertex.decided else None,
            max_parallelism=vertex.max_parallelism,
            derived=vertex.max_parallelism_derived,
            key_groups=_key_groups(vertex),
            results=len(vertex.results),
        )


def keyed_tasks(compilation: Compilation) -> frozenset[str]:
    """Return the IDs of the job vertices that use key groups.

    Flink gives every subtask a range, which only operators on keyed streams use.
    """
    graph, job = compilation.stream_graph, compilation.job_graph
    keyed = {edge.target for edge in graph.edges if edge.partitioner_class == KEYED}
    keyed |= {node for node, state in compilation.held_states.items() if "keyed" in state.what}
    return frozenset(job.task_of(node).id for node in keyed)


def _key_groups(vertex: ExecutionJobVertex) -> str:
    """Show every subtask's range, or of many subtasks the first two and the last."""
    if not vertex.decided:
        return LATER
    if vertex.parallelism <= FEW:
        return " · ".join(span(subtask.key_groups) for subtask in vertex.subtasks())
    first, second = (vertex.subtask(number).key_groups for number in (0, 1))
    last = vertex.subtask(vertex.parallelism - 1).key_groups
    return f"{span(first)} · {span(second)} · … · {span(last)}"


def edge_rows(graph: ExecutionGraph) -> Iterator[EdgeRow]:
    """Return one row for each job edge, in the order of the JobGraph."""
    for edge in graph.edges:
        ends = [f"{n:,}" if n > 0 else "?" for n in (edge.producers, edge.consumers)]
        yield EdgeRow(
            job_edge=edge.job_edge,
            source=graph.vertices[edge.source].name,
            target=graph.vertices[edge.target].name,
            pattern="point-wise" if edge.pointwise else "all-to-all",
            ends=" → ".join(ends),
            count=edge.count,
            reads=_reads_in_words(edge),
            result_type=graph.results[edge.result].result_type,
        )


def _reads_in_words(edge: ExecutionEdges) -> str:
    if not edge.decided:
        return LATER
    if not edge.pointwise:
        return "its only partition" if edge.producers == 1 else f"all {edge.producers:,} partitions"
    fewest, most = edge.producers // edge.consumers, -(-edge.producers // edge.consumers)
    if most in {fewest, 1}:
        return f"{counted(most, 'partition')} each"
    return f"{fewest:,} or {most:,} partitions each"


def subtask_rows(
    graph: ExecutionGraph, ids: Sequence[str], *, first: int = 0, most: int
) -> Iterator[SubtaskRow]:
    """Return the subtasks of these vertices, at most ``most`` of each, from number ``first`` on."""
    for vertex in graph.vertices:
        if vertex.id in ids and vertex.decided:
            inputs = [graph.edges[edge] for edge in vertex.inputs]
            for number in range(first, min(vertex.parallelism, first + most)):
                subtask = vertex.subtask(number)
                yield SubtaskRow(
                    id=vertex.id,
                    number=number,
                    name=subtask.name,
                    key_groups=subtask.key_groups,
                    reads=", ".join(_read(graph, edge, number) for edge in inputs),
                )


def _read(graph: ExecutionGraph, edge: ExecutionEdges, consumer: int) -> str:
    """Name the subtasks, counted from 1 as in their names, from which one subtask reads."""
    source = graph.vertices[edge.source].name
    if not edge.decided:
        return f"{source}: {LATER}"
    partitions = edge.consumed(consumer).partitions
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
