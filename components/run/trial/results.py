"""A finished run: its tables, its charts and the sinks' rows, or a comparison of two runs."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from components.run.trial import (
    charts,
    figures,
    job_figures,
    row_bytes,
    row_table,
    run_comparison,
    runs,
    timeline,
)
from components.run.trial.bar import VIEWS, RunChoice
from components.run.trial.runs import Report, Run
from components.session import actions, session
from components.session.keys import Key
from components.widgets import table
from components.widgets.escaping import markup
from components.widgets.pieces import hint
from components.widgets.table import Column, Row
from explorer.drawing.view.elements import GraphView
from explorer.engine.report.trial_report import TrialReport
from explorer.running.job_report import JobReport


def show(
    run: Run,
    report: Report,
    choice: RunChoice,
    *,
    own: bool,
    selection: str | None,
    highlighted: frozenset[str],
) -> None:
    """Draw what was chosen; ``own``: whether the run was of the document that the graphs show."""
    other_run, view = choice.other, run.view
    compared = other_run.report if other_run else None
    tables_by_name = tables(view, report, selection=selection, highlighted=highlighted)
    if isinstance(report, TrialReport):
        tables_by_name |= {
            "Timeline": lambda: timeline.show(view, report, streaming=_is_streaming(run)),
            "Time and bytes": lambda: charts.show(view, report),
            "Rows": lambda: _sinks(report),
        }
    with st.container(key="trial-body" if own else "trial-old"):
        _provenance(run, own=own)
        if other_run is not None and compared is not None:
            _table(
                run_comparison.columns(run, other_run),
                partial(run_comparison.rows, run, report, other_run, compared),
                f"Run {run.number} compared with run {other_run.number}",
                selection=selection,
                highlighted=highlighted if selection else frozenset(),
            )
        else:
            tables_by_name.get(choice.view, tables_by_name[VIEWS[0]])()


def _is_streaming(run: Run) -> bool:
    compilation = session.compiled(run.document).compilation
    return compilation is None or compilation.job_graph.job_type == "STREAMING"


def _provenance(run: Run, *, own: bool) -> None:
    owner = "" if own else f'<b class="x-old">{runs.other_document(run.session)}</b> · '
    st.html(f'<div class="x-provenance">Run {run.number} · {owner}{markup(run.title)}</div>')


Made = dict[str, tuple[Sequence[Column], Callable[[], Sequence[Row]]]]
"""By name, a table's columns, and what makes its rows."""


def tables(
    view: GraphView, report: Report, *, selection: str | None, highlighted: frozenset[str]
) -> dict[str, Callable[[], None]]:
    """Map the name of each table to the function that draws it."""
    if isinstance(report, JobReport):
        pairs: Made = {
            "Tasks": (job_figures.VERTICES, partial(job_figures.job_vertex_rows, view, report)),
            "Subtasks": (job_figures.SUBTASKS, partial(job_figures.subtask_rows, view, report)),
            "Operators": (
                job_figures.OPERATORS,
                partial(job_figures.job_operator_rows, view, report),
            ),
        }
    else:
        pairs = {
            "Tasks": (figures.VERTICES, partial(figures.vertex_rows, view, report)),
            "Operators": (figures.OPERATORS, partial(figures.operator_rows, view, report)),
        }
    lights = highlighted if selection else frozenset[str]()
    return {
        name: partial(_table, columns, make, name, selection=selection, highlighted=lights)
        for name, (columns, make) in pairs.items()
    }


def _table(
    columns: Sequence[Column],
    make: Callable[[], Sequence[Row]],
    label: str,
    *,
    selection: str | None,
    highlighted: frozenset[str],
) -> None:
    table.show(
        columns,
        make(),
        label=label,
        key=Key.FIGURES,
        selection=selection,
        highlighted=highlighted,
        on_pick=actions.pick,
    )


def _sinks(report: TrialReport) -> None:
    names = list(report.sinks)
    if not names:
        st.html(hint("This pipeline has no sink."))
        return
    chosen = names[0]
    if len(names) > 1:
        chosen = st.selectbox("Sink", names, key=Key.SINK, label_visibility="collapsed", width=260)
    sink = report.sinks[chosen]
    data = sink.data or ()
    first = f", the first {len(data):,}" if len(data) < sink.rows else ""
    st.html(f'<div class="x-counts">{markup(chosen)}: {sink.rows:,} rows{first}</div>')
    rows = row_table.table_of([name for name, _ in sink.columns], data)
    left, right = st.columns([3, 2])
    with left:
        picked = row_table.show(rows, key=f"sink-rows-{chosen}", height="stretch")
    with right:
        if not sink.columns:
            st.html(hint("This place received rows of several types: their bytes are not shown."))
        elif picked is None:
            st.html(hint(row_bytes.PICK))
        else:
            row_bytes.show_parts(row_bytes.parts_of(sink.columns, tuple(data[picked]), None))
