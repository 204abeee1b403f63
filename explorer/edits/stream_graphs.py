"""Edits of a StreamGraph document, and of an operator of any kind of document.

Plans that Flink prints hold neither strategies nor uids; the user adds them.
Whether a value may be is for the documents' checks to say.
"""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.documents.records import to_record
from explorer.edits.transformations import edited_record, set_field
from explorer.errors import EditError
from explorer.flink.partitioners import PARTITIONER_CLASSES, partitioner_class
from explorer.model.document import Document, StreamGraphDocument
from explorer.model.stream_graph import NodeId, StreamEdge, StreamGraph, StreamNode, Synthetic
from explorer.wording import quoted

_BARE: Final = StreamNode(id=NodeId(0), name="", parallelism=1)
FIELDS: Final[Mapping[str, object]] = {
    field: getattr(_BARE, field)
    for field in (
        *("name", "parallelism", "max_parallelism", "chaining_strategy", "slot_sharing_group"),
        *("uid", "uid_hash", "buffer_timeout"),
    )
}
"""The fields of a node that can be set, and what they are when they are not given."""

_NOTHING: Final = Synthetic()
SYNTHETIC: Final[Mapping[str, object]] = msgspec.structs.asdict(_NOTHING)
"""Fields and defaults of an operator's synthetic settings."""


def set_node_field(
    document: StreamGraphDocument, id: NodeId, field: str, value: object
) -> StreamGraphDocument:
    """Set an operator's field; None resets it to its default.

    A FORWARD edge with ends that then differ in parallelism becomes REBALANCE, as Flink chooses
    there.
    """
    if field not in FIELDS:
        msg = (
            f"an operator has no field {quoted(field)} that can be set; choose {', '.join(FIELDS)}"
        )
        raise EditError(msg)
    values = FIELDS[field] if value is None else value
    fields = msgspec.structs.asdict(_node(document, id)) | {field: values}
    graph = _with_node(document.stream_graph, edited_record(fields, StreamNode, f"operator {id}"))
    width = {node.id: node.parallelism for node in graph.nodes}
    edges = tuple(
        _set_partitioner(edge, "REBALANCE")
        if partitioner_class(edge.partitioner_class).forward
        and width[edge.source] != width[edge.target]
        else edge
        for edge in graph.edges
    )
    return _with(document, replace(graph, edges=edges))


def set_operator_field(
    document: Document, node: NodeId, transformation: str | None, field: str, value: object
) -> Document:
    """Set a field that operators have, such as ``uid_hash``.

    The operator is given as the graph has it: its number, and the transformation that it comes
    from. Raises ``EditError`` where there is none to set it on.
    """
    if document.operators is not None:
        return set_node_field(document.operators, node, field, value)
    if document.pipeline is None:
        msg = "a submitted job is what its cluster reports; edit the document of its program"
        raise EditError(msg)
    if transformation is None:
        msg = f"operator {node} comes from no transformation of the pipeline, so it has none to set"
        raise EditError(msg)
    return set_field(document.pipeline, transformation, field, value)


def set_synthetic(
    document: StreamGraphDocument, id: NodeId, field: str, value: object
) -> StreamGraphDocument:
    """Set what a trial runs in place of an operator; None resets the field to its default.

    Raises ``EditError`` where there is no such operator or field, and ``DocumentError`` for a value
    of another type. It changes neither graph, so that what Flink compiled from a captured program
    still stands.
    """
    node = _node(document, id)
    if field not in SYNTHETIC:
        msg = f"synthetic has no field {field!r}; choose {', '.join(SYNTHETIC)}"
        raise EditError(msg)
    builtins = msgspec.to_builtins(node.synthetic or _NOTHING)
    builtins[field] = SYNTHETIC[field] if value is None else value
    synthetic = to_record(builtins, Synthetic)
    changed = replace(node, synthetic=None if synthetic == _NOTHING else synthetic)
    return replace(document, stream_graph=_with_node(document.stream_graph, changed))


def _node(document: StreamGraphDocument, id: NodeId) -> StreamNode:
    try:
        return document.stream_graph.node(id)
    except KeyError:
        msg = f"there is no operator numbered {id}"
        raise EditError(msg) from None


def _with_node(graph: StreamGraph, changed: StreamNode) -> StreamGraph:
    nodes = (changed if node.id == changed.id else node for node in graph.nodes)
    return graph.with_nodes(tuple(nodes))


def set_edge_partitioner(
    document: StreamGraphDocument, edge: int, partitioner: str
) -> StreamGraphDocument:
    """Let the edge at this position be partitioned differently."""
    if partitioner not in PARTITIONER_CLASSES:
        msg = f"no partitioner {partitioner!r}; choose one of {', '.join(PARTITIONER_CLASSES)}"
        raise EditError(msg)
    graph = document.stream_graph
    ends = graph.edges[edge]
    source, target = graph.node(ends.source), graph.node(ends.target)
    if partitioner == "FORWARD" and source.parallelism != target.parallelism:
        msg = (
            "FORWARD needs the same parallelism at both ends, and they have "
            f"{source.parallelism} and {target.parallelism}"
        )
        raise EditError(msg)
    edges = list(graph.edges)
    edges[edge] = _set_partitioner(ends, partitioner)
    return _with(document, replace(graph, edges=tuple(edges)))


def _set_partitioner(edge: StreamEdge, partitioner: str) -> StreamEdge:
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


def _with(document: StreamGraphDocument, graph: StreamGraph) -> StreamGraphDocument:
    """Return the document with another graph, to which Flink's JobGraph no longer applies."""
    return replace(document, stream_graph=graph, flink_job_graph=None)
