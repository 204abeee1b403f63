"""The drawing of subtasks and channels: of the selected task or edge, else of the first edge."""

from typing import Final

import streamlit as st

from components.escaping import markup
from components.pieces import image
from explorer.drawing.elements import GraphView
from explorer.drawing.graph_view import job_edge_key
from explorer.drawing.selection import job_edge_number
from explorer.drawing.wiring_svg import MOST_ALONE, edge_wiring_svg, task_wiring_svg
from explorer.flink.compiler import Compilation

PICK: Final = "Showing the first task. Select a task or an edge to change this."
CHAINED: Final = (
    "Both ends run in one task: there is no channel between them, each record is passed by a call. "
    "This is that task."
)
SHARED: Final = f"Of more than {MOST_ALONE} subtasks, several share a box."


def show(done: Compilation, view: GraphView, selection: str | None) -> None:
    """Draw it, below a sentence on what it shows."""
    text, drawing = _of(done, view, selection)
    widest = max((vertex.parallelism for vertex in view.vertices), default=0)
    more = f" {SHARED}" if widest > MOST_ALONE else ""
    st.html(f'<p class="x-legend">{text}{more}</p>')
    st.html(image(drawing, "x-placement", "Subtasks and channels"))


def _of(done: Compilation, view: GraphView, selection: str | None) -> tuple[str, str]:
    """Return the caption of the drawing, and the drawing."""
    edge = job_edge_number(selection, view)
    if edge is not None:
        of = view.job_edge_of[job_edge_key(edge)]
        ends = f"{markup(of.source_name)} → {markup(of.target_name)}"
        return ends, edge_wiring_svg(done, edge)
    if selection is None and view.job_edges:
        return PICK, edge_wiring_svg(done, 0)
    vertex, text = _task(view, selection or "")
    position = [one.id for one in done.job_graph.vertices].index(view.vertex_of[vertex].id)
    return text, task_wiring_svg(done, position)


def _task(view: GraphView, key: str) -> tuple[str, str]:
    """Return the key and the caption of the task that an element runs in."""
    if key in view.vertex_of:
        return key, markup(view.vertex_of[key].name)
    if key in view.edge_of:
        return view.node_of[view.edge_of[key].source].vertex, CHAINED
    if key in view.node_of:
        vertex = view.node_of[key].vertex
        return vertex, f"The task of {markup(view.node_of[key].name)}"
    return view.vertices[0].key, PICK
