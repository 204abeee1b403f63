"""The follow tab: one row's whole way through the job, played on both graphs."""

from dataclasses import dataclass
from typing import Final

import pandas as pd
import streamlit as st
from msgspec.structs import replace

from components import complaint, session, stepper
from components.choosing import one_of
from components.escaping import markup
from components.keys import Key
from components.pieces import hint
from components.trial import data
from components.work import Work
from explorer.deployment.option_lines import read_options
from explorer.drawing.elements import GraphView
from explorer.drawing.highlighted_steps import MOST as LARGEST
from explorer.drawing.highlighted_steps import highlighted_route
from explorer.engine import (
    NO_FUNCTIONS,
    Direction,
    Sample,
    TracedRun,
    Way,
    ends_of,
    follow_row,
    is_synthetic,
    rows_of,
    traced_run,
)
from explorer.engine.limits import TRACED_LIMITS, TRACED_ROWS
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.wording import counted

SECONDS: Final = 5.0
"""Of the page's own work on one run."""
MOST: Final = 500
"""Rows of a table."""
TALL: Final = 210
"""Pixels of it."""
WAY, ROWS, ENDS = "Path", "Choose record", "From sink"
VIEWS: Final = (WAY, ROWS, ENDS)


@dataclass(frozen=True)
class _Asked:
    """Whose row is followed."""

    label: str
    direction: Direction
    name: str


def show(work: Work, done: Compilation, view: GraphView) -> None:
    """Draw the bar, then the view that is chosen; or the sentence that says what is wrong."""
    if is_synthetic(done):
        st.html(hint(markup(NO_FUNCTIONS[0].upper() + NO_FUNCTIONS[1:])))
        return
    if len(view.nodes) > LARGEST:
        st.html(hint(f"Up to {LARGEST:,} operators are played; these are {len(view.nodes):,}."))
        return
    with st.container(key="follow-bar", horizontal=True, vertical_alignment="center"):
        chosen = one_of(VIEWS, key=Key.FOLLOW_VIEW, wrap=False)
        where = st.text_input(
            "Condition",
            key=Key.FOLLOW_WHERE,
            bind="query-params",
            placeholder="Only rows where …",
            label_visibility="collapsed",
            width=170,
            help="A condition over a source's columns, as dep_delay > 600; without one the first "
            f"{TRACED_ROWS:,} rows of every source are run.",
        )
        try:
            run = session.latest("traced", (done, data.stamp(), where or ""), _run)
            asked = _whose(run)
            way = _way(run, asked) if asked else None
        except ExplorerError as error:
            complaint.say(str(error))
            return
    with st.container(key="follow-body"):
        if asked is None or way is None:
            st.html(hint("This job has no source with rows."))
        elif chosen == ROWS:
            _rows(run, asked)
        elif chosen == ENDS:
            _ends(way)
        else:
            document = f"{work.serial} {asked.label} {way.start.place} {where}"
            stepper.show(highlighted_route(view, way.told), document=document, key=Key.FOLLOW_STEPS)


def _run(done: Compilation, _stamp: str, where: str) -> TracedRun:
    sample = Sample(rows=TRACED_ROWS, where=where or None)
    limits = replace(TRACED_LIMITS, seconds=SECONDS)
    return traced_run(done, data_dir=data.folder(), sample=sample, limits=limits)


def _whose(run: TracedRun) -> _Asked | None:
    """The source or sink that was chosen."""
    sources, sinks = ends_of(run)
    asked = (
        *(_Asked(f"source {name}", "forward", name) for name in sources),
        *(_Asked(f"sink {name}", "back", name) for name in sinks),
    )
    every = {one.label: one for one in asked}
    if not every:
        return None
    if st.session_state.get(Key.FOLLOW) not in every:
        st.session_state.pop(Key.FOLLOW, None)
    chosen = st.selectbox(
        "A row of",
        list(every),
        key=Key.FOLLOW,
        bind="query-params",
        label_visibility="collapsed",
        width=160,
    )
    return every[str(chosen)]


def _way(run: TracedRun, asked: _Asked) -> Way:
    row = st.number_input(
        "Row",
        min_value=1,
        key=Key.FOLLOW_ROW,
        bind="query-params",
        label_visibility="collapsed",
        width=100,
        help="Which of its rows, counted from 1.",
    )
    forward = asked.direction == "forward"
    source, sink = (asked.name, None) if forward else (None, asked.name)
    options = read_options(str(st.session_state.get(Key.OPTIONS) or ""))
    way = follow_row(run, source, sink, int(row or 1) - 1, options)
    st.html(f'<div class="x-counts">{markup(_said(way), 300)}</div>', width="stretch")
    return way


def _said(way: Way) -> str:
    """How far it goes."""
    steps = f"{len(way.steps)}{'' if way.whole else '+'} steps"
    towards = "from" if way.direction == "back" else "to"
    return f"{steps}, {towards} {counted(way.ends_count, 'row')}"


def _rows(run: TracedRun, asked: _Asked) -> None:
    """The rows of the source or sink; a pick follows one."""
    rows = rows_of(run, asked.direction, asked.name, MOST)
    st.html('<div class="x-counts">Pick a row to follow it.</div>')
    frame = pd.DataFrame([{"row": at, **dict(row.values)} for at, row in enumerate(rows, 1)])
    st.dataframe(
        frame,
        hide_index=True,
        height=TALL,
        key="follow-rows",
        on_select=_picked,
        selection_mode="single-row",
    )


def _picked() -> None:
    """Take the row that was picked, and show its way."""
    chosen = st.session_state["follow-rows"]["selection"]["rows"]
    if chosen:
        st.session_state[Key.FOLLOW_ROW] = chosen[0] + 1
        st.session_state[Key.FOLLOW_VIEW] = WAY


def _ends(way: Way) -> None:
    """The rows at the other end of the way."""
    if not way.ends:
        st.html(hint("No row of a sink comes of it."))
        return
    shown = way.ends[:MOST]
    rest = f"; {len(shown):,} of them here" if len(shown) < way.ends_count else ""
    st.html(f'<div class="x-counts">{markup(_said(way), 300)}{rest}</div>')
    whose = "source" if way.direction == "back" else "sink"
    rows = [{whose: end.name, "row": end.place + 1, **dict(end.row.values)} for end in shown]
    st.dataframe(pd.DataFrame(rows), hide_index=True, height=TALL, key="follow-ends")
