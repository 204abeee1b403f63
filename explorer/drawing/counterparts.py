"""Which elements of one graph are the counterparts of an element of the other?"""

from collections.abc import Callable, Mapping

from explorer.analysis.whatis import Finding
from explorer.drawing.graph_view import GraphView, NodeView


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

    The ID may be that of another release, or of the job without chaining: an operator is then
    known by the transformation that it comes from, or by its name.
    """
    origin, name = finding.transformation, finding.operator
    ways: tuple[Callable[[NodeView], bool], ...] = (
        lambda node: (node.transformation, node.name) == (origin, name),
        lambda node: node.hash == finding.id,
        lambda node: origin is not None and node.transformation == origin,
        lambda node: node.name == name,
    )
    return next((node.key for way in ways for node in view.nodes if way(node)), None)
