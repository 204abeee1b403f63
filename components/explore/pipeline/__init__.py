"""The pipeline: the list of transformations, the form of the selected one, and the upload."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

import msgspec
import streamlit as st

from components.explore.pipeline import (
    adding,
    bulk,
    environment,
    form,
    opening,
    operator,
    read_only,
    transformation_list,
)
from components.session import places, session
from components.session.callbacks import UPLOAD
from components.session.compiled import CompileOutcome
from components.session.keys import Key
from components.session.work import Work
from components.widgets import complaint
from components.widgets.pieces import hint, section
from explorer.documents import DataSetDocument, JobGraphDocument, StreamGraphDocument
from explorer.drawing.view.elements import GraphView, operator_of
from explorer.drawing.view.selection import transformation_of
from explorer.model.pipeline import Pipeline
from explorer.model.stream_graph import NodeId
from explorer.savepoints.loading import MAX_METADATA

UNKNOWN: Final = (
    "A captured StreamGraph: its operators are known, the calls and functions of the program are "
    "not. So operators cannot be added, removed or connected. Select an operator or an edge to "
    "change its settings, to complete what a plan omits, or to set what a local run executes."
)
SEARCHED: Final = 30
"""Row count above which the list gets a search box."""


def show(
    work: Work,
    outcome: CompileOutcome,
    *,
    head: Callable[[], None],
) -> None:
    """Draw the left panel; ``head`` draws which document is open."""
    with st.container(key=Key.LEFT):
        head()
        _list(work, outcome, PANELS[work.document.kind])
        if places.current()[1] != places.IMPORT:
            upload(work)


def upload(work: Work) -> None:
    """Draw the box that opens a document."""
    key = work.widget(Key.UPLOAD)
    with st.container(key="upload-box"):
        # Above the box: the box grows with its file and would push the message out of view.
        complaint.show(UPLOAD)
        st.file_uploader(
            "Open a pipeline, StreamGraph, plan, lesson, savepoint or data",
            key=key,
            on_change=opening.open_file,
            args=(key,),
            max_upload_size=MAX_METADATA >> 20,
        )


def edit(work: Work, outcome: CompileOutcome) -> None:
    """Draw what is edited of the selection, or of the job."""
    PANELS[work.document.kind].form(work, work.document, outcome)


def _list(work: Work, outcome: CompileOutcome, panel: "Panel") -> None:
    with st.container(key="list-head", horizontal=True, vertical_alignment="center"):
        st.html(section("Pipeline"), width="stretch")
        panel.head(work, work.document, outcome)
    entries = panel.entries(work.document, outcome.view, outcome.blamed)
    search = ""
    if len(entries) >= SEARCHED:
        search = st.text_input(
            "Search", key="search", placeholder="Search", label_visibility="collapsed"
        )
    with st.container(key="steps"):
        transformation_list.show(entries, outcome.view, selection=work.selection, search=search)


def _add(_work: Work, _pipeline: Pipeline, _outcome: CompileOutcome) -> None:
    st.button("+ Add", key="add", type="tertiary", on_click=adding.open_dialog)


def _operator(work: Work, document: StreamGraphDocument, outcome: CompileOutcome) -> None:
    chosen = work.selection or ""
    view = outcome.view or session.last_view(work)
    node = view.node_of.get(chosen) if view else None
    if node is None:
        st.html(hint(UNKNOWN))
    else:
        graph = document.stream_graph
        operator.show(graph, graph.node(NodeId(node.id)))


def _form(work: Work, document: Pipeline, outcome: CompileOutcome) -> None:
    id = transformation_of(work.selection, outcome.view or session.last_view(work))
    chosen = next(
        (transformation for transformation in document.transformations if transformation.id == id),
        None,
    )
    if chosen is None:
        environment.show(document)
        bulk.show(document, outcome)
        return
    node = operator_of(outcome.view, chosen.id) if outcome.view else None
    form.show(document, chosen, node)
    environment.show_below(document)


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """Functions that draw the panel for a kind of document; each receives the document."""

    entries: Callable[
        [Any, GraphView | None, Collection[str]], list[transformation_list.TransformationRow]
    ]
    """The rows of its list; the last argument are the ids that an error names."""
    form: Callable[[Work, Any, CompileOutcome], None]
    """Draws what is edited of the selection, or of the job."""
    head: Callable[[Work, Any, CompileOutcome], None] = lambda _work, _document, _outcome: None
    """Draws the widgets in the list's header."""


PANELS: Final[Mapping[str, Panel]] = {
    Pipeline.kind: Panel(entries=transformation_list.transformations, form=_form, head=_add),
    StreamGraphDocument.kind: Panel(entries=transformation_list.operators, form=_operator),
    JobGraphDocument.kind: Panel(entries=transformation_list.operators, form=read_only.show_job),
    DataSetDocument.kind: Panel(
        entries=transformation_list.operators, form=read_only.show_data_sets
    ),
}
"""By kind of document."""
