"""Elements upstream and downstream of an element, and the graph that shows only some.

A path stays in the graph of its first element: operators and edges of the StreamGraph,
or job vertices and job edges of the JobGraph.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from explorer.drawing.view.elements import Edges, GraphView

Direction: TypeAlias = Literal["upstream", "downstream"]
"""Against the streams, or along them."""
ALL: Final = -1
"""As many steps as there are."""


def reached(view: GraphView, key: str, direction: Direction, steps: int = ALL) -> frozenset[str]:
    """Return the keys of elements within ``steps`` of ``key``, and of the edges on the path.

    A step passes one edge; an edge's own first step is to its end. ``key`` itself is not among
    them, unless an iteration leads back to it. An unknown key reaches nothing.
    """
    of_job_graph = key in view.vertex_of or key in view.job_edge_of
    edges: Edges = view.job_edges if of_job_graph else view.edges
    ahead = _ahead(edges, direction)
    result: set[str] = set()
    edge = view.edge_of.get(key) or view.job_edge_of.get(key)
    front = [key]
    if edge is not None and steps != 0:
        front = [edge.source if direction == "upstream" else edge.target]
        result.update(front)
        steps -= 1
    while front and steps != 0:
        passed = [pair for item in front for pair in ahead[item]]
        front = [end for end in dict.fromkeys(end for _, end in passed) if end not in result]
        result.update(key for pair in passed for key in pair)
        steps -= 1
    return frozenset(result)


def steps_to(view: GraphView, operator: str, direction: Direction) -> dict[str, int]:
    """Map each operator reached from one to its distance in steps, the nearest first."""
    ahead = _ahead(view.edges, direction)
    result: dict[str, int] = {}
    front, step = [operator], 0
    while front:
        step += 1
        ends = dict.fromkeys(end for item in front for _, end in ahead[item])
        front = [end for end in ends if end not in result]
        result.update(dict.fromkeys(front, step))
    return result


def _ahead(edges: Edges, direction: Direction) -> Mapping[str, list[tuple[str, str]]]:
    """Map each key to the edges to pass and the ends that they lead to."""
    ahead: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for edge in edges:
        begin, end = edge.source, edge.target
        if direction == "upstream":
            begin, end = end, begin
        ahead[begin].append((edge.key, end))
    return ahead


def operators_of(view: GraphView, keys: Iterable[str]) -> frozenset[str]:
    """Return the keys of the operators of these elements: an edge has both its ends."""
    result: set[str] = set()
    for key in keys:
        if key in view.node_of:
            result.add(key)
        elif key in view.vertex_of:
            result.update(view.vertex_of[key].nodes)
        elif key in view.edge_of:
            result.update((view.edge_of[key].source, view.edge_of[key].target))
        elif key in view.job_edge_of:
            edge = view.job_edge_of[key]
            result.update(view.vertex_of[edge.source].nodes, view.vertex_of[edge.target].nodes)
    return frozenset(result)


def isolate_operators(view: GraphView, operators: Collection[str]) -> GraphView:
    """Return the view with these operators alone, the edges between them, and their tasks.

    Chains keep their numbers and tasks their names: what is shown is a part, not another job.
    """
    nodes = tuple(node for node in view.nodes if node.key in operators)
    edges = tuple(
        edge for edge in view.edges if edge.source in operators and edge.target in operators
    )
    retained = {edge.key for edge in edges}
    vertices = tuple(
        msgspec.structs.replace(
            vertex,
            nodes=tuple(key for key in vertex.nodes if key in operators),
            edges=tuple(key for key in vertex.edges if key in retained),
        )
        for vertex in view.vertices
        if any(key in operators for key in vertex.nodes)
    )
    job_edges = tuple(edge for edge in view.job_edges if edge.edge in retained)
    return msgspec.structs.replace(
        view,
        nodes=nodes,
        edges=edges,
        vertices=vertices,
        job_edges=job_edges,
        node_of={node.key: node for node in nodes},
        edge_of={edge.key: edge for edge in edges},
        vertex_of={vertex.key: vertex for vertex in vertices},
        job_edge_of={edge.key: edge for edge in job_edges},
    )
