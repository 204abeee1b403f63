"""Two bar charts of a trial, a bar for each job vertex: time and bytes."""

from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from components.widgets.escaping import cut
from explorer.drawing.svg.palette import PARTS
from explorer.drawing.view.elements import GraphView
from explorer.engine.report.trial_report import TrialReport

if TYPE_CHECKING:
    import pandas as pd

SPENT: Final = (("busy", "operator_ms"), ("write", "write_ms"), ("read", "read_ms"))
MOST: Final = 40
"""Bars; a longer list is better read in the table."""
BAR: Final = 24
AXIS: Final = 66
LEGEND: Final = " ".join(f'<i style="background:var(--x-{name})"></i>{name}' for name, _ in SPENT)


def show(view: GraphView, report: TrialReport) -> None:
    """Draw both charts side by side."""
    import altair as alt

    times, sizes = frames(view, report)
    ground = 1 if st.context.theme.type == "dark" else 0
    colours = [PARTS[name][ground] for name, _ in SPENT]
    left, right = st.columns(2)
    with left:
        colour = alt.Color(
            "part:N",
            title=None,
            sort=[name for name, _ in SPENT],
            scale=alt.Scale(domain=[name for name, _ in SPENT], range=colours),
            legend=None,
        )
        st.html(f'<div class="x-legend">{LEGEND} · milliseconds</div>')
        _bars(times, "ms:Q", colour)
    with right:
        st.html('<div class="x-legend">bytes out</div>')
        _bars(sizes, "bytes:Q", alt.value(colours[0]))


def frames(view: GraphView, report: TrialReport) -> tuple["pd.DataFrame", "pd.DataFrame"]:
    """Long tables: time by vertex and part, bytes by vertex."""
    import pandas as pd

    vertex_figures = {vertex.id: vertex for vertex in report.vertices}
    shown_pairs = [
        (f"{vertex.number}. {cut(vertex.name, 28)}", vertex_figures[vertex.id])
        for vertex in view.vertices[:MOST]
    ]
    times = [
        {"vertex": name, "part": part, "ms": getattr(figures, field)}
        for name, figures in shown_pairs
        for part, field in SPENT
    ]
    sizes = [{"vertex": name, "bytes": figures.bytes_out} for name, figures in shown_pairs]
    return pd.DataFrame(times), pd.DataFrame(sizes)


def _bars(frame: "pd.DataFrame", value: str, colour: Any) -> None:
    """Draw a bar per vertex; the legend is above, where a low panel shows it too."""
    import altair as alt

    bars = (
        alt.Chart(frame)
        .mark_bar(size=13)
        .encode(
            x=alt.X(value, title=None, axis=alt.Axis(tickCount=4, orient="top")),
            y=alt.Y("vertex:N", title=None, sort=None, axis=alt.Axis(labelLimit=190)),
            color=colour,
        )
        .properties(height=BAR * frame["vertex"].nunique() + AXIS)
    )
    st.altair_chart(bars, width="stretch")
