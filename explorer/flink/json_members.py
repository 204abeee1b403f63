"""Graphs and the execution plan as JSON-ready members, spelled as Flink prints them."""

from typing import Any, Final

import msgspec

from explorer.flink.execution_graph import (
    ExecutionEdges,
    ExecutionGraph,
    ExecutionJobVertex,
    IntermediateResult,
)
from explorer.flink.names import description
from explorer.flink.releases import Release
from explorer.model.chains import JobSettings
from explorer.model.job_graph import JobGraph
from explorer.model.stream_graph import StreamGraph, StreamNode

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
    members: dict[str, Any] = msgspec.to_builtins(vertex)
    del members["inputs"], members["results"]
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
        "distribution_pattern": edge.pattern,
        "count": edge.count,
    }
    if listed and edge.decided:
        members["consumed"] = [
            {"subtask": consumer}
            | {
                name: [part[0], part[-1]]
                for name, part in edge.consumed(consumer)._asdict().items()
            }
            for consumer in range(edge.consumers)
        ]
    return members


def execution_plan(graph: StreamGraph, release: Release) -> dict[str, Any]:
    """The plan: sinks last, each kind in the order of its ids.

    ``JSONGenerator.decorateEdge`` calls the side of every input ``second``: it looks at the list
    after adding to it.
    """
    # ``JSONGenerator.getJSON`` sorts by ``getSinkIDs().contains``, then by ID.
    ordered = sorted(graph.nodes, key=lambda node: (node.sink, node.id))
    return {"nodes": [_plan_node(graph, node, release) for node in ordered]}


def _plan_node(graph: StreamGraph, node: StreamNode, release: Release) -> dict[str, Any]:
    described = node.description if release.descriptions else None
    source = node.id in graph.sources
    members: dict[str, Any] = {
        "id": node.id,
        "type": node.name,
        "pact": "Data Source" if source else "Data Sink" if node.sink else "Operator",
        "contents": described or node.name,
        "parallelism": node.parallelism,
    }
    if positions := graph.in_edges[node.id]:
        members["predecessors"] = [
            {"id": edge.source, "ship_strategy": edge.partitioner, "side": "second"}
            for edge in (graph.edges[i] for i in positions)
        ]
    return members


def stream_graph_members(
    graph: StreamGraph, settings: JobSettings, release: Release
) -> dict[str, Any]:
    """The StreamGraph; ``edges`` by source node and then in the order of its out-edges.

    Fields that the release does not have are absent.
    """
    ordered = [graph.edges[i] for node in graph.nodes for i in graph.out_edges[node.id]]
    return {
        "chaining_enabled": graph.chaining_enabled,
        "nodes": [_node(graph, node, release) for node in graph.nodes],
        "edges": msgspec.to_builtins(ordered),
        "sources": sorted(graph.sources),
        "settings": msgspec.to_builtins(settings),
    }


def _node(graph: StreamGraph, node: StreamNode, release: Release) -> dict[str, Any]:
    members: dict[str, Any] = msgspec.to_builtins(node)
    if not node.strategy_is_assumed:
        del members["strategy_is_assumed"]
    members["yielding"] = node.yielding and release.yielding_reported
    members["yields_to_mailbox"] = node.yielding
    for member in ("supports_concurrent_attempts", "event_time", "operator", "synthetic"):
        if members[member] is None:
            del members[member]
    members["in_order"] = [graph.edges[i].source for i in graph.in_edges[node.id]]
    members["out_order"] = [graph.edges[i].target for i in graph.out_edges[node.id]]
    return members


def job_graph_members(job_graph: JobGraph) -> dict[str, Any]:
    """The JobGraph: its type, vertices and edges."""
    return {
        "job_type": job_graph.job_type,
        "vertices": [
            msgspec.to_builtins(vertex) | {"description": description(vertex)}
            for vertex in job_graph.vertices
        ],
        "edges": msgspec.to_builtins(job_graph.edges),
        "checkpointing": msgspec.to_builtins(job_graph.checkpointing),
        "savepoint": msgspec.to_builtins(job_graph.savepoint),
        "artifacts": job_graph.artifacts,
    }


_ADAPTIVE_MEMBERS: Final = ("id", "name", "operator_ids", "parallelism", "max_parallelism")


def adaptive_members(job_graph: JobGraph) -> dict[str, Any]:
    """The adaptive batch scheduler's JobGraph, in the order in which it makes the vertices.

    Parallelism and ship strategy are those that are known before the job runs: the scheduler
    decides a parallelism of -1, and may turn a HASH join into a BROADCAST one.
    """
    return {
        "vertices": [
            {member: getattr(vertex, member) for member in _ADAPTIVE_MEMBERS}
            for vertex in job_graph.vertices
        ],
        "edges": msgspec.to_builtins(job_graph.edges),
    }
