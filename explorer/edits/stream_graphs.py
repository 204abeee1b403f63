"""What a person does to a program of which only the StreamGraph is known.

Plans that Flink prints hold neither strategies nor uids; whoever knows the program fills them in.
Whether a value may be is for the documents' checks to say.
"""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.documents.records import to_record
from explorer.errors import DocumentError, EditError
from explorer.flink.partitioners import PARTITIONER_CLASSES, partitioner_class
from explorer.model.document import StreamGraphDocument
from explorer.model.stream_graph import NodeId, StreamEdge, StreamGraph, StreamNode, Synthetic
from explorer.wording import quoted

_BARE: Final = StreamNode(id=NodeId(0), name="", parallelism=1)
FIELDS: Final[Mapping[str, object]] = {
    field: getattr(_BARE, field)
    for field in (
        "name",
        "parallelism",
        "max_parallelism",
        "chaining_strategy",
        "slot_sharing_group",
        "uid",
        "uid_hash",
        "buffer_timeout",
    )
}
"""The fields of a node that can be set, and what they are when they are not given."""

_NOTHING: Final = Synthetic()
SYNTHETIC: Final[Mapping[str, object]] = msgspec.structs.asdict(_NOTHING)
"""The same for what a trial runs in place of an operator."""


def set_node_field(
    document: StreamGraphDocument, id: NodeId, field: str, value: object
) -> StreamGraphDocument:
    """Set an operator's field; None takes it back to its default.

    A FORWARD edge whose ends then differ in parallelism becomes REBALANCE, as Flink chooses there.
    """
    if field not in FIELDS:
        msg = (
            f"an operator has no field {quoted(field)} that can be set; choose {', '.join(FIELDS)}"
        )
        raise EditError(msg)
    graph = document.stream_graph
    if id not in graph.by_id:
        msg = f"there is no operator numbered {id}"
        raise EditError(msg)
    given = FIELDS[field] if value is None else value
    fields = msgspec.structs.asdict(graph.by_id[id]) | {field: given}
    try:
        changed = to_record(fields, StreamNode)
    except DocumentError as error:
        msg = f"operator {id}: {error}"
        raise EditError(msg) from None
    nodes = tuple(changed if node.id == id else node for node in graph.nodes)
    width = {node.id: node.parallelism for node in nodes}
    edges = tuple(
        _partitioned(edge, "REBALANCE")
        if partitioner_class(edge.partitioner_class).forward
        and width[edge.source] != width[edge.target]
        else edge
        for edge in graph.edges
    )
    return _with(document, nodes=nodes, edges=edges)


def set_synthetic(
    document: StreamGraphDocument, id: NodeId, field: str, value: object
) -> StreamGraphDocument:
    """Set what a trial runs in place of an operator; None takes the field back to its default.

    Raises ``EditError`` where there is no such operator or field, and ``DocumentError`` for a value
    of another type. It changes neither graph, so that what Flink made of a captured program still
    stands.
    """
    graph = document.stream_graph
    if id not in graph.by_id:
        msg = f"there is no operator numbered {id}"
        raise EditError(msg)
    if field not in SYNTHETIC:
        msg = f"synthetic has no field {field!r}; choose {', '.join(SYNTHETIC)}"
        raise EditError(msg)
    given = msgspec.to_builtins(graph.by_id[id].synthetic or _NOTHING)
    given[field] = SYNTHETIC[field] if value is None else value
    made = to_record(given, Synthetic)
    changed = replace(graph.by_id[id], synthetic=None if made == _NOTHING else made)
    nodes = tuple(changed if node.id == id else node for node in graph.nodes)
    edited = _with(document, nodes=nodes, edges=graph.edges)
    return replace(edited, flink_job_graph=document.flink_job_graph)


def set_edge_partitioner(
    document: StreamGraphDocument, edge: int, partitioner: str
) -> StreamGraphDocument:
    """Let the edge at this position be partitioned in another way."""
    if partitioner not in PARTITIONER_CLASSES:
        msg = f"no partitioner {partitioner!r}; choose one of {', '.join(PARTITIONER_CLASSES)}"
        raise EditError(msg)
    graph = document.stream_graph
    source, target = (
        graph.by_id[end] for end in (graph.edges[edge].source, graph.edges[edge].target)
    )
    if partitioner == "FORWARD" and source.parallelism != target.parallelism:
        msg = (
            "FORWARD needs the same parallelism at both ends, and they have "
            f"{source.parallelism} and {target.parallelism}"
        )
        raise EditError(msg)
    edges = list(graph.edges)
    edges[edge] = _partitioned(edges[edge], partitioner)
    return _with(document, nodes=graph.nodes, edges=tuple(edges))


def _partitioned(edge: StreamEdge, partitioner: str) -> StreamEdge:
    kind = PARTITIONER_CLASSES[partitioner]
    return replace(
        edge,
        partitioner=partitioner,
        partitioner_class=kind,
        pointwise=None,
        hash_partitioner=None,
        keys=None,
        selector=None,
    )


def _with(
    document: StreamGraphDocument, *, nodes: tuple[StreamNode, ...], edges: tuple[StreamEdge, ...]
) -> StreamGraphDocument:
    """The document with other nodes and edges in the same order; not what Flink captured."""
    old = document.stream_graph
    graph = StreamGraph(
        nodes=nodes,
        edges=edges,
        sources=old.sources,
        chaining_enabled=old.chaining_enabled,
        in_edges=old.in_edges,
        out_edges=old.out_edges,
        by_id={node.id: node for node in nodes},
    )
    return replace(document, stream_graph=graph, flink_job_graph=None)
