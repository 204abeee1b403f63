"""Below the graphs: tables of what they show, one tab each; only the open one is made."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec
import streamlit as st

from components import (
    actions,
    check,
    compare,
    decisions,
    deployment,
    editor,
    execution,
    find,
    follow,
    ids,
    inside,
    lessons,
    restore,
    running,
    trace,
    trial,
    wire,
)
from components.compiled import Compiled
from components.keys import Key
from components.measured import Measured
from components.pieces import NOT_YET, hint
from components.trial import runs
from components.work import Work
from explorer.drawing.elements import GraphView
from explorer.drawing.id_changes import IdRow
from explorer.flink.compiler import Compilation


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """What the tabs tell of."""

    work: Work
    since: Measured
    rows: Sequence[IdRow]
    lit: frozenset[str]


ANY: Final[Mapping[str, Callable[[Shown], None]]] = {
    "Check": lambda now: check.show(now.work, now.since),
    "Compare": lambda now: compare.show(now.work, now.since),
    "Find ID": lambda now: find.show(now.work, now.since),
    "Restore": lambda now: restore.show(now.work, now.since),
    "Running job": lambda now: running.show(now.work),
    "Trial": lambda now: trial.show(now.work, now.lit),
    "YAML": lambda now: editor.show(now.work),
}
"""Tabs that have something to say even where the pipeline does not compile."""

COMPILED: Final[Mapping[str, Callable[[Shown, Compilation, GraphView], None]]] = {
    "IDs": lambda now, _, __: ids.show(
        now.rows, now.since.verdict, selection=now.work.selection, lit=now.lit
    ),
    "Decisions": lambda now, _, view: decisions.show(
        view, selection=now.work.selection, lit=now.lit
    ),
    "Steps": lambda now, _, view: trace.show(now.work, view),
    "Inside": lambda now, done, view: inside.show(now.work, done, view, now.lit),
    actions.LESSON_TAB: lambda now, done, _: lessons.show(now.work, done),
    "Execution graph": lambda now, done, view: execution.show(
        done, view, selection=now.work.selection, lit=now.lit
    ),
    "Deployment": lambda now, done, view: deployment.show(
        now.work, done, view, now.since, runs.bytes_out(now.work.document)
    ),
    "Wire": lambda now, done, view: wire.show(now.work, done, view),
    "Follow": lambda now, done, view: follow.show(now.work, done, view),
}
"""Tabs that tell of a compilation."""

NAMES: Final = (*COMPILED, *ANY)


def show(
    work: Work, done: Compiled, since: Measured, rows: Sequence[IdRow], lit: frozenset[str]
) -> None:
    """Draw the open tab."""
    with st.container(key=Key.BELOW):
        made = st.tabs(NAMES, key=Key.TABS, bind="query-params")
        for name, tab in zip(NAMES, made, strict=True):
            if tab.open:
                with tab:
                    _show(name, Shown(work=work, since=since, rows=rows, lit=lit), done)


def _show(name: str, now: Shown, done: Compiled) -> None:
    if name in ANY:
        ANY[name](now)
    elif done.compilation is None or done.view is None:
        st.html(hint(f"Nothing to list {NOT_YET}"))
    else:
        COMPILED[name](now, done.compilation, done.view)
