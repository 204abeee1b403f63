"""What goes in: the list of transformations, the form of the one selected, and the upload."""

from typing import Final

import streamlit as st

from components import actions, complaint
from components.compiled import Compiled
from components.keys import Key
from components.pipeline import adding, environment, form, operator, transformation_list
from components.selection import transformation_of
from components.work import Work
from explorer.documents import StreamGraphDocument
from explorer.model.pipeline import Pipeline, Transformation
from explorer.model.stream_graph import NodeId

UNKNOWN: Final = (
    "A StreamGraph: its program is not known. Select an operator or an edge to fill in what its "
    "plan leaves out."
)
SEARCHED: Final = 30
"""From so many rows on, the list has a search."""


def show(work: Work, done: Compiled) -> None:
    """Draw the panel."""
    document = work.document
    with st.container(key=Key.LEFT):
        _list(work, done)
        if isinstance(document, StreamGraphDocument):
            _operator(work, document, done)
        else:
            _form(work, document, done)
        _upload(work)


def _list(work: Work, done: Compiled) -> None:
    document = work.document
    with st.container(key="list-head", horizontal=True, vertical_alignment="center"):
        st.html('<h3 class="x-kind">Pipeline</h3>', width="stretch")
        st.button("New", key="new", type="tertiary", on_click=actions.open_new)
        if isinstance(document, Pipeline):
            after = transformation_of(work.selection, done.view)
            st.button("+ Add", key="add", type="tertiary", on_click=adding.begin)
            if adding.wanted():
                adding.show(document, after)
    view = done.view
    count = (
        len(view.nodes if view else ())
        if isinstance(document, StreamGraphDocument)
        else len(document.transformations)
    )
    search = ""
    if count >= SEARCHED:
        search = st.text_input(
            "Search", key="search", placeholder="Search", label_visibility="collapsed"
        )
    with st.container(key="steps"):
        transformation_list.show(
            document, view, blamed=done.blamed, selection=work.selection, search=search
        )


def _chosen(document: Pipeline, work: Work, done: Compiled) -> Transformation | None:
    id = transformation_of(work.selection, done.view)
    return next((each for each in document.transformations if each.id == id), None)


def _operator(work: Work, document: StreamGraphDocument, done: Compiled) -> None:
    chosen = work.selection or ""
    node = done.view.node_of.get(chosen) if done.view else None
    if node is None:
        st.html(f'<p class="x-hint">{UNKNOWN}</p>')
    else:
        operator.show(document.stream_graph.node(NodeId(node.id)))


def _form(work: Work, document: Pipeline, done: Compiled) -> None:
    chosen = _chosen(document, work, done)
    if chosen is None:
        environment.show(document)
        return
    st.html(form.title(chosen))
    nodes = done.view.nodes if done.view else ()
    node = next((each for each in nodes if each.transformation == chosen.id), None)
    form.show(document, chosen, strategy=node.strategy if node else chosen.chaining_strategy)


def _upload(work: Work) -> None:
    key = work.widget(Key.UPLOAD)
    with st.container(key="upload-box"):
        st.file_uploader(
            "Upload a pipeline or a StreamGraph (YAML, JSON)",
            type=["yaml", "yml", "json"],
            key=key,
            on_change=actions.open_upload,
            args=(key,),
            max_upload_size=5,
        )
        complaint.show("upload")
