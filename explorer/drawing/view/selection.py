"""The selection, and its counterpart after an edit.

Node ids and positions shift when a transformation is added or deleted, and a chain's number when an
edge is cut; so a selection is carried over by what it stands for.
"""

from collections.abc import Mapping
from typing import Final

from explorer.drawing.view.elements import GraphView, through

TRANSFORMATION: Final = "t:"


def exists(view: GraphView, key: str) -> bool:
    """Whether the view has such an element."""
    return any(
        key in views for views in (view.node_of, view.edge_of, view.vertex_of, view.job_edge_of)
    )


def matching_selection(
    selection: str | None, old_view: GraphView | None, new_view: GraphView
) -> str | None:
    """Return the key in ``new_view`` of what ``selection`` was in ``old_view``; None: gone."""
    if selection is None or old_view is None or selection.startswith(TRANSFORMATION):
        return selection
    vertex, job_edge = old_view.vertex_of.get(selection), old_view.job_edge_of.get(selection)
    node = old_view.node_of.get(vertex.nodes[0] if vertex else selection)
    if node is not None:
        same_view = next((view for view in new_view.nodes if view.identity == node.identity), None)
        if same_view is None:
            return None
        return same_view.vertex if vertex else same_view.key
    edge = old_view.edge_of.get(job_edge.edge if job_edge else selection)
    if edge is not None:
        retained = next(
            (edge_view for edge_view in new_view.edges if edge_view.identity == edge.identity), None
        )
        if retained is None:
            return None
        return retained.job_edge if job_edge and retained.job_edge else retained.key
    return None


def transformation_of(selection: str | None, view: GraphView | None) -> str | None:
    """Return the ID of the transformation to edit: of the selected node, or a vertex's head."""
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
    """Return the JobGraph position of the selected edge, or of the one that it became."""
    edge = view.edge_of.get(selection or "")
    key = edge.job_edge if edge else selection
    return int(key[1:]) if key and key in view.job_edge_of else None


def highlighted(
    selection: str | None, view: GraphView, pairs: Mapping[str, tuple[str, ...]]
) -> frozenset[str]:
    """Return the keys to highlight with a selection; ``pairs``: the counterparts."""
    if selection is None:
        return frozenset()
    if selection.startswith(TRANSFORMATION):
        result = through(view, selection.removeprefix(TRANSFORMATION))
    else:
        result = (selection,)
    return frozenset(result) | {other_pair for key in result for other_pair in pairs.get(key, ())}
