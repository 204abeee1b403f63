"""Operators, edges and tasks as pandas data frames, with the columns of the networkx graphs."""

from typing import TYPE_CHECKING, NamedTuple

from explorer.drawing.text.networkx_graph import edge_attributes, node_attributes, vertex_attributes
from explorer.extras import optional_libraries

if TYPE_CHECKING:
    import pandas as pd

    from explorer.drawing.view.elements import GraphView


class GraphTables(NamedTuple):
    """Three data frames, a row for each operator, edge and task."""

    operators: "pd.DataFrame"
    """By node ID of the StreamGraph."""
    edges: "pd.DataFrame"
    """By position in ``StreamGraph.edges``; ``source`` and ``target`` are node IDs."""
    vertices: "pd.DataFrame"
    """By job vertex ID."""


def graph_tables(view: "GraphView") -> GraphTables:
    """The tables of both graphs; raises ``MissingLibraryError`` without pandas."""
    with optional_libraries():
        import pandas as pd
    ids = {node.key: node.id for node in view.nodes}
    operators = [{"id": node.id, **node_attributes(view, node)} for node in view.nodes]
    edges = [
        {"source": ids[edge.source], "target": ids[edge.target], **edge_attributes(edge)}
        for edge in view.edges
    ]
    vertices = [{"id": vertex.id, **vertex_attributes(view, vertex)} for vertex in view.vertices]
    return GraphTables(
        operators=pd.DataFrame(operators).set_index("id"),
        edges=pd.DataFrame(edges, index=[edge.index for edge in view.edges]),
        vertices=pd.DataFrame(vertices).set_index("id"),
    )
