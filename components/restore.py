"""The tab of a savepoint: what is in it, whose state it is, and whether this pipeline restores."""

from typing import Any, Final

import streamlit as st

from components import actions, complaint, session, table
from components.escaping import markup
from components.keys import Key
from components.pieces import NOT_YET, hint
from components.table import Cell, Column, Row
from components.work import Work
from explorer.analysis.baseline import Baseline, deployed
from explorer.analysis.restore import Restore, RestoredOperator, restore
from explorer.analysis.saved_state import Origin, origins
from explorer.documents import Document
from explorer.drawing.graph_view import GraphView
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.savepoints import Savepoint, load_savepoint
from explorer.savepoints.loading import MAX_METADATA
from explorer.wording import counted

COLUMNS: Final = (
    Column(""),
    Column("operator ID", "mono"),
    Column("whose state"),
    Column("state", "wrap"),
    Column("bytes", "right"),
    Column("parallelism", "right"),
    Column("max", "right"),
)
TONES: Final = {"restored": "good", "empty": "mute", "lost": "bad", "refused": "bad"}
MOST: Final = 500
"""Rows that are sent at once."""
HINT: Final = (
    "Upload the file <i>_metadata</i> of a savepoint or a retained checkpoint: it says which "
    "operator left which state, and whether this pipeline restores from it, in Flink's own words. "
    "Nothing in it is run."
)


def show(work: Work) -> None:
    """Draw the place for the file, the verdict and every operator's state."""
    with st.container(key="restore-bar", horizontal=True, vertical_alignment="center"):
        file = st.file_uploader(
            "A savepoint's _metadata",
            key=Key.SAVEPOINT,
            max_upload_size=MAX_METADATA >> 20,
            label_visibility="collapsed",
            width=420,
        )
        allow = st.toggle("Allow state that no operator takes", key=Key.ALLOW, width="content")
    with st.container(key="restore-body"):
        if file is None:
            st.html(hint(HINT))
        else:
            _opened(work, file, allow=allow)


def _opened(work: Work, file: Any, *, allow: bool) -> None:
    try:
        savepoint = session.latest("savepoint", (file.file_id,), lambda _: _read(file))
        found = session.latest("origins", (savepoint, work.document), origins)
    except ExplorerError as error:
        complaint.say(str(error))
        return
    done = session.compiled(work.document)
    if done.compilation is None:
        st.html(f'<div class="x-outcome">{markup(_facts(savepoint))}</div>')
        st.html(hint(f"There is no verdict {NOT_YET}"))
        return
    verdict = session.latest(
        "restore", (savepoint, work.document, done.compilation, int(allow)), _restored
    )
    _verdict(verdict, savepoint)
    _operators(verdict, found, done.view, work.selection)


def _read(file: Any) -> Savepoint:
    return load_savepoint(file.getvalue())


def _restored(savepoint: Savepoint, document: Document, done: Compilation, allow: int) -> Restore:
    old = deployed(Baseline(name="the savepoint", savepoint=savepoint))
    return restore(old, document, done, allow_non_restored=bool(allow))


def _facts(savepoint: Savepoint) -> str:
    return (
        f"Checkpoint {savepoint.checkpoint_id}, metadata version {savepoint.version}, "
        f"{savepoint.moves}, {counted(len(savepoint.operators), 'operator')}."
    )


def _verdict(verdict: Restore, savepoint: Savepoint) -> None:
    """Flink's answer in a line, its sentence where it refuses, and who starts without state."""
    dropped = f", dropping the state of {counted(len(verdict.lost), 'operator')}"
    if verdict.error is None:
        head = f"Flink {verdict.flink} restores this pipeline{dropped if verdict.lost else ''}."
    else:
        head = f"Flink {verdict.flink} refuses to restore this pipeline."
    said = [verdict.error] if verdict.error else []
    said.append(_facts(savepoint))
    if verdict.started_empty:
        said.append(f"Without state start: {', '.join(verdict.started_empty[:20])}.")
    items = "".join(f"<li>{markup(sentence, 600)}</li>" for sentence in said)
    st.html(f'<div class="x-outcome">{markup(head)}</div><ul class="x-warnings">{items}</ul>')


def _operators(
    verdict: Restore, found: tuple[Origin, ...], view: GraphView | None, selection: str | None
) -> None:
    """A row an operator of the savepoint; a pick selects the operator that takes its state."""
    drawn = view.node_of if view else {}
    saved = {one.operator_id: one for one in verdict.operators}
    shown = [(saved[origin.state.operator_id], origin) for origin in found[:MOST]]
    rows = [
        _row(one, origin, f"n{one.node}" if f"n{one.node}" in drawn else None)
        for one, origin in shown
    ]
    hidden = len(found) - MOST
    table.show(
        COLUMNS,
        rows,
        label="Saved state",
        key=Key.SAVED,
        selection=selection,
        note=f"and {hidden:,} more" if hidden > 0 else "",
        height="content",
        on_pick=lambda: actions.pick(Key.SAVED),
    )


def _row(one: RestoredOperator, origin: Origin, key: str | None) -> Row:
    return Row(
        key,
        (
            {"text": one.outcome, "tone": TONES[one.outcome]},
            one.operator_id,
            origin.sentence,
            ", ".join(origin.state.state_names) or " and ".join(origin.state.kinds) or None,
            f"{one.state_bytes or 0:,}",
            _pair(*one.parallelism),
            _pair(*one.max_parallelism),
        ),
    )


def _pair(old: int | None, new: int | None) -> Cell:
    if new is None or old is None or new == old:
        return old
    return {"old": f"{old:,}", "new": f"{new:,}"}
