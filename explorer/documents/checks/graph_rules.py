"""Checks of a StreamGraph document: IDs, ends of edges, sources, no cycle."""

from collections.abc import Container, Iterator, Sequence
from typing import Final

from explorer.documents.checks.expectations import check_expectations, names_of_graph
from explorer.documents.checks.faults import Problem, node_hash_problem, refuse, too_long
from explorer.documents.checks.synthetic_checks import synthetic_problems
from explorer.documents.limits import MAX_NODE_TEXT
from explorer.errors import DocumentError
from explorer.flink.key_groups import MAX_PARALLELISM
from explorer.flink.regions import producers_first
from explorer.java_numbers import INT_MAX
from explorer.model.document import StreamGraphDocument
from explorer.model.stream_graph import NodeId, StreamEdge, StreamNode

_NODE_TEXTS: Final = ("name", "uid", "slot_sharing_group", "co_location_group", "description")
_EDGE_TEXTS: Final = ("partitioner", "partitioner_class", "hash_partitioner")


def check_count(nodes: object, limit: int | None) -> None:
    """Raise ``DocumentError`` for more nodes than ``limit``, asked before records are made."""
    if limit is not None and isinstance(nodes, list | tuple) and len(nodes) > limit:
        problem = f"{len(nodes):,} nodes are too many; at most {limit:,} are read"
        raise DocumentError(path="stream_graph.nodes", problem=problem)


def check_graph(
    nodes: Sequence[StreamNode],
    edges: Sequence[StreamEdge],
    sources: Sequence[NodeId] | None,
    *,
    limit: int | None,
) -> None:
    """Raise ``DocumentError`` for the first thing that cannot be."""
    check_count(nodes, limit)
    refuse(_problems(nodes, edges, sources))


def _problems(
    nodes: Sequence[StreamNode], edges: Sequence[StreamEdge], sources: Sequence[NodeId] | None
) -> Iterator[Problem]:
    ids: dict[int, int] = {}
    for position, node in enumerate(nodes):
        path = f"stream_graph.nodes[{position}]"
        yield from _of_node(node, path)
        if ids.setdefault(node.id, position) != position:
            yield f"{path}.id", f"{node.id} is the id of nodes[{ids[node.id]}] already"
    for position, edge in enumerate(edges):
        yield from _of_edge(edge, ids, f"stream_graph.edges[{position}]")
    roots = {node.id for node in nodes} - {edge.target for edge in edges}
    if sources is not None and (strange := set(sources) ^ roots):
        problem = f"must be the nodes without an in-edge, but node {min(strange)} differs"
        yield "stream_graph.sources", problem
    yield from _of_cycle(nodes, edges)
    yield from synthetic_problems(nodes, edges)


def check_stream_graph(
    document: StreamGraphDocument, _old_document: StreamGraphDocument | None = None
) -> None:
    """Check a StreamGraph document that was edited, as if it had been read."""
    graph = document.stream_graph
    check_graph(graph.nodes, graph.edges, graph.sources, limit=None)
    check_expectations(document.expect, document.check, names_of_graph(graph.nodes))


def _of_node(node: StreamNode, path: str) -> Iterator[Problem]:
    for field in ("parallelism", "max_parallelism"):
        value = getattr(node, field)
        if value != -1 and not 1 <= value <= MAX_PARALLELISM:
            allowed = f"1 to {MAX_PARALLELISM}, or -1 for unset"
            yield f"{path}.{field}", f"must be {allowed}, but is {value}"
    yield from _of_texts(node, _NODE_TEXTS, path)
    weight = node.operator_memory_weight
    if weight is not None and not 0 <= weight <= INT_MAX:
        problem = f"must be 0 to {INT_MAX:,}, or null for no weight, but is {weight:,}"
        yield f"{path}.operator_memory_weight", problem
    for field in ("uid_hash", "operator_id"):
        value = getattr(node, field)
        if value is not None and (problem := node_hash_problem(value)):
            yield f"{path}.{field}", problem


def _of_edge(edge: StreamEdge, ids: Container[int], path: str) -> Iterator[Problem]:
    for field in ("source", "target"):
        if getattr(edge, field) not in ids:
            yield f"{path}.{field}", f"there is no node {getattr(edge, field)}"
    yield from _of_texts(edge, _EDGE_TEXTS, path)
    if edge.type_number < 0:
        yield f"{path}.type_number", f"must be at least 0, but is {edge.type_number}"


def _of_texts(
    record: StreamNode | StreamEdge, fields: tuple[str, ...], path: str
) -> Iterator[Problem]:
    for field in fields:
        if problem := too_long(getattr(record, field), MAX_NODE_TEXT):
            yield f"{path}.{field}", problem


def _of_cycle(nodes: Sequence[StreamNode], edges: Sequence[StreamEdge]) -> Iterator[Problem]:
    """Report the first node on or after a cycle."""
    sorted_ids = producers_first(
        [stream_node.id for stream_node in nodes], [(e.source, e.target) for e in edges]
    )
    if len(sorted_ids) < len(nodes):
        placed = set(sorted_ids)
        node = next(stream_node.id for stream_node in nodes if stream_node.id not in placed)
        yield "stream_graph.edges", f"the edges make a cycle through or before node {node}"
