"""The open place's panel: one tab for each table or tool; only the open one is made."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec
import streamlit as st

from components.deploy import check, compare, deployment, plan, restore
from components.explore import decisions, exchange, execution, find, ids, internals
from components.learn import lesson_tab, steps
from components.run import record_trace, running, trial
from components.run.trial import runs
from components.session import places
from components.session.compiled import CompileOutcome
from components.session.keys import Key
from components.session.measured import Measured
from components.session.work import Work
from components.source import program as source
from components.widgets import complaint, editor
from components.widgets.pieces import NOT_YET, hint
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.id_changes import IdRow
from explorer.flink.compiler import Compilation


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """Arguments of the tabs."""

    work: Work
    done: CompileOutcome
    since: Measured
    rows: Sequence[IdRow]
    highlighted: frozenset[str]


ANY: Final[Mapping[str, Callable[[Shown], None]]] = {
    places.PLAN: lambda now: plan.show(now.work, now.done, now.since),
    "Check": lambda now: check.show(now.work, now.since),
    "Compare": lambda now: compare.show(now.work, now.since),
    places.CLOSED: lambda _: None,
    places.FIND: lambda now: find.show(now.work, now.since),
    "Restore": lambda now: restore.show(now.work, now.since),
    "Running job": lambda now: running.show(now.work),
    places.TRIAL: lambda now: trial.show(now.work, now.highlighted),
    places.YAML: lambda now: editor.show(now.work),
    places.IMPORT: lambda _: source.show_import(),
    places.EXPORT: lambda now: source.show_export(now.work),
}
"""Tabs that have something to say even where the pipeline does not compile."""

COMPILED: Final[Mapping[str, Callable[[Shown, Compilation, GraphView], None]]] = {
    "IDs": lambda now, _, __: ids.show(
        now.rows, now.since.verdict, selection=now.work.selection, highlighted=now.highlighted
    ),
    "Decisions": lambda now, _, view: decisions.show(
        view, selection=now.work.selection, highlighted=now.highlighted
    ),
    places.STEPS: lambda now, _, view: steps.show(now.work, view),
    places.INTERNALS: lambda now, done, view: internals.show(now.work, done, view, now.highlighted),
    places.LESSON: lambda now, done, _: lesson_tab.show(now.work, done),
    "Execution graph": lambda now, done, view: execution.show(
        done, view, selection=now.work.selection, highlighted=now.highlighted
    ),
    "Deployment": lambda now, done, view: deployment.show(
        now.work, done, view, now.since, runs.bytes_out(now.work.document)
    ),
    places.EXCHANGE: lambda now, done, view: exchange.show(now.work, done, view),
    places.TRACE: lambda now, done, view: record_trace.show(now.work, done, view),
}
"""Tabs on a compilation."""


def show(
    work: Work,
    done: CompileOutcome,
    since: Measured,
    rows: Sequence[IdRow],
    highlighted: frozenset[str],
) -> None:
    """Draw the tabs of the open place, and what the open one holds."""
    place, _ = places.current()
    names = places.TABS[place]
    with st.container(key=Key.BELOW):
        made = st.tabs(names, key=Key.TABS, bind="query-params")
        for name, tab in zip(names, made, strict=True):
            if tab.open:
                with tab, complaint.showing_errors():
                    now = Shown(
                        work=work, done=done, since=since, rows=rows, highlighted=highlighted
                    )
                    if name in ANY:
                        ANY[name](now)
                    elif done.compilation is None or done.view is None:
                        st.html(hint(f"Nothing to list {NOT_YET}"))
                    else:
                        COMPILED[name](now, done.compilation, done.view)
