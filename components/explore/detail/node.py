"""A StreamNode's fields, and the ID that it had."""

from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

from components.deploy import check
from components.explore.detail import sections
from components.session import editing
from components.session.work import Work
from components.widgets import complaint
from components.widgets.escaping import markup
from components.widgets.pieces import fields, fix_button, heading, section
from explorer.drawing.html.page_facts import operator_facts, place_facts
from explorer.drawing.view.elements import GraphView, NodeView
from explorer.drawing.view.id_changes import IdRow
from explorer.flink.compiler import Compilation
from explorer.flink.kinds import KINDS
from explorer.model.stream_graph import NodeId

EDITED: Final = frozenset(
    {
        *("uid", "uid hash", "strategy", "parallelism"),
        *("max parallelism", "slot sharing group", "buffer timeout"),
    }
)
"""Facts that the form of a transformation shows already, with the value in force."""


def show(
    work: Work,
    compilation: Compilation,
    view: GraphView,
    node: NodeView,
    rows: Sequence[IdRow],
    form: Callable[[], None],
    *,
    edited: bool,
) -> None:
    """Draw an operator: its former ID from ``rows``, the form, its findings, facts and task.

    ``edited``: whether the form has the fields of this operator.
    """
    call = KINDS[node.type].call if edited and node.type in KINDS else ""
    st.html(heading(f"Operator {node.type}".strip(), node.name, call))
    row = next((id_row for id_row in rows if id_row.key == node.key), None)
    if row is not None and row.before is not None:
        with st.container(key="card-moved" if row.tone == "bad" else f"found-{row.tone}"):
            st.html(
                f'<div class="x-moved x-{row.tone}"><b>{markup(row.consequence)}</b></div>'
                f'<div class="x-values x-was">It was <code>{markup(row.before)}</code></div>'
            )
            if not row.rescued:
                fix_button(
                    "fix-keep",
                    "keep",
                    "Keep the old ID as uid hash",
                    "Flink finds the state under both",
                    editing.keep_id,
                    (NodeId(node.id), node.transformation, row.before),
                )
                complaint.show("keep")
    form()
    check.show_findings(work, view, node.key)
    facts = [fact for fact in operator_facts(node) if not (edited and fact[0] in EDITED)]
    st.html(
        section("Compiled") + fields(facts) + section("Runs in") + fields(place_facts(view, node))
    )
    sections.task_internals(compilation, view.vertex_of[node.vertex])
