"""The SQL part of the inspector: the statements of a job, and the plan facts of a selection."""

import html

import streamlit as st

from components.widgets.escaping import cut
from components.widgets.pieces import fields, section
from explorer.documents import Document
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.sql_facts import SqlFacts, sql_facts
from explorer.model.sql_plan import SqlStatement
from explorer.wording import without_turning

LONGEST = 20_000
"""Characters of a statement that are shown."""
STATEMENTS = 20
"""Statements that are shown while nothing is selected."""


def show(document: Document, view: GraphView | None, chosen: str) -> None:
    """Draw what the SQL plan holds of the selection; nothing where the job is not SQL's."""
    result = sql_facts(document)
    if result is None or view is None:
        return
    job_edge = view.job_edge_of.get(chosen)
    edge = view.edge_of.get(chosen if job_edge is None else job_edge.edge)
    if chosen in view.node_of:
        st.html(_operator(result, view.node_of[chosen].id))
    elif edge is not None:
        ends = view.node_of[edge.source].id, view.node_of[edge.target].id
        if facts := result.edge(*ends):
            st.html(section("SQL plan") + fields(facts))
    elif chosen not in view.vertex_of:
        st.html("".join(map(_statement, result.plan.statements[:STATEMENTS])))


def _operator(result: SqlFacts, id: int) -> str:
    facts = result.operator(id)
    if not facts:
        return ""
    statements = "".join(map(_statement, result.statements_of(id)))
    return section("SQL plan") + fields(facts) + statements


def _statement(statement: SqlStatement) -> str:
    text = html.escape(without_turning(cut(statement.text, LONGEST)))
    return (
        section("SQL statement", f"line {statement.line:,}")
        + f'<pre class="x-statement"><bdi>{text}</bdi></pre>'
    )
