"""A new pipeline before its first operator: three offers to begin with, then the next step."""

import streamlit as st

from components.explore import sample_choice
from components.explore.pipeline import adding
from components.run.trial import data
from components.session import editing
from components.session.keys import Key
from components.session.work import Work
from components.widgets import complaint
from components.widgets.escaping import markup, plain
from components.widgets.pieces import heading, hint, section
from explorer.edits.additions import Place
from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Pipeline


def is_begun(work: Work) -> bool:
    """Whether there is more to show of a document than offers: an operator, or another's work."""
    pipeline = work.document.pipeline
    return (
        not work.fresh
        or pipeline is None
        or any(KINDS[transformation.type].registered for transformation in pipeline.transformations)
    )


def show(work: Work) -> None:
    """Draw the offers; once there is a source, what reads it comes next."""
    pipeline = work.document.pipeline
    if pipeline is None:
        return
    with st.container(key="empty"):
        if pipeline.transformations:
            _next_step(pipeline)
        else:
            _offers(work)


def _offers(work: Work) -> None:
    st.html(heading("Pipeline", work.document.name))
    from_data, from_sample, from_nothing = st.columns(3)
    with from_data:
        st.html(section("From my data") + hint("A file becomes a source, with a sink behind it."))
        data.upload()
        for name in data.added():
            _file(name)
    with from_sample:
        st.html(section("From a sample") + hint("Each sample teaches one thing."))
        sample_choice.show(Key.EMPTY_SAMPLE)
    with from_nothing:
        st.html(section("Empty") + hint("Begin with a source, then add what reads it."))
        st.button("Add a source", key="empty-source", on_click=adding.open_dialog)
    complaint.show(editing.ADD)


def _file(name: str) -> None:
    rows = data.rows_of(name)
    if isinstance(rows, str):
        complaint.say(rows)
        return
    st.html(hint(f"<b>{markup(name)}</b>: {markup(rows.get('schema', 'line STRING'), 300)}"))
    st.button(
        plain(f"Begin with {name}", 60),
        key=f"begin.{name}",
        type="primary",
        on_click=editing.begin,
        args=(name, rows),
    )


def _next_step(pipeline: Pipeline) -> None:
    source = pipeline.transformations[-1].id
    st.html(
        hint(
            f"<b>{markup(source)}</b> is not in the graph yet: Flink translates a source once an "
            "operator or a sink reads it."
        )
    )
    st.button(
        plain(f"Add what reads {source}", 60),
        key="empty-next",
        type="primary",
        on_click=adding.open_dialog,
        args=(Place(source=source),),
    )
