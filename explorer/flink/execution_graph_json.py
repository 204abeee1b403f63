"""An execution graph as JSON-ready members; what is too much to list is counted only."""

from typing import Any, Final

from explorer.flink.execution_graph import (
    ExecutionEdges,
    ExecutionGraph,
    ExecutionJobVertex,
    IntermediateResult,
)

MAX_LISTED: Final = 10_000
"""Subtasks of all vertices up to which each is listed, with what it reads."""


def execution_graph_members(graph: ExecutionGraph, *, limit: int = MAX_LISTED) -> dict[str, Any]:
    """All members; with more than ``limit`` subtasks, the numbers alone.

    Ranges are written with both ends included, parallelisms that are undecided as -1, and what
    follows from them as null.
    """
    counts = graph.counts
    listed = counts.subtasks <= limit
    return {
        "counts": counts._asdict(),
        "listed": listed,
        "vertices": [_vertex(vertex, listed=listed) for vertex in graph.vertices],
        "results": [_result(graph, result) for result in graph.results],
        "edges": [_edge(graph, edge, listed=listed) for edge in graph.edges],
    }


def _vertex(vertex: ExecutionJobVertex, *, listed: bool) -> dict[str, Any]:
    members: dict[str, Any] = {
        "id": vertex.id,
        "name": vertex.name,
        "parallelism": vertex.parallelism,
        "max_parallelism": vertex.max_parallelism,
        "max_parallelism_derived": vertex.max_parallelism_derived,
    }
    if listed and vertex.decided:
        members["subtasks"] = [subtask._asdict() for subtask in vertex.subtasks()]
    return members


def _result(graph: ExecutionGraph, result: IntermediateResult) -> dict[str, Any]:
    first = graph.edges[result.consumers[0]]
    return {
        "producer": graph.vertices[result.producer].id,
        "dataset_index": result.number,
        "result_type": result.result_type,
        "partitions": result.partitions,
        "subpartitions": first.all_subpartitions,
        "consumers": len(result.consumers),
    }


def _edge(graph: ExecutionGraph, edge: ExecutionEdges, *, listed: bool) -> dict[str, Any]:
    members: dict[str, Any] = {
        "source": graph.vertices[edge.source].id,
        "target": graph.vertices[edge.target].id,
        "input": edge.input,
        "dataset_index": graph.results[edge.result].number,
        "distribution_pattern": "POINTWISE" if edge.pointwise else "ALL_TO_ALL",
        "count": edge.count,
    }
    if listed and edge.decided:
        members["consumed"] = [_consumed(edge, consumer) for consumer in range(edge.consumers)]
    return members


def _consumed(edge: ExecutionEdges, consumer: int) -> dict[str, Any]:
    consumed = edge.consumed(consumer)
    return {
        "subtask": consumer,
        **{name: [part[0], part[-1]] for name, part in consumed._asdict().items()},
    }
