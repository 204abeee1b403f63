"""What a StreamGraph document must be for its passes to work: ids, ends, sources, no cycle."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from explorer.documents.expectations import check_meant, names_of_graph
from explorer.documents.faults import node_hash_problem, too_long
from explorer.documents.limits import MAX_NODE_TEXT
from explorer.documents.synthetic_checks import check_synthetic
from explorer.errors import DocumentError
from explorer.flink.key_groups import MAX_PARALLELISM
from explorer.model.document import JobGraphDocument, StreamGraphDocument
from explorer.model.stream_graph import NodeId, StreamEdge, StreamNode

_TEXTS: Final = ("name", "uid", "slot_sharing_group", "co_location_group", "description")


def check_graph(
    nodes: Sequence[StreamNode],
    edges: Sequence[StreamEdge],
    sources: Sequence[NodeId] | None,
    *,
    limit: int | None,
) -> None:
    """Raise ``DocumentError`` for the first thing that cannot be."""
    if limit is not None and len(nodes) > limit:
        problem = f"{len(nodes):,} nodes are too many; at most {limit:,} are read"
        raise DocumentError(path="stream_graph.nodes", problem=problem)
    ids: dict[int, int] = {}
    for position, node in enumerate(nodes):
        _check_node(node, f"stream_graph.nodes[{position}]")
        if ids.setdefault(node.id, position) != position:
            problem = f"{node.id} is the id of nodes[{ids[node.id]}] already"
            raise DocumentError(path=f"stream_graph.nodes[{position}].id", problem=problem)
    for position, edge in enumerate(edges):
        _check_edge(edge, ids, f"stream_graph.edges[{position}]")
    _check_sources(nodes, edges, sources)
    _check_no_cycle(nodes, edges)
    check_synthetic(nodes, edges)


def check_stream_graph(
    document: StreamGraphDocument, _before: StreamGraphDocument | None = None
) -> None:
    """Check a StreamGraph document that was edited, as if it had been read."""
    graph = document.stream_graph
    check_graph(graph.nodes, graph.edges, graph.sources, limit=None)
    check_meant(document.expect, document.check, names_of_graph(graph.nodes))


def check_job_graph(document: JobGraphDocument, _before: JobGraphDocument | None = None) -> None:
    """Check the program of a job's document that was edited."""
    check_stream_graph(document.program)


def _check_node(node: StreamNode, path: str) -> None:
    for field, least in (("parallelism", 1), ("max_parallelism", 1)):
        value = getattr(node, field)
        if value != -1 and not least <= value <= MAX_PARALLELISM:
            problem = f"must be {least} to {MAX_PARALLELISM}, or -1 for unset, but is {value}"
            raise DocumentError(path=f"{path}.{field}", problem=problem)
    for field in _TEXTS:
        _check_length(getattr(node, field), f"{path}.{field}")
    for field in ("uid_hash", "operator_id"):
        value = getattr(node, field)
        if value is not None and (problem := node_hash_problem(value)):
            raise DocumentError(path=f"{path}.{field}", problem=problem)


def _check_length(text: str | None, path: str) -> None:
    if problem := too_long(text, MAX_NODE_TEXT):
        raise DocumentError(path=path, problem=problem)


def _check_edge(edge: StreamEdge, ids: dict[int, int], path: str) -> None:
    for field in ("source", "target"):
        if getattr(edge, field) not in ids:
            problem = f"there is no node {getattr(edge, field)}"
            raise DocumentError(path=f"{path}.{field}", problem=problem)
    for field in ("partitioner", "partitioner_class", "hash_partitioner"):
        _check_length(getattr(edge, field), f"{path}.{field}")
    if edge.type_number < 0:
        raise DocumentError(
            path=f"{path}.type_number", problem=f"must be at least 0, but is {edge.type_number}"
        )


def _check_sources(
    nodes: Sequence[StreamNode], edges: Sequence[StreamEdge], sources: Sequence[NodeId] | None
) -> None:
    fed = {edge.target for edge in edges}
    roots = {node.id for node in nodes} - fed
    if sources is not None and set(sources) != roots:
        strange = next(iter(set(sources) ^ roots))
        problem = f"must be the nodes without an in-edge, but node {strange} tells otherwise"
        raise DocumentError(path="stream_graph.sources", problem=problem)


def _check_no_cycle(nodes: Sequence[StreamNode], edges: Sequence[StreamEdge]) -> None:
    """Take away nodes without in-edges until none is left (Kahn); what stays lies on a cycle."""
    targets: dict[NodeId, list[NodeId]] = {node.id: [] for node in nodes}
    for edge in edges:
        targets[edge.source].append(edge.target)
    waiting = Counter(edge.target for edge in edges)
    ready = [node.id for node in nodes if not waiting[node.id]]
    taken = 0
    while ready:
        taken += 1
        for target in targets[ready.pop()]:
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    if taken < len(nodes):
        node = next(node.id for node in nodes if waiting[node.id] > 0)
        problem = f"the edges make a cycle through or before node {node}"
        raise DocumentError(path="stream_graph.edges", problem=problem)
