"""Sections of the inspector that open the tables below the graphs."""

import streamlit as st

from components.session import places, session
from components.widgets.escaping import markup
from components.widgets.pieces import hint, place_button, section
from explorer.drawing.view.elements import GraphView, JobEdgeView, VertexView
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.flink.tasks.task_chain import task_chain
from explorer.wording import counted


def task_internals(compilation: Compilation, vertex: VertexView) -> None:
    """Draw the task class, its operator chain, and the button that opens the lifecycle."""
    text = session.shared("task summary", (compilation, vertex.id), _summary)
    st.html(section("Task internals") + hint(markup(text)))
    label = "Lifecycle and StreamConfig"
    place_button(label, places.INTERNALS, key="open-internals", type="tertiary")


def _summary(compilation: Compilation, vertex: str) -> str:
    try:
        return task_chain(compilation, vertex).summary
    except ExplorerError as error:
        return str(error)


def network_exchange(view: GraphView, job: JobEdgeView) -> None:
    """Draw the channels, the result type, and the button that opens classes and buffers."""
    source, target = view.vertex_of[job.source], view.vertex_of[job.target]
    ends = f"{source.parallelism} × {target.parallelism} subtasks · "
    decided = min(source.parallelism, target.parallelism) > 0
    text = f"{ends if decided else ''}{counted(job.channels, 'channel')} · {job.result_type}"
    st.html(section("Network exchange") + hint(markup(text)))
    place_button("Classes and buffers", places.EXCHANGE, key="open-exchange", type="tertiary")
