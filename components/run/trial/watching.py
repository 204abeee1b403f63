"""A run while it waits and runs: its place, its progress by vertex, and a button that stops it."""

from collections.abc import Callable
from typing import Final

import streamlit as st

from components.run.trial import figures, runs
from components.run.trial.runs import Run
from components.session.guard import run_guarded
from components.session.keys import Key
from components.widgets import complaint, table
from explorer.engine.spark.trial_runs import TrialProgress

EVERY: Final = 0.4
"""Seconds between two looks at a run."""


def again(ended: Callable[[], bool], draw: Callable[[], None], every: float = EVERY) -> None:
    """Draw a part of the page again and again; at the end the whole page is drawn anew."""

    @st.fragment(run_every=every)
    def look() -> None:
        if ended():
            st.rerun()
        run_guarded(draw, complaint.say)

    look()


def show(run: Run) -> None:
    """Look at the run until it has ended."""
    again(lambda: run.has_ended, lambda: _progress(run))


def _progress(run: Run) -> None:
    progress = run.handle.progress()
    with st.container(key="trial-bar", horizontal=True, vertical_alignment="center"):
        st.html(
            f'<div role="status"><b>Run {run.number}</b> · {state(progress)}</div>',
            width="stretch",
        )
        st.button(
            "Cancel",
            key="cancel",
            on_click=runs.cancel,
            args=(run.number,),
            disabled=progress.stopping,
        )
    with st.container(key="trial-body"):
        rows = figures.live_rows(run.view, progress.vertices)
        table.show(figures.LIVE, rows, label="Progress", key=Key.LIVE)


def state(progress: TrialProgress) -> str:
    """Return the state of a run in words.

    >>> figures = {"waited_ms": 0.0, "elapsed_ms": 400.0, "stopping": False, "vertices": ()}
    >>> state(TrialProgress(state="waiting", place=2, **figures))
    'waiting in place 2'
    """
    if progress.stopping:
        return "Cancelling…"
    if progress.state == "waiting":
        return f"waiting in place {progress.place}"
    if progress.state == "starting":
        return f"starting Spark, the first run only: {progress.waited_ms / 1000:.1f} s"
    return f"running for {progress.elapsed_ms / 1000:.1f} s"
