"""The line above a run's figures: which run, beside which other, which view, downloads."""

import json
from typing import Final

import msgspec
import streamlit as st

from components.escaping import markup
from components.hosting import hosting
from components.keys import Key
from components.trial import data, runs, sink_files
from components.trial.runs import Report, Run
from explorer.analysis.job_report import JobReport
from explorer.trial import TrialReport

NOTES: Final = 20
VIEWS: Final = ("Tasks", "Operators", "Timeline", "Time and bytes", "Rows")
JOB_VIEWS: Final = ("Tasks", "Subtasks", "Operators")
"""Of a running job: it keeps no rows, and times by subtask."""


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """What to show of a run."""

    view: str = VIEWS[0]
    other: Run | None = None
    """The run to lay beside it."""


def show(run: Run, report: Report | None) -> Choice:
    """Draw the line; without a report there is only the choice of a run."""
    choice = Choice()
    with st.container(key="trial-bar", horizontal=True, vertical_alignment="center"):
        if report is not None:
            with_views = st.container(key="trial-views", width="content")
            _runs(run)
            other = _other(run)
            if other is None:
                with with_views:
                    choice = Choice(view=_view(report))
            else:
                choice = Choice(other=other)
            _downloads(run, report)
            if isinstance(report, TrialReport):
                sink_files.show(report, run.number)
            _notes(report)
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
        "with records copied between the operators of a task, and with the same objects handed on,",
    ),
}
"""By key its label, what it begins, and what takes turns."""


def _runs(run: Run) -> None:
    every = {each.number: each for each in runs.all_runs()}
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


def _view(report: Report) -> str:
    views = JOB_VIEWS if isinstance(report, JobReport) else VIEWS
    if st.session_state.get(Key.VIEW) not in views:
        st.session_state[Key.VIEW] = views[0]
    chosen = st.segmented_control(
        "View", views, key=Key.VIEW, required=True, label_visibility="collapsed", wrap=False
    )
    return chosen or views[0]


def _other(run: Run) -> Run | None:
    finished = {
        each.number: each
        for each in runs.all_runs()
        if each.number != run.number and each.report is not None
    }
    if not finished:
        return None
    number = st.selectbox(
        "Beside",
        list(finished),
        index=None,
        format_func=lambda each: f"beside run {each}",
        placeholder="beside …",
        key=Key.BESIDE,
        label_visibility="collapsed",
        width=128,
    )
    return finished.get(number) if number is not None else None


def _notes(report: Report) -> None:
    """What is to be known when the figures are read."""
    if isinstance(report, TrialReport) and report.warnings:
        with st.popover(f"Notes · {len(report.warnings)}", key="trial-notes"):
            items = "".join(f"<li>{markup(text, 600)}</li>" for text in report.warnings[:NOTES])
            st.html(f'<ul class="x-warnings">{items}</ul>')


def _downloads(run: Run, report: Report) -> None:
    kind = "job" if isinstance(report, JobReport) else "trial"
    with st.popover("⬇ Figures", key="figures-file"):
        st.download_button(
            "Download JSON",
            lambda: json.dumps(report.to_dict(), ensure_ascii=False, indent=2),
            file_name=f"{kind}-{run.number}.json",
            mime="application/json",
            key="trial-json",
            on_click="ignore",
            width="stretch",
        )
        st.download_button(
            "Download CSV",
            report.to_csv,
            file_name=f"{kind}-{run.number}.csv",
            mime="text/csv",
            key="trial-csv",
            on_click="ignore",
            width="stretch",
        )
