"""Graphs of networkx, with all known attributes.

Every attribute is a text, a number or a truth value, so that networkx can write it in any format;
what is not known is left out.
"""

from typing import TYPE_CHECKING, Any

import msgspec

from explorer.drawing.view.elements import EdgeView, GraphView, NodeView, VertexView
from explorer.extras import optional_libraries

if TYPE_CHECKING:
    import networkx


def stream_networkx(view: GraphView) -> "networkx.MultiDiGraph":
    """The StreamGraph; nodes and edges are numbered as ``StreamGraph`` numbers them."""
    graph = _graph(view.words.stream, view)
    ids = {node.key: node.id for node in view.nodes}
    for node in view.nodes:
        graph.add_node(node.id, **node_attributes(view, node))
    for edge in view.edges:
        graph.add_edge(ids[edge.source], ids[edge.target], edge.index, **edge_attributes(edge))
    return graph


def job_networkx(view: GraphView) -> "networkx.MultiDiGraph":
    """The JobGraph; vertices are known by their IDs, edges numbered as ``JobGraph.edges``."""
    graph = _graph(view.words.job, view)
    for vertex in view.vertices:
        graph.add_node(vertex.id, **vertex_attributes(view, vertex))
    for position, edge in enumerate(view.job_edges):
        ends = view.vertex_of[edge.source].id, view.vertex_of[edge.target].id
        attributes = _attributes(edge, "source", "target", "edge")
        graph.add_edge(
            *ends, key=position, **attributes | {"stream_edge": view.edge_of[edge.edge].index}
        )
    return graph


def node_attributes(view: GraphView, node: NodeView) -> dict[str, Any]:
    """An operator's attributes, its task and its chain."""
    vertex = view.vertex_of[node.vertex]
    return _attributes(node) | {"vertex": vertex.id, "chain": vertex.number}


def edge_attributes(edge: EdgeView) -> dict[str, Any]:
    """The attributes of an edge of the StreamGraph."""
    return _attributes(edge, "source", "target", "job_edge")


def vertex_attributes(view: GraphView, vertex: VertexView) -> dict[str, Any]:
    """A task's attributes, and the names of its operators."""
    names = [view.node_of[key].name for key in vertex.nodes]
    return _attributes(vertex, "edges") | {"nodes": ", ".join(names)}


def _graph(name: str, view: GraphView) -> "networkx.MultiDiGraph":
    with optional_libraries():
        import networkx

    return networkx.MultiDiGraph(name=name, flink=view.release)


def _attributes(part: msgspec.Struct, *left_out: str) -> dict[str, Any]:
    return {
        name: ", ".join(value) if isinstance(value, tuple) else value
        for name, value in msgspec.structs.asdict(part).items()
        if value is not None and name not in {"key", "id", "index", "identity", *left_out}
    }
