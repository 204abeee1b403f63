"""The execution graph tab: what the tasks become when they are cut into subtasks."""

from collections.abc import Collection
from itertools import islice
from typing import Final

import streamlit as st

from components.session import actions
from components.session.keys import Key
from components.widgets import table
from components.widgets.escaping import markup
from components.widgets.pieces import image, one_of
from components.widgets.table import Column, Row, numbers
from explorer.drawing.svg.palette import hue
from explorer.drawing.svg.wiring_svg import MOST_ALONE, edge_wiring_svg, task_wiring_svg
from explorer.drawing.view.elements import GraphView, VertexView
from explorer.drawing.view.graph_view import chain_colours, job_edge_key
from explorer.drawing.view.selection import job_edge_number
from explorer.flink.compiler import Compilation
from explorer.flink.execution_graph import ExecutionGraph
from explorer.running.execution import (
    LATER,
    ends_text,
    key_groups_text,
    keyed_tasks,
    reads_text,
    size,
    span,
    subtask_rows,
)

PICK: Final = "Showing the first task. Select a task or an edge to change this."
CHAINED: Final = (
    "Both ends run in one task: there is no channel between them, each record is passed by a call. "
    "This is that task."
)
SHARED: Final = f"Of more than {MOST_ALONE} subtasks, several share a box."
DRAWING: Final = "Drawing"
VIEWS: Final = (DRAWING, "Tasks", "Edges", "Subtasks")
VERTICES: Final = (
    Column("task"),
    *numbers("parallelism", "max parallelism"),
    Column(""),
    Column("key groups of its subtasks"),
    Column("data sets", "right"),
)
EDGES: Final = (
    Column("edge"),
    Column("pattern"),
    *numbers("subtasks", "edges"),
    Column("a subtask reads"),
    Column("result type", "mono"),
)
SUBTASKS: Final = (
    Column("subtask"),
    *numbers("key groups", "how many"),
    Column("reads what these subtasks write"),
)


def show(
    compilation: Compilation, view: GraphView, *, selection: str | None, highlighted: frozenset[str]
) -> None:
    """Draw the subtasks of what is selected, or a table; a pick selects the vertex or the edge."""
    graph = compilation.execution_graph
    with st.container(key="execution-bar", horizontal=True, vertical_alignment="center"):
        chosen = one_of(VIEWS, key=Key.EXECUTION_VIEW)
        st.html(f'<div class="x-counts">{markup(size(graph))}</div>', width="stretch")
        vertices = [vertex for vertex in view.vertices if vertex.key in highlighted] or list(
            view.vertices
        )
        first = _first(vertices) if chosen == "Subtasks" else 0
    with st.container(key="execution-body"):
        if chosen == DRAWING:
            _drawing(compilation, view, selection)
        elif chosen == "Subtasks":
            _subtasks(graph, vertices, first, keyed_tasks(compilation))
        else:
            keyed = keyed_tasks(compilation)
            rows = _vertices(graph, view, keyed) if chosen == "Tasks" else _edges(graph)
            shown_rows, note = table.beginning(rows, table.MOST)
            table.show(
                {"Tasks": VERTICES, "Edges": EDGES}[chosen],
                shown_rows,
                label=chosen,
                key=Key.EXECUTION,
                selection=selection,
                highlighted=highlighted,
                note=note,
                on_pick=actions.pick,
            )


def _drawing(compilation: Compilation, view: GraphView, selection: str | None) -> None:
    """Draw subtasks and channels of the selected task or edge, else of the first edge."""
    text, drawing = _caption_drawing(compilation, view, selection)
    widest = max((vertex.parallelism for vertex in view.vertices), default=0)
    more = f" {SHARED}" if widest > MOST_ALONE else ""
    st.html(f'<p class="x-legend">{text}{more}</p>')
    st.html(image(drawing, "x-placement", "Subtasks and channels"))


def _caption_drawing(
    compilation: Compilation, view: GraphView, selection: str | None
) -> tuple[str, str]:
    """Return the caption of the drawing, and the drawing."""
    colours = chain_colours(compilation, view)
    edge = job_edge_number(selection, view)
    if edge is not None:
        of = view.job_edge_of[job_edge_key(edge)]
        ends = f"{markup(of.source_name)} → {markup(of.target_name)}"
        return ends, edge_wiring_svg(compilation, edge, colours)
    if selection is None and view.job_edges:
        return PICK, edge_wiring_svg(compilation, 0, colours)
    vertex, text = _caption_task(view, selection or "")
    position = [job_vertex.id for job_vertex in compilation.job_graph.vertices].index(
        view.vertex_of[vertex].id
    )
    return text, task_wiring_svg(compilation, position, colours)


def _caption_task(view: GraphView, key: str) -> tuple[str, str]:
    """Return the key and the caption of the task that an element runs in."""
    if key in view.vertex_of:
        return key, markup(view.vertex_of[key].name)
    if key in view.edge_of:
        return view.node_of[view.edge_of[key].source].vertex, CHAINED
    if key in view.node_of:
        vertex = view.node_of[key].vertex
        return vertex, f"The task of {markup(view.node_of[key].name)}"
    return view.vertices[0].key, PICK


def _vertices(graph: ExecutionGraph, view: GraphView, keyed: Collection[str]) -> list[Row]:
    """``keyed``: the ids of the tasks that use their key groups."""
    vertices = {
        execution_job_vertex.id: execution_job_vertex for execution_job_vertex in graph.vertices
    }
    return [
        Row(
            vertex.key,
            (
                {"text": vertex.name, "hue": hue(vertex.colour)},
                f"{item.parallelism:,}" if item.decided else LATER,
                f"{item.max_parallelism:,}",
                {"text": "derived" if item.max_parallelism_derived else "set", "tone": "mute"},
                key_groups_text(item) if item.id in keyed else table.NONE,
                len(item.results),
            ),
        )
        for vertex in view.vertices
        for item in (vertices[vertex.id],)
    ]


def _edges(graph: ExecutionGraph) -> list[Row]:
    return [
        Row(
            job_edge_key(edge.job_edge),
            (
                f"{graph.vertices[edge.source].name} → {graph.vertices[edge.target].name}",
                "point-wise" if edge.pointwise else "all-to-all",
                ends_text(edge),
                LATER if edge.count is None else f"{edge.count:,}",
                reads_text(edge),
                graph.results[edge.result].result_type,
            ),
        )
        for edge in graph.edges
    ]


def _first(vertices: list[VertexView]) -> int:
    """Return the first subtask to list, counted from 0; ask for it where there are too many."""
    widest = max((vertex.parallelism for vertex in vertices), default=0)
    if widest <= _each(vertices):
        return 0
    chosen = st.number_input(
        "from subtask",
        min_value=1,
        max_value=widest,
        value=1,
        step=1,
        key=f"{Key.FIRST}.{widest}",
        width=190,
    )
    return chosen - 1


def _each(vertices: list[VertexView]) -> int:
    return max(1, table.MOST // max(len(vertices), 1))


def _subtasks(
    graph: ExecutionGraph, vertices: list[VertexView], first: int, keyed: Collection[str]
) -> None:
    colours = {vertex.id: vertex.colour for vertex in vertices}
    result = subtask_rows(graph, tuple(colours), first=first, most=_each(vertices))
    rows = [
        Row(
            None,
            (
                {"text": subtask.name, "hue": hue(colours[id])},
                *(
                    (span(subtask.key_groups), subtask.key_groups[1] - subtask.key_groups[0] + 1)
                    if id in keyed
                    else (table.NONE, table.NONE)
                ),
                reads or table.NONE,
            ),
        )
        for id, subtask, reads in islice(result, table.MOST)
    ]
    every = sum(vertex.parallelism for vertex in vertices if vertex.parallelism > 0)
    later = sum(vertex.parallelism <= 0 for vertex in vertices)
    notes = [f"{len(rows):,} of {every:,} subtasks"] if len(rows) < every else []
    notes += [f"{later:,} tasks with a parallelism {LATER}"] if later else []
    table.show(SUBTASKS, rows, label="Subtasks", key=Key.EXECUTION, note="; ".join(notes))
