"""Which elements of one graph are the counterparts of an element of the other?"""

from collections.abc import Mapping

from explorer.analysis.whatis import Finding
from explorer.drawing.graph_view import GraphView


def counterparts(view: GraphView) -> Mapping[str, tuple[str, ...]]:
    """By key, the keys of what stands for it in the other graph.

    A node or a chained edge belongs to its vertex, a cut edge to its job edge, and the other way
    round.
    """
    vertex_of = {node.key: node.vertex for node in view.nodes}
    pairs: dict[str, tuple[str, ...]] = {key: (vertex,) for key, vertex in vertex_of.items()}
    for vertex in view.vertices:
        pairs[vertex.key] = (*vertex.nodes, *vertex.edges)
    for edge in view.edges:
        pairs[edge.key] = (edge.job_edge or vertex_of[edge.source],)
    for job_edge in view.job_edges:
        pairs[job_edge.key] = (job_edge.edge,)
    return pairs


def through(view: GraphView, transformation: str) -> tuple[str, ...]:
    """The keys of what a transformation became: its nodes, or the edges that pass it."""
    nodes = tuple(node.key for node in view.nodes if node.transformation == transformation)
    return nodes or tuple(edge.key for edge in view.edges if transformation in edge.via)


def node_key(finding: Finding, view: GraphView) -> str | None:
    """The key of the operator that was found; None where the drawn graph has no such one.

    Another release may make more operators of a transformation: the first one stands for it then.
    """
    known = {node.identity: node.key for node in view.nodes}
    return known.get(finding.identity) or known.get((finding.identity[0], 0))
