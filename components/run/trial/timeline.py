"""Timeline of a trial's subtasks: a bar from begin to end of each, task by task."""

from typing import Any, Final

import streamlit as st

from components.run.trial.charts import AXIS
from components.widgets.escaping import cut
from components.widgets.pieces import hint
from explorer.drawing.svg.palette import hue
from explorer.drawing.view.elements import GraphView
from explorer.engine.report.trial_report import TrialReport
from explorer.model.run_figures import TaskFigures

MOST: Final = 60
"""Bars; of more subtasks each task has one, from its first begin to its last end."""
BAR: Final = 18
IN_TURNS: Final = (
    "Flink runs all tasks of a STREAMING job at the same time. The local run is a Spark job with "
    "one stage for each task, so a task starts when the tasks before it have ended."
)


def show(view: GraphView, report: TrialReport, *, streaming: bool) -> None:
    """Draw the bars; ``streaming``: whether Flink would run all tasks at the same time."""
    import altair as alt
    import pandas as pd

    bars = pd.DataFrame(spans(view, report, 1 if st.context.theme.type == "dark" else 0))
    names = list(bars["subtask"])
    chart = (
        alt.Chart(bars)
        .mark_bar(size=11, cornerRadius=2)
        .encode(
            x=alt.X("begun:Q", title="milliseconds since the first subtask began"),
            x2="ended:Q",
            y=alt.Y(
                "subtask:N",
                title=None,
                sort=names,
                axis=alt.Axis(labelLimit=260, labelOverlap=False),
            ),
            color=alt.Color("colour:N", scale=None),
            tooltip=["subtask", "begun", "ended", "busy", "records"],
        )
        .properties(height=BAR * len(bars) + AXIS)
    )
    if streaming:
        st.html(hint(IN_TURNS))
    st.altair_chart(chart, width="stretch")


def spans(view: GraphView, report: TrialReport, ground: int) -> list[dict[str, Any]]:
    """A row a subtask, or a task where there are many: when it began and ended, how busy it was.

    ``ground``: 0 for the colours on light, 1 for those on dark.
    """
    figures = {vertex_figures.id: vertex_figures for vertex_figures in report.vertices}
    by_task = sum(vertex_figures.parallelism for vertex_figures in report.vertices) > MOST
    rows: list[dict[str, Any]] = []
    for vertex in view.vertices:
        name = f"{vertex.number}. {cut(vertex.name, 28)}"
        each = _spans_of(figures[vertex.id], by_task=by_task)
        for number, span in enumerate(each, 1):
            subtask = name if len(each) == 1 else f"{name}, {number} of {len(each)}"
            rows.append({"subtask": subtask, **span, "colour": hue(vertex.colour)[ground]})
    return rows[:MOST]


def _spans_of(figures: TaskFigures, *, by_task: bool) -> list[dict[str, float]]:
    each = [
        (subtask.begun_ms or 0.0, subtask.ended_ms or 0.0, subtask.operator_ms or 0.0, records)
        for subtask, records in zip(figures.subtasks, figures.records, strict=True)
    ]
    if by_task:
        begun, ended, busy, records = zip(*each, strict=True)
        each = [(min(begun), max(ended), sum(busy), sum(records))]
    return [dict(zip(("begun", "ended", "busy", "records"), span, strict=True)) for span in each]
