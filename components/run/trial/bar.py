"""The line above a run's figures: the run, the run it is compared with, the view, downloads."""

import json
from typing import Final

import msgspec
import streamlit as st

from components.run.trial import data, runs, sink_files
from components.run.trial.runs import Report, Run
from components.server.hosting import hosting
from components.session.keys import Key
from components.widgets.pieces import bullets, one_of
from explorer.engine.report.trial_report import TrialReport
from explorer.running.job_report import JobReport

NOTES: Final = 20
VIEWS: Final = ("Tasks", "Operators", "Timeline", "Time and bytes", "Rows")
JOB_VIEWS: Final = ("Tasks", "Subtasks", "Operators")
"""Views of a running job, which has times by subtask and no rows."""


class RunChoice(msgspec.Struct, frozen=True, kw_only=True):
    """The chosen view of a run."""

    view: str = VIEWS[0]
    other: Run | None = None
    """The run to compare it with."""


def show(run: Run, report: Report | None) -> RunChoice:
    """Draw the line; without a report there is only the choice of a run."""
    choice = RunChoice()
    with st.container(key="trial-bar", horizontal=True, vertical_alignment="center"):
        if report is not None:
            with_views = st.container(key="trial-views", width="content")
            _runs(run)
            other_run = _other(run)
            if other_run is None:
                views = JOB_VIEWS if isinstance(report, JobReport) else VIEWS
                with with_views:
                    choice = RunChoice(view=one_of(views, key=Key.VIEW, wrap=False))
            else:
                choice = RunChoice(other=other_run)
            _downloads(run, report)
            if isinstance(report, TrialReport):
                sink_files.show(report, run.number)
            if isinstance(report, TrialReport) and report.warnings:
                with st.popover(f"Notes · {len(report.warnings)}", key="trial-notes"):
                    st.html(bullets(report.warnings[:NOTES], 600))
        else:
            _runs(run)
        data.show()
        again = "Start a trial" if isinstance(report, JobReport) else "Run again"
        st.button(again, key="again", on_click=runs.start)
        if hosting().trials:
            compare()
    return choice


def compare() -> None:
    """Draw the buttons that let both settings of chaining, or of object reuse, take turns."""
    with st.popover("Compare", key="compare-settings"):
        for key, (label, begin, what) in _COMPARED.items():
            st.button(
                label,
                key=key,
                on_click=begin,
                help=f"Run it {what} in turns: medians over rounds with their spread, and what is "
                "noise",
                width="stretch",
            )


_COMPARED: Final = {
    "compare": ("Compare chaining", runs.start_comparison, "chained and unchained"),
    "compare-reuse": (
        "Compare object reuse",
        runs.start_reuse_comparison,
        "with records copied between the operators of a task, and with object reuse,",
    ),
}
"""By key its label, what it begins, and what takes turns."""


def _runs(run: Run) -> None:
    every = {visit_run.number: visit_run for visit_run in runs.all_runs()}
    if len(every) > 1:
        st.session_state[Key.RUN] = run.number
        st.selectbox(
            "Run",
            list(every),
            format_func=lambda number: f"Run {number}: {every[number].title}"[:60],
            key=Key.RUN,
            label_visibility="collapsed",
            width=150,
        )


def _other(run: Run) -> Run | None:
    finished = {
        visit_run.number: visit_run
        for visit_run in runs.all_runs()
        if visit_run.number != run.number and visit_run.report is not None
    }
    if not finished:
        return None
    number = st.selectbox(
        "Compare with",
        list(finished),
        index=None,
        format_func=lambda value: f"against run {value}",
        placeholder="compare …",
        key=Key.COMPARED_RUN,
        label_visibility="collapsed",
        width=128,
    )
    return finished.get(number) if number is not None else None


def _downloads(run: Run, report: Report) -> None:
    kind = "job" if isinstance(report, JobReport) else "trial"
    pairs = {
        "json": (
            "application/json",
            lambda: json.dumps(report.to_dict(), ensure_ascii=False, indent=2),
        ),
        "csv": ("text/csv", report.to_csv),
    }
    with st.popover("⬇ Figures", key="figures-file"):
        for ending, (mime, make) in pairs.items():
            st.download_button(
                f"Download {ending.upper()}",
                make,
                file_name=f"{kind}-{run.number}.{ending}",
                mime=mime,
                key=f"trial-{ending}",
                on_click="ignore",
                width="stretch",
            )
