"""The open place's panel: one tab for each table or tool; only the open one is made."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec
import streamlit as st

from components.deploy import check, compare, deployment, plan, restore
from components.explore import decisions, exchange, execution, find, ids, internals, pipeline
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


class TabCase(msgspec.Struct, frozen=True, kw_only=True):
    """Arguments of the tabs."""

    work: Work
    outcome: CompileOutcome
    since: Measured
    rows: Sequence[IdRow]
    highlighted: frozenset[str]


ANY: Final[Mapping[str, Callable[[TabCase], None]]] = {
    places.PLAN: lambda case: plan.show(case.work, case.outcome, case.since),
    "Check": lambda case: check.show(case.work, case.since),
    "Compare": lambda case: compare.show(case.work, case.since),
    places.CLOSED: lambda _: None,
    places.FIND: lambda case: find.show(case.work, case.since),
    places.RESTORE: lambda case: restore.show(case.work, case.since),
    "Running job": lambda case: running.show(case.work),
    places.TRIAL: lambda case: trial.show(case.work, case.highlighted),
    places.YAML: lambda case: editor.show(case.work),
    places.CHANGES: lambda case: source.show_changes(case.work, case.since),
    places.IMPORT: lambda case: source.show_import(lambda: pipeline.upload(case.work)),
    places.EXPORT: lambda case: source.show_export(case.work),
}
"""Tabs that have something to say even where the pipeline does not compile."""

COMPILED: Final[Mapping[str, Callable[[TabCase, Compilation, GraphView], None]]] = {
    "IDs": lambda case, _, __: ids.show(
        case.rows,
        case.since.verdict,
        selection=case.work.selection,
        highlighted=case.highlighted,
    ),
    "Decisions": lambda case, _, view: decisions.show(
        view, selection=case.work.selection, highlighted=case.highlighted
    ),
    places.STEPS: lambda case, _, view: steps.show(case.work, view),
    places.INTERNALS: lambda case, compilation, view: internals.show(
        case.work, compilation, view, case.highlighted
    ),
    places.LESSON: lambda case, compilation, _: lesson_tab.show(case.work, compilation),
    "Execution graph": lambda case, compilation, view: execution.show(
        compilation, view, selection=case.work.selection, highlighted=case.highlighted
    ),
    places.RESOURCES: lambda case, compilation, view: deployment.show(
        case.work, compilation, view, case.since, runs.bytes_out(case.work.document)
    ),
    places.EXCHANGE: lambda case, compilation, view: exchange.show(case.work, compilation, view),
    places.FOLLOW: lambda case, compilation, view: record_trace.show(case.work, compilation, view),
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
                    case = TabCase(
                        work=work,
                        outcome=outcome,
                        since=verdict,
                        rows=rows,
                        highlighted=highlighted,
                    )
                    if name in ANY:
                        ANY[name](case)
                    elif outcome.compilation is None or outcome.view is None:
                        st.html(hint(f"Nothing to list {NOT_YET}"))
                    else:
                        COMPILED[name](case, outcome.compilation, outcome.view)
