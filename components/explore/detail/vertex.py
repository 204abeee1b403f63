"""A JobVertex's fields."""

import streamlit as st

from components.explore.detail import sections
from components.widgets.pieces import fields, heading, section
from explorer.drawing.html.page_facts import task_facts
from explorer.drawing.view.elements import GraphView, VertexView
from explorer.flink.compiler import Compilation


def show(compilation: Compilation, view: GraphView, vertex: VertexView) -> None:
    """Draw a job vertex's fields, the operators of its chain and its task internals."""
    nodes = [view.node_of[key] for key in vertex.nodes]
    operators = ((f"{node.chain_index}", f"{node.name}") for node in nodes[:MOST])
    inputs = [edge for edge in view.job_edges if edge.target == vertex.key]
    outputs = [edge for edge in view.job_edges if edge.source == vertex.key]
    st.html(
        heading("Task", vertex.name)
        + fields(task_facts(vertex))
        + section(f"Chain of {len(nodes)}")
        + fields(operators)
        + (section("Reads") if inputs else "")
        + fields((edge.ship_strategy, edge.source_name) for edge in inputs[:MOST])
        + (section("Writes") if outputs else "")
        + fields((edge.ship_strategy, edge.target_name) for edge in outputs[:MOST])
    )
    sections.task_internals(compilation, vertex)


MOST = 100
"""Rows of a list in the panel; the tables below hold all."""
