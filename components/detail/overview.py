"""What the panel says while nothing is selected: the pipeline as a whole."""

import html

import streamlit as st

from components.detail.parts import fields, heading, section
from components.escaping import markup
from explorer.documents import Document
from explorer.drawing.graph_view import GraphView
from explorer.flink.compiler import Compilation

WARNINGS = 20


def show(document: Document, compilation: Compilation, view: GraphView) -> None:
    """Draw the title, what the pipeline teaches, its numbers and its warnings."""
    chained = sum(edge.chained for edge in view.edges)
    numbers = (
        ("operators", f"{len(view.nodes):,}"),
        ("tasks", f"{len(view.vertices):,}"),
        ("subtasks", f"{sum(vertex.parallelism for vertex in view.vertices):,}"),
        ("slots", f"{view.slots:,}"),
        ("chained edges", f"{chained:,} of {len(view.edges):,}"),
        ("channels", f"{sum(edge.channels for edge in view.job_edges):,}"),
        ("Flink", view.release),
        ("job type", compilation.job_graph.job_type),
    )
    st.html(
        heading("Pipeline", document.heading)
        + (f'<p class="x-teaches">{markup(document.teaches, 2000)}</p>' if document.teaches else "")
        + fields(numbers)
        + warnings(compilation.warnings)
        + '<p class="x-hint">Select an operator, an edge or a task in either graph, or a row of a '
        "table: its counterparts light up, and this panel explains it.</p>"
    )


def warnings(texts: tuple[str, ...]) -> str:
    """What the compiler could not honour, a line each."""
    if not texts:
        return ""
    items = "".join(f"<li>{markup(text, 500)}</li>" for text in texts[:WARNINGS])
    more = len(texts) - WARNINGS
    rest = f"<li>{html.escape(f'and {more:,} more')}</li>" if more > 0 else ""
    return section("Warnings") + f'<ul class="x-warnings">{items}{rest}</ul>'
