"""Lookup of the edges between two operators, by any of their names."""

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

from explorer.errors import ExplorerError
from explorer.model.stream_graph import NodeId, StreamGraph
from explorer.wording import quoted, suggestion

End: TypeAlias = str | int | None
"""An id of the document, an operator's name with or without its prefix, or a node's number, which
may be text as well; None stands for any operator."""

_ARROW: Final = re.compile("->|→")


class UnknownEdgeError(ExplorerError):
    """No edge, or no operator, has this name."""


def edges_between(graph: StreamGraph, source: End = None, target: End = None) -> list[int]:
    """Return the positions of the edges from ``source`` to ``target``, in the graph's order.

    Raises ``UnknownEdgeError`` if an end is no operator, or if no edge joins them.
    """
    sources, targets = operators_called(graph, source), operators_called(graph, target)
    result = [
        position
        for position, edge in enumerate(graph.edges)
        if edge.source in sources and edge.target in targets
    ]
    if not result and (source, target) != (None, None):
        ends = (("from", source), ("to", target))
        route = " ".join(f"{word} {quoted(str(end))}" for word, end in ends if end is not None)
        msg = f"no edge goes {route}"
        raise UnknownEdgeError(msg)
    return result


def edges_called(
    graph: StreamGraph, text: str, hashes: Mapping[NodeId, str] | None = None
) -> list[int]:
    """Find the edges that a text such as ``A->B`` or ``A → B`` names, as ``edges_between``.

    ``hashes``: the operator IDs, by which the ends may be called as well.
    """
    # Each arrow of the text may be the one between the two names.
    arrows = _ARROW.finditer(text)
    routes = [(text[: arrow.start()].strip(), text[arrow.end() :].strip()) for arrow in arrows]
    if not routes:
        msg = f"an edge is written A->B, but {quoted(text)} has no arrow"
        raise UnknownEdgeError(msg)
    numbers = {operator_id: str(id) for id, operator_id in (hashes or {}).items()}
    routes = [
        (numbers.get(source, source), numbers.get(target, target)) for source, target in routes
    ]
    # A name may contain an arrow: Flink writes chains like that.
    good = [route for route in routes if graph.ids_by_name.keys() >= set(route)]
    source, target = (good or routes)[0]
    return edges_between(graph, source, target)


def operators_called(graph: StreamGraph, end: End) -> set[NodeId]:
    """Find the operators with a node ID or name; raises ``UnknownEdgeError``."""
    if end is None:
        return set(graph.by_id)
    if isinstance(end, int):
        node_ids = {NodeId(end)} & graph.by_id.keys()
    else:
        node_ids = set(graph.ids_by_name.get(end, ()))
    if not node_ids:
        hint = suggestion(str(end), graph.ids_by_name)
        msg = f"there is no operator {quoted(str(end))} in this graph{hint}"
        raise UnknownEdgeError(msg)
    return node_ids


def matching_operators(graph: StreamGraph, end: End) -> set[NodeId]:
    """Find operators as ``operators_called`` does.

    For a join over windows: the join itself, not the maps that tag its inputs.
    """
    called = operators_called(graph, end)
    return {id for id in called if not graph.by_id[id].tags} or called


def operator_called(graph: StreamGraph, end: End) -> NodeId:
    """Find the first operator with a node ID or name; raises ``UnknownEdgeError``."""
    return min(matching_operators(graph, end))
