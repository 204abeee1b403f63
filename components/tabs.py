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
    places.PLAN: lambda arguments: plan.show(arguments.work, arguments.done, arguments.since),
    "Check": lambda arguments: check.show(arguments.work, arguments.since),
    "Compare": lambda arguments: compare.show(arguments.work, arguments.since),
    places.CLOSED: lambda _: None,
    places.FIND: lambda arguments: find.show(arguments.work, arguments.since),
    "Restore": lambda arguments: restore.show(arguments.work, arguments.since),
    "Running job": lambda arguments: running.show(arguments.work),
    places.TRIAL: lambda arguments: trial.show(arguments.work, arguments.highlighted),
    places.YAML: lambda arguments: editor.show(arguments.work),
    places.IMPORT: lambda _: source.show_import(),
    places.EXPORT: lambda arguments: source.show_export(arguments.work),
}
"""Tabs that have something to say even where the pipeline does not compile."""

COMPILED: Final[Mapping[str, Callable[[Shown, Compilation, GraphView], None]]] = {
    "IDs": lambda arguments, _, __: ids.show(
        arguments.rows,
        arguments.since.verdict,
        selection=arguments.work.selection,
        highlighted=arguments.highlighted,
    ),
    "Decisions": lambda arguments, _, view: decisions.show(
        view, selection=arguments.work.selection, highlighted=arguments.highlighted
    ),
    places.STEPS: lambda arguments, _, view: steps.show(arguments.work, view),
    places.INTERNALS: lambda arguments, compilation, view: internals.show(
        arguments.work, compilation, view, arguments.highlighted
    ),
    places.LESSON: lambda arguments, compilation, _: lesson_tab.show(arguments.work, compilation),
    "Execution graph": lambda arguments, compilation, view: execution.show(
        compilation, view, selection=arguments.work.selection, highlighted=arguments.highlighted
    ),
    "Deployment": lambda arguments, compilation, view: deployment.show(
        arguments.work, compilation, view, arguments.since, runs.bytes_out(arguments.work.document)
    ),
    places.EXCHANGE: lambda arguments, compilation, view: exchange.show(
        arguments.work, compilation, view
    ),
    places.TRACE: lambda arguments, compilation, view: record_trace.show(
        arguments.work, compilation, view
    ),
}
"""Tabs on a compilation."""


def show(
    work: Work,
    outcome: CompileOutcome,
    verdict: Measured,
    rows: Sequence[IdRow],
    highlighted: frozenset[str],
) -> None:
    """Draw the tabs of the open place, and what the open one holds."""
    place, _ = places.current()
    names = places.TABS[place]
    with st.container(key=Key.BELOW):
        tab_containers = st.tabs(names, key=Key.TABS, bind="query-params")
        for name, tab in zip(names, tab_containers, strict=True):
            if tab.open:
                with tab, complaint.showing_errors():
                    arguments = Shown(
                        work=work, done=outcome, since=verdict, rows=rows, highlighted=highlighted
                    )
                    if name in ANY:
                        ANY[name](arguments)
                    elif outcome.compilation is None or outcome.view is None:
                        st.html(hint(f"Nothing to list {NOT_YET}"))
                    else:
                        COMPILED[name](arguments, outcome.compilation, outcome.view)
