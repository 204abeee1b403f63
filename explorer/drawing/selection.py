"""What is selected, and what of it is left after an edit?

Node ids and positions shift when a transformation is added or deleted, and a chain's number when an
edge is cut; so a selection is carried over by what it stands for.
"""

from collections.abc import Mapping
from typing import Final

from explorer.drawing.elements import through
from explorer.drawing.graph_view import EdgeView, GraphView, NodeView

TRANSFORMATION: Final = "t:"


def exists(view: GraphView, key: str) -> bool:
    """Whether the view has such an element."""
    return any(
        key in each for each in (view.node_of, view.edge_of, view.vertex_of, view.job_edge_of)
    )


def carried(selection: str | None, before: GraphView | None, after: GraphView) -> str | None:
    """The key, in ``after``, of what ``selection`` was in ``before``; None where it is gone."""
    if selection is None or before is None or selection.startswith(TRANSFORMATION):
        return selection
    if selection in before.node_of:
        node = _node(selection, before, after)
        return node.key if node else None
    if selection in before.edge_of:
        edge = _edge(selection, before, after)
        return edge.key if edge else None
    if selection in before.vertex_of:
        node = _node(before.vertex_of[selection].nodes[0], before, after)
        return node.vertex if node else None
    if selection in before.job_edge_of:
        edge = _edge(before.job_edge_of[selection].edge, before, after)
        return (edge.job_edge or edge.key) if edge else None
    return None


def _node(key: str, before: GraphView, after: GraphView) -> NodeView | None:
    wanted = before.node_of[key].identity
    return next((node for node in after.nodes if node.identity == wanted), None)


def _edge(key: str, before: GraphView, after: GraphView) -> EdgeView | None:
    wanted = before.edge_of[key].identity
    return next((edge for edge in after.edges if edge.identity == wanted), None)


def transformation_of(selection: str | None, view: GraphView | None) -> str | None:
    """The id of the transformation to edit: the selected node's, or that of a vertex's head."""
    if selection is None:
        return None
    if selection.startswith(TRANSFORMATION):
        return selection.removeprefix(TRANSFORMATION)
    if view is None:
        return None
    if selection in view.vertex_of:
        return view.node_of[view.vertex_of[selection].nodes[0]].transformation
    if selection in view.node_of:
        return view.node_of[selection].transformation
    edge = selection
    if selection in view.job_edge_of:
        edge = view.job_edge_of[selection].edge
    return view.node_of[view.edge_of[edge].target].transformation if edge in view.edge_of else None


def job_edge_number(selection: str | None, view: GraphView) -> int | None:
    """The position in the JobGraph of the edge that is selected, or became of the selected one."""
    edge = view.edge_of.get(selection or "")
    key = edge.job_edge if edge else selection
    return int(key[1:]) if key and key in view.job_edge_of else None


def lit(
    selection: str | None, view: GraphView, pairs: Mapping[str, tuple[str, ...]]
) -> frozenset[str]:
    """The keys that light up with a selection, itself included; ``pairs``: the counterparts."""
    if selection is None:
        return frozenset()
    if selection.startswith(TRANSFORMATION):
        found = through(view, selection.removeprefix(TRANSFORMATION))
    else:
        found = (selection,)
    return frozenset(found) | {other for key in found for other in pairs.get(key, ())}
