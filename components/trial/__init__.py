"""The trial tab: start, watch, cancel; then the figures, the charts and the sinks' rows."""

import streamlit as st

from components import complaint
from components.escaping import markup
from components.trial import bar, data, results, runs, watching
from components.trial.runs import Run
from components.work import Work


def show(work: Work, lit: frozenset[str]) -> None:
    """Draw the run that was picked, or how to start one."""
    complaint.show("trial")
    run = runs.shown()
    if run is None:
        _nothing_yet()
    elif not run.ended:
        watching.show(run)
    elif (report := run.handle.report) is None:
        _stopped(run)
    else:
        selection = work.selection if run.document is work.document else None
        results.show(run, report, bar.show(run, report), selection=selection, lit=lit)


def _nothing_yet() -> None:
    st.html(
        '<p class="x-hint">A trial carries real records through these tasks on a local Spark, and '
        "counts what Flink would count. A source without <code>rows</code> sends the numbers 0 to "
        "999; one with a <code>path</code> reads one of the files under Data.</p>"
    )
    with st.container(key="trial-start", horizontal=True):
        st.button("▶ Start a trial run", key="start", type="primary", on_click=runs.start)
        data.show()


def _stopped(run: Run) -> None:
    """A run that failed or was cancelled: why."""
    bar.show(run, None)
    st.html(
        f'<div class="x-complaint" role="alert">Run {run.number} {WORDS[run.handle.state]}: '
        f"{markup(run.handle.error or '', 2000)}</div>"
    )


WORDS = {"failed": "failed", "cancelled": "was stopped"}
