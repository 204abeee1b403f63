"""An edge: why its ends share a task or why not, and for each fix a button that does it."""

import html
from collections.abc import Callable, Sequence
from typing import TypeAlias

import streamlit as st

from components.deploy import check
from components.explore.detail import sections
from components.explore.pipeline import adding
from components.session import editing, session
from components.session.work import Work
from components.widgets import complaint
from components.widgets.escaping import markup
from components.widgets.pieces import fields, fix_button, heading, section
from explorer.documents import StreamGraphDocument
from explorer.drawing.html.page_facts import OWN, job_edge_facts, stream_edge_facts
from explorer.drawing.view.elements import EdgeView, GraphView
from explorer.edits.additions import Place
from explorer.explain.edges import EdgeExplanation
from explorer.explain.graph_fixes import GraphFix
from explorer.explain.suggested_fixes import SuggestedFix
from explorer.flink.compiler import Compilation
from explorer.flink.partitioners import PARTITIONER_CLASSES
from explorer.model.chains import Verdict
from explorer.model.pipeline import Pipeline

Callback = tuple[Callable[..., None], tuple[object, ...]]
"""A widget's callback, and its further arguments."""
_Fixes: TypeAlias = Sequence[SuggestedFix | GraphFix]
"""Tried fixes of a pipeline, or of a StreamGraph document."""


def show(
    work: Work,
    compilation: Compilation,
    view: GraphView,
    edge: EdgeView,
    since: Compilation | None,
) -> None:
    """Draw the reasons and their fixes, the findings, then the edge as both graphs hold it.

    ``since``: the baseline, from which the IDs that a fix changes are counted.
    """
    text = session.explained(compilation, edge.index, since)
    tone = "x-good" if text.chained else "x-bad"
    st.html(
        heading("Edge", f"{edge.source_name} → {edge.target_name}")
        + f'<div class="x-outcome {tone}">{markup(text.headline)}</div>'
    )
    if text.chained:
        st.html("".join(f"<p>{markup(sentence, 600)}</p>" for sentence in text.sentences))
    else:
        fixes = _fixes(work, compilation, edge, since, text)
        for reason in text.reasons:
            if not reason.holds and reason.asked:
                _card(reason, text, fixes)
    offered = frozenset(fix.label for fix in text.fixes)
    check.show_findings(work, view, edge.key, offered=offered)
    _partitioner(compilation.pipeline, view, edge)
    if compilation.pipeline is not None:
        _insert(compilation.pipeline, view, edge)
    rows = "".join(
        f'<div class="x-verdict"><i class="x-good">✓</i><code>{reason.code}</code>'
        f"<span>{html.escape(reason.title)}</span><small>{markup(reason.values)}</small></div>"
        for reason in text.reasons
        if reason.holds and reason.asked
    )
    st.html(section("Conditions that hold") + rows if rows else "")
    st.html(section("As a stream edge") + fields(stream_edge_facts(edge)))
    if edge.job_edge is not None:
        job = view.job_edge_of[edge.job_edge]
        st.html(section("As a job edge") + fields(job_edge_facts(view, job)))
        sections.network_exchange(view, job)


def _fixes(
    work: Work,
    compilation: Compilation,
    edge: EdgeView,
    since: Compilation | None,
    text: EdgeExplanation,
) -> _Fixes:
    document = work.document
    if isinstance(document, StreamGraphDocument) and document.kind == StreamGraphDocument.kind:
        return session.graph_fixes(document, compilation, edge.index, since)
    return text.fixes


def _card(reason: Verdict, text: EdgeExplanation, fixes: _Fixes) -> None:
    """Draw a failed condition: the values it read, its reason, and suggested fixes."""
    with st.container(key=f"card-{reason.code}"):
        st.html(
            f'<div class="x-failed"><i>✗</i><b>{html.escape(reason.title)}</b>'
            f"<code>{reason.code}</code></div>"
            f'<p class="x-shortfall">{markup(reason.shortfall, 600)}</p>'
            f'<p class="x-values">{markup(reason.why, 600)}</p>'
        )
        for turn, fix in enumerate(fix for fix in fixes if fix.code == reason.code):
            more = "" if fix.solved else "; other conditions still fail"
            document = fix.document if isinstance(fix, GraphFix) else fix.pipeline
            fix_button(
                f"fix-{reason.code}-{turn}",
                f"fix.{reason.code}.{turn}",
                fix.label,
                fix.effect + more,
                editing.fix,
                (document,),
                longest=60,
            )
        if reason.code in text.advice:
            st.html(f'<p class="x-advice">{markup(text.advice[reason.code], 600)}</p>')


def partitioner_place(pipeline: Pipeline | None, view: GraphView, edge: EdgeView) -> str:
    """Return the place of messages about an edge's partitioner."""
    if pipeline is None:
        return f"{edge.key}.partitioner"
    source, target = (view.node_of[end].transformation for end in (edge.source, edge.target))
    return f"{source}>{target}.partitioner"


def _partitioner(pipeline: Pipeline | None, view: GraphView, edge: EdgeView) -> None:
    place = partitioner_place(pipeline, view, edge)
    source = view.node_of[edge.source].transformation
    target = view.node_of[edge.target].transformation
    value: str | None
    if pipeline is None:
        value, hint = edge.partitioner, ""
        change: Callback = (editing.set_stream_partitioner, (place, edge.index))
    elif source is None or target is None or source == target:
        return
    else:
        hint = f"{edge.partitioner}, {OWN}"
        value = edge.partitioner if edge.via else None
        change = (editing.set_partitioner, (place, source, target))
    key = session.widget(place)
    own = [value] if value is not None and value not in PARTITIONER_CLASSES else []
    st.session_state[key] = value
    with st.container(key="edge-form"):
        st.selectbox(
            "Partitioner",
            [*own, *PARTITIONER_CLASSES],
            key=key,
            placeholder=hint,
            on_change=change[0],
            args=(key, *change[1]),
        )
    complaint.show(place)


def _insert(pipeline: Pipeline, view: GraphView, edge: EdgeView) -> None:
    """Draw the button that adds an operator, which stands before the edge's partitioner."""
    ends = _stream_of(pipeline, view, edge)
    if ends is None:
        return
    st.button(
        "+ Insert here",
        key="insert",
        on_click=adding.open_dialog,
        args=(Place(source=ends[0], reader=ends[1]),),
    )


def _stream_of(pipeline: Pipeline, view: GraphView, edge: EdgeView) -> tuple[str, str] | None:
    """Return the transformations at both ends of an edge; None within one transformation.

    Where several edges share a partition, the second one is the next for all of them.
    """
    source = view.node_of[edge.source].transformation
    target = view.node_of[edge.target].transformation
    if source is None or target is None or source == target:
        return None
    route = {*edge.via, target}
    readers = (
        transformation.id
        for transformation in pipeline.transformations
        if source in transformation.inputs
    )
    reader = next((id for id in readers if id in route), None)
    return None if reader is None else (source, reader)
