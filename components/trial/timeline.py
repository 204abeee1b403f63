"""When did each subtask of a trial run? A bar from its begin to its end, task by task."""

from typing import Any, Final

import streamlit as st

from components.escaping import cut
from components.pieces import hint
from components.trial.charts import AXIS
from explorer.drawing.elements import GraphView
from explorer.drawing.palette import hue
from explorer.engine import TrialReport

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
    found = {vertex.id: vertex for vertex in report.vertices}
    by_task = sum(one.parallelism for one in report.vertices) > MOST
    rows: list[dict[str, Any]] = []
    for vertex in view.vertices:
        one = found[vertex.id]
        name = f"{vertex.number}. {cut(vertex.name, 28)}"
        each = list(
            zip(
                one.subtask_begun_ms,
                one.subtask_ended_ms,
                one.subtask_busy_ms,
                one.subtask_records_in if one.records_in else one.subtask_records_out,
                strict=True,
            )
        )
        if by_task:
            begun, ended, busy, records = zip(*each, strict=True)
            each = [(min(begun), max(ended), sum(busy), sum(records))]
        rows += (
            {
                "subtask": name
                if by_task or len(each) == 1
                else f"{name}, {number} of {len(each)}",
                "begun": spent[0],
                "ended": spent[1],
                "busy": spent[2],
                "records": spent[3],
                "colour": hue(vertex.number)[ground],
            }
            for number, spent in enumerate(each, 1)
        )
    return rows[:MOST]
