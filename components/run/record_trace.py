"""The *Follow* tab: the whole route of one record through the job, played on both graphs."""

from dataclasses import dataclass
from typing import Final

import streamlit as st
from msgspec.structs import replace

from components.run.trial import data
from components.run.trial.row_table import named_rows
from components.server.hosting import hosting
from components.session import session
from components.session.keys import Key
from components.session.work import Work
from components.widgets import complaint, stepper
from components.widgets.escaping import markup
from components.widgets.pieces import hint, one_of
from explorer.deployment.option_lines import read_options
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.highlighted_steps import MOST as LARGEST
from explorer.drawing.view.highlighted_steps import highlighted_route
from explorer.engine.planning.synthetic import is_synthetic
from explorer.engine.preview.record_tracing import (
    Direction,
    RecordRoute,
    ends_of,
    rows_of,
    trace_record,
)
from explorer.engine.preview.sample_run import NO_FUNCTIONS
from explorer.engine.preview.sampling import RowSample
from explorer.engine.preview.tracing import TRACED_LIMITS, TRACED_ROWS, TracedRun, traced_run
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.wording import counted

MOST: Final = 500
"""Rows of a table."""
TALL: Final = 210
"""Pixels of it."""
ROUTE, ROWS, ENDS = "Path", "Choose record", "Linked records"
VIEWS: Final = (ROUTE, ROWS, ENDS)


@dataclass(frozen=True)
class _TraceEnd:
    """The source or sink of the traced record."""

    label: str
    direction: Direction
    name: str


def show(work: Work, compilation: Compilation, view: GraphView) -> None:
    """Draw the bar, then the view that is chosen; or the message with the fault."""
    if is_synthetic(compilation):
        st.html(hint(markup(NO_FUNCTIONS[0].upper() + NO_FUNCTIONS[1:])))
        return
    if len(view.nodes) > LARGEST:
        st.html(hint(f"Up to {LARGEST:,} operators are played; these are {len(view.nodes):,}."))
        return
    with st.container(key="follow-bar", horizontal=True, vertical_alignment="center"):
        chosen = one_of(VIEWS, key=Key.TRACE_VIEW, wrap=False)
        condition = _condition()
        try:
            run = session.latest("traced", (compilation, data.stamp(), condition or ""), _run)
            trace_end = _owner(run)
            route = _route(run, trace_end) if trace_end else None
        except ExplorerError as error:
            complaint.say(str(error))
            return
    with st.container(key="follow-body"):
        if trace_end is None or route is None:
            st.html(hint("This job has no source with rows."))
        elif chosen == ROWS:
            _rows(run, trace_end)
        elif chosen == ENDS:
            _ends(route)
        else:
            document = f"{work.serial} {trace_end.label} {route.start.place} {condition}"
            stepper.show(
                highlighted_route(view, route.reported), document=document, key=Key.TRACE_STEPS
            )


def _condition() -> str | None:
    """Draw the field of the condition that a traced record meets; return its text."""
    return st.text_input(
        "Condition",
        key=Key.TRACE_WHERE,
        bind="query-params",
        placeholder="Only records where …",
        label_visibility="collapsed",
        width=170,
        help="A condition over a source's columns, as dep_delay > 600; without one up to the "
        f"first {TRACED_ROWS:,} rows of every source are run.",
    )


def _run(compilation: Compilation, _stamp: str, place: str) -> TracedRun:
    sample = RowSample(rows=TRACED_ROWS, where=place or None)
    maximum = hosting()
    limits = replace(TRACED_LIMITS, seconds=maximum.traced_seconds, transfers=maximum.transfers)
    return traced_run(compilation, data_dir=data.folder(), sample=sample, limits=limits)


def _owner(run: TracedRun) -> _TraceEnd | None:
    """Draw the menu of sources and sinks; return the chosen one."""
    sources, sinks = ends_of(run)
    trace_ends = (
        *(_TraceEnd(f"source {name}", "forward", name) for name in sources),
        *(_TraceEnd(f"sink {name}", "back", name) for name in sinks),
    )
    every = {trace_end.label: trace_end for trace_end in trace_ends}
    if not every:
        return None
    if st.session_state.get(Key.TRACED_END) not in every:
        st.session_state.pop(Key.TRACED_END, None)
    chosen = st.selectbox(
        "A row of",
        list(every),
        key=Key.TRACED_END,
        bind="query-params",
        label_visibility="collapsed",
        width=160,
    )
    return every[str(chosen)]


def _route(run: TracedRun, trace_end: _TraceEnd) -> RecordRoute:
    row = st.number_input(
        "Row",
        min_value=1,
        key=Key.TRACED_ROW,
        bind="query-params",
        label_visibility="collapsed",
        width=100,
        help="Which of its rows, counted from 1.",
    )
    forward = trace_end.direction == "forward"
    source, sink = (trace_end.name, None) if forward else (None, trace_end.name)
    options = read_options(str(st.session_state.get(Key.OPTIONS) or ""))
    route = trace_record(run, source, sink, int(row or 1) - 1, options)
    st.html(f'<div class="x-counts">{markup(_text(route), 300)}</div>', width="stretch")
    return route


def _text(route: RecordRoute) -> str:
    steps = f"{len(route.steps)}{'' if route.whole else '+'} steps"
    if route.direction == "back":
        return f"{steps}, from {counted(route.ends_count, 'record')}"
    if not route.ends_count:
        return f"{steps}, no output records"
    return f"{steps}, to {counted(route.ends_count, 'record')}"


def _rows(run: TracedRun, trace_end: _TraceEnd) -> None:
    rows = rows_of(run, trace_end.direction, trace_end.name, MOST)
    st.html('<div class="x-counts">Select a record to trace it.</div>')
    table = named_rows([{"row": at, **dict(row.values)} for at, row in enumerate(rows, 1)])
    st.dataframe(
        table,
        hide_index=True,
        height=TALL,
        key="follow-rows",
        on_select=_trace_selected,
        selection_mode="single-row",
    )


def _trace_selected() -> None:
    chosen = st.session_state["follow-rows"]["selection"]["rows"]
    if chosen:
        st.session_state[Key.TRACED_ROW] = chosen[0] + 1
        st.session_state[Key.TRACE_VIEW] = ROUTE


def _ends(route: RecordRoute) -> None:
    if not route.ends:
        st.html(hint("No record of a sink is derived from this record."))
        return
    shown_ends = route.ends[:MOST]
    remainder = f"; {len(shown_ends):,} of them here" if len(shown_ends) < route.ends_count else ""
    st.html(f'<div class="x-counts">{markup(_text(route), 300)}{remainder}</div>')
    owner = "source" if route.direction == "back" else "sink"
    rows = [{owner: end.name, "row": end.place + 1, **dict(end.row.values)} for end in shown_ends]
    st.dataframe(named_rows(rows), hide_index=True, height=TALL, key="follow-ends")
