"""The trial tab: start, watch, cancel; then the figures, the charts and the sinks' rows."""

import threading
from typing import Final

import streamlit as st
from streamlit import runtime
from streamlit.runtime import Runtime

from components.run.trial import (
    bar,
    comparing,
    data,
    expected_figures,
    figures,
    previews,
    results,
    runs,
    sink_files,
    watching,
)
from components.run.trial.runs import Run
from components.server.hosting import hosting
from components.session import session
from components.session.work import Work
from components.widgets import complaint
from components.widgets.escaping import markup
from components.widgets.pieces import hint, info
from explorer.drawing.view.elements import GraphView
from explorer.engine.planning.synthetic import is_synthetic
from explorer.engine.preview.preview import Preview
from explorer.engine.spark.queue import QUEUE
from explorer.engine.spark.spark_settings import page_target
from explorer.flink.compiler import Compilation
from explorer.flink.releases import LATEST

_LATER: Final = 1.5
"""Seconds after which a browser has drawn what it was sent."""


def show(work: Work, highlighted: frozenset[str]) -> None:
    """Draw the run that was picked, or how to start one."""
    complaint.show("trial")
    _title()
    compared, run = runs.comparison(), runs.shown()
    if (
        run is not None
        and session.message_at("trial")
        and not runs.is_of_document(run, work.document)
    ):
        # The trial of this document was refused: figures of another document would look like its.
        compared = run = None
    if compared is not None:
        comparing.show(compared, work.document)
    elif run is None:
        _nothing_yet(work, highlighted)
    elif not run.has_ended:
        watching.show(run)
    elif (report := run.report) is None:
        _draw_stopped(run)
    else:
        own = runs.is_of_document(run, work.document)
        selection = work.selection if own else None
        choice = bar.show(run, report)
        results.show(run, report, choice, own=own, selection=selection, highlighted=highlighted)


def _title() -> None:
    if hosting().trials:
        target = page_target()
        place = "Local run on Spark" if target.is_local else f"Run on Spark at {target.master}"
    else:
        place = "Preview in this page's process"
    work = session.work()
    release = (work.document.flink if work else None) or LATEST
    text = f"<b>{markup(place)}</b>, with the figures that Flink {release} would report"
    st.html(f'<div class="x-place-title">{text}</div>')


def _nothing_yet(work: Work, highlighted: frozenset[str]) -> None:
    outcome = session.compiled(work.document)
    if outcome.compilation is not None and is_synthetic(outcome.compilation):
        _synthetic(work, outcome.compilation, outcome.view, highlighted)
        return
    preview = previews.of(outcome)
    with st.container(key="trial-bar", horizontal=True, vertical_alignment="center"):
        _start(ALL + KNOWN)
        data.show()
        if isinstance(preview, Preview):
            sink_files.show_first(preview.report, work.document)
        chosen = previews.bar(preview)
    with st.container(key="trial-body"):
        previews.show(
            preview, outcome.view, chosen, selection=work.selection, highlighted=highlighted
        )


def _start(words: str = "") -> None:
    if not hosting().trials:
        return
    st.button("▶ Start a trial run", key="start", type="primary", on_click=runs.start, help=words)
    bar.compare()


def _synthetic(
    work: Work, compilation: Compilation, view: GraphView | None, highlighted: frozenset[str]
) -> None:
    st.html(hint(ALL + SET) + info("Synthetic operators", SYNTHETIC))
    with st.container(key="trial-start", horizontal=True):
        _start()
    if view is not None:
        expected_figures.show(compilation, view, selection=work.selection, highlighted=highlighted)


def _draw_stopped(run: Run) -> None:
    bar.show(run, None)
    why = run.handle.error or ""
    if run.handle.state == "cancelled":
        spent = figures.span(run.handle.progress().elapsed_ms)
        st.html(f'<p class="x-hint" role="status">Run {run.number}, {spent}: {markup(why)}.</p>')
    else:
        complaint.say(f"Run {run.number} failed: {why}", longest=2000)


ALL = "A trial runs these tasks on local Spark and reports the figures that Flink would report. "
KNOWN = "A source without rows emits the numbers 0 to 999; one with a path reads a file under Data."
SET = (
    "Select an operator to set how many records it emits for each input record, and how many "
    "microseconds a record takes."
)
SYNTHETIC = (
    "This document does not hold the program's functions, so <b>synthetic operators</b> run in "
    "their place: tasks, channels, records and times are counted; rows, their bytes and keys are "
    "stand-ins."
)


def start_spark_early() -> None:
    """Start Spark in the background, a moment after the first visit, once for each server.

    So the first trial waits for nothing, and the first sight of the page for no Java. A page
    without trials starts none.
    """
    # AppTest puts an imitation in the runtime's place, which passes for an instance of it.
    if hosting().trials and runtime.exists() and type(runtime.get_instance()) is Runtime:
        _start_once()


@st.cache_resource(show_spinner=False)
def _start_once() -> None:
    timer = threading.Timer(_LATER, QUEUE.prepare, (page_target(),))
    timer.daemon = True
    timer.start()
