"""Graphs of networkx, with all known attributes.

Every attribute is a text, a number or a truth value, so that networkx can write it in any format;
what is not known is left out.
"""

from typing import TYPE_CHECKING, Any

import msgspec

from explorer.drawing.elements import GraphView
from explorer.extras import optional_libraries

if TYPE_CHECKING:
    import networkx


def stream_networkx(view: GraphView) -> "networkx.MultiDiGraph":
    """The StreamGraph; nodes and edges are numbered as ``StreamGraph`` numbers them."""
    graph = _graph(view.words.stream, view)
    ids = {node.key: node.id for node in view.nodes}
    for node in view.nodes:
        vertex = view.vertex_of[node.vertex]
        graph.add_node(node.id, **_attributes(node) | {"vertex": vertex.id, "chain": vertex.number})
    for edge in view.edges:
        ends = ids[edge.source], ids[edge.target]
        graph.add_edge(*ends, key=edge.index, **_attributes(edge, "source", "target", "job_edge"))
    return graph


def job_networkx(view: GraphView) -> "networkx.MultiDiGraph":
    """The JobGraph; vertices are known by their IDs, edges numbered as ``JobGraph.edges``."""
    graph = _graph(view.words.job, view)
    for vertex in view.vertices:
        names = [view.node_of[key].name for key in vertex.nodes]
        known = _attributes(vertex, "edges") | {"nodes": ", ".join(names)}
        graph.add_node(vertex.id, **known)
    for position, edge in enumerate(view.job_edges):
        ends = view.vertex_of[edge.source].id, view.vertex_of[edge.target].id
        known = _attributes(edge, "source", "target", "edge")
        graph.add_edge(
            *ends, key=position, **known | {"stream_edge": view.edge_of[edge.edge].index}
        )
    return graph


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
