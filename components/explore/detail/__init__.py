"""The detail panel: an edge with its reasons and their fixes, or a node's or vertex's fields."""

from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

from components.explore.detail import edge, node, overview, sections, sql
from components.session import session
from components.session.compiled import CompileOutcome
from components.session.keys import Key
from components.session.measured import Measured
from components.session.work import Work
from components.widgets import complaint
from components.widgets.escaping import cut
from components.widgets.pieces import NOT_YET, fields, heading, hint, section
from explorer.documents import Document, StreamGraphDocument
from explorer.drawing.html.page_facts import task_facts
from explorer.drawing.view.elements import GraphView, NodeView, VertexView
from explorer.drawing.view.id_changes import IdRow
from explorer.drawing.view.selection import TRANSFORMATION
from explorer.flink.compiler import Compilation
from explorer.flink.kinds import KINDS

MOST_OF_TASK: Final = 100
"""Rows of a list of a task; the tables below hold all."""


def show(
    work: Work,
    outcome: CompileOutcome,
    since: Measured,
    rows: Sequence[IdRow],
    *,
    form: Callable[[], None],
) -> None:
    """Draw the inspector of the selection.

    ``since``: the baseline, with the IDs of ``rows``; ``form`` draws the fields that can be edited.
    """
    view, compilation, chosen = outcome.view, outcome.compilation, work.selection or ""
    program = since.old.program if since.old else None
    with st.container(key=Key.RIGHT):
        if view is None or compilation is None:
            st.html(hint(f"Nothing to explain {NOT_YET}"))
            if _is_at_partitioner(work):
                complaint.show(work.place)
            form()
        elif (index := _edge_of(view, chosen)) is not None:
            edge.show(work, compilation, view, view.edge_of[index], program)
            _draw_fields(view.node_of[view.edge_of[index].target], form)
        elif chosen in view.node_of:
            operator = view.node_of[chosen]
            edited = _has_fields(work.document, operator)
            node.show(work, compilation, view, operator, rows, form, edited=edited)
        elif chosen in view.vertex_of:
            _draw_task(compilation, view, view.vertex_of[chosen])
            _draw_fields(view.node_of[view.vertex_of[chosen].nodes[0]], form)
        elif chosen.startswith(TRANSFORMATION):
            _transformation(compilation, chosen.removeprefix(TRANSFORMATION))
            form()
        else:
            overview.show(work, compilation, view, form)
        sql.show(work.document, view, chosen)


def _draw_task(compilation: Compilation, view: GraphView, vertex: VertexView) -> None:
    """Draw a job vertex's fields, the operators of its chain and its task internals."""
    nodes = [view.node_of[key] for key in vertex.nodes]
    operators = ((f"{node.chain_index}", f"{node.name}") for node in nodes[:MOST_OF_TASK])
    inputs = [edge for edge in view.job_edges if edge.target == vertex.key]
    outputs = [edge for edge in view.job_edges if edge.source == vertex.key]
    st.html(
        heading("Task", vertex.name)
        + fields(task_facts(vertex))
        + section(f"Chain of {len(nodes)}")
        + fields(operators)
        + (section("Reads") if inputs else "")
        + fields((edge.ship_strategy, edge.source_name) for edge in inputs[:MOST_OF_TASK])
        + (section("Writes") if outputs else "")
        + fields((edge.ship_strategy, edge.target_name) for edge in outputs[:MOST_OF_TASK])
    )
    sections.task_internals(compilation, vertex)


def _transformation(compilation: Compilation, id: str) -> None:
    """Draw the heading of a transformation without an operator, such as a partitioning."""
    transformations = compilation.pipeline.transformations if compilation.pipeline else ()
    transformation = next((item for item in transformations if item.id == id), None)
    kind = transformation.type if transformation else "transformation"
    st.html(heading(kind, id, KINDS[transformation.type].call if transformation else ""))


def _has_fields(document: Document, operator: NodeView) -> bool:
    if document.kind == StreamGraphDocument.kind:
        return True
    return document.pipeline is not None and operator.transformation is not None


def _is_at_partitioner(work: Work) -> bool:
    """Whether the document does not compile since the selected edge got its partitioner."""
    view = session.last_view(work)
    index = _edge_of(view, work.selection or "") if view else None
    if view is None or index is None:
        return False
    return work.place == edge.partitioner_place(work.document.pipeline, view, view.edge_of[index])


def _edge_of(view: GraphView, chosen: str) -> str | None:
    """Return the stream edge that is selected, or that became the selected job edge."""
    if chosen in view.job_edge_of:
        return view.job_edge_of[chosen].edge
    return chosen if chosen in view.edge_of else None


def _draw_fields(operator: NodeView, form: Callable[[], None]) -> None:
    """Draw the form of an edge's target or of a chain's head."""
    st.html(section(f"Edit {cut(operator.name, 60)}"))
    form()
