"""The drawing of subtasks and channels: of the selected task or edge, else of the first edge."""

from base64 import b64encode
from typing import Final

import streamlit as st

from components.escaping import markup
from explorer.drawing.graph_view import GraphView
from explorer.drawing.wiring_svg import MOST_ALONE, edge_wiring_svg, task_wiring_svg
from explorer.flink.compiler import Compilation

PICK: Final = "Nothing is selected: this is the first. Select a task or an edge to see its own."
CHAINED: Final = (
    "Both ends run in one task: no channel lies between them, each record is handed on by a call. "
    "This is that task."
)
SHARED: Final = f"Of more than {MOST_ALONE} subtasks, several share a box."


def show(done: Compilation, view: GraphView, selection: str | None) -> None:
    """Draw it, below a sentence on what it shows."""
    said, drawing = _of(done, view, selection)
    widest = max((vertex.parallelism for vertex in view.vertices), default=0)
    more = f" {SHARED}" if widest > MOST_ALONE else ""
    st.html(f'<p class="x-legend">{said}{more}</p>')
    # A page's own HTML may hold no SVG, an image may: it follows the page's ground by itself.
    data = b64encode(drawing.encode()).decode()
    st.html(
        f'<img class="x-placement" alt="Subtasks and channels" '
        f'src="data:image/svg+xml;base64,{data}">'
    )


def _of(done: Compilation, view: GraphView, selection: str | None) -> tuple[str, str]:
    """What is said of the drawing, and the drawing."""
    numbers = {vertex.id: vertex.number for vertex in view.vertices}
    by_position = [numbers[vertex.id] for vertex in done.job_graph.vertices]
    key = selection or ""
    if key in view.edge_of and view.edge_of[key].job_edge is not None:
        key = view.edge_of[key].job_edge or ""
    if key in view.job_edge_of or (not key and view.job_edges):
        edge = int((key or view.job_edges[0].key)[1:])
        of = view.job_edge_of[f"j{edge}"]
        ends = f"{markup(of.source_name)} → {markup(of.target_name)}"
        return (PICK if not key else ends), edge_wiring_svg(done, edge, by_position)
    vertex, said = _task(view, key)
    position = [one.id for one in done.job_graph.vertices].index(view.vertex_of[vertex].id)
    return said, task_wiring_svg(done, position, by_position)


def _task(view: GraphView, key: str) -> tuple[str, str]:
    """The task that an element runs in, by its key, and what is said of that."""
    if key in view.vertex_of:
        return key, markup(view.vertex_of[key].name)
    if key in view.edge_of:
        return view.node_of[view.edge_of[key].source].vertex, CHAINED
    if key in view.node_of:
        vertex = view.node_of[key].vertex
        return vertex, f"The task of {markup(view.node_of[key].name)}"
    return view.vertices[0].key, PICK
