"""Edits of all operators at once: one parallelism, uids for stateful operators."""

from collections.abc import Sequence

import streamlit as st

from components.session import editing, session
from components.session.compiled import CompileOutcome
from components.widgets import complaint
from components.widgets.pieces import section
from explorer.flink.compiler import Compilation
from explorer.flink.key_groups import MAX_PARALLELISM
from explorer.model.pipeline import Pipeline
from explorer.wording import counted


def show(pipeline: Pipeline, outcome: CompileOutcome) -> None:
    """Draw both, below the job's settings."""
    st.html(section("All operators"))
    key = session.widget("bulk.parallelism")
    with st.container(key="bulk", horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            "parallelism of all",
            min_value=1,
            max_value=MAX_PARALLELISM,
            value=pipeline.environment.parallelism or 1,
            step=1,
            key=key,
        )
        st.button("Set", key="bulk.set", on_click=editing.set_all_parallelisms, args=(key,))
    without = stateful_without_uid(outcome.compilation) if outcome.compilation else ()
    st.button(
        f"Uids for {counted(len(without), 'operator')} with state",
        key="bulk.uids",
        disabled=not without,
        on_click=editing.give_uids,
        args=(tuple(without),),
        help="Operators that have or may have state, and no uid: each gets its id as uid",
    )
    complaint.show(editing.BULK)


def stateful_without_uid(compilation: Compilation) -> Sequence[str]:
    """Return the ids of the transformations that have or may have state, and no uid."""
    nodes = (
        node
        for node in compilation.stream_graph.nodes
        if compilation.held_states[node.id].certainty != "none"
    )
    ids = dict.fromkeys(node.transformation for node in nodes if node.uid is None)
    return [id for id in ids if id is not None]
