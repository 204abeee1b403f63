"""A rehearsed restore on the page: the verdict of each operator, and the command that makes one."""

from typing import Any, Final

import streamlit as st

from components.session import actions, session
from components.session.keys import Key
from components.session.work import Work, file_stem
from components.widgets import complaint, table
from components.widgets.escaping import markup
from components.widgets.pieces import bullets, hint, section
from components.widgets.table import Column, Row, numbers
from explorer.documents.limits import MAX_BYTES
from explorer.documents.rehearsals import parse_rehearsal, rehearsal_of
from explorer.documents.samples import samples
from explorer.errors import found_in
from explorer.model.rehearsal import OPENED, Rehearsal, RehearsedOperator, RehearsedState
from explorer.restore.rehearsal_text import VERDICT_WORDS, rehearsal_headline, rehearse_command

COLUMNS: Final = (
    Column("operator"),
    Column("uid"),
    Column("verdict"),
    Column("state"),
    *numbers("entries read"),
    Column("exception, or why not", "wrap"),
)
TINTS: Final = {"restored": "x-good", "refused": "x-bad", "incomplete": ""}
TONES: Final = {"restored": "good", "migrated": "good", "not_rehearsed": "mute"}
"""By verdict; any other is bad."""
HINT: Final = (
    "A rehearsal lets Flink itself restore a savepoint into the program's operators, without "
    "sources, sinks and network, and reports per state if its type still fits. It runs the "
    "program, so it is started in a terminal; upload the JSON that it prints."
)


def show(work: Work) -> None:
    """Draw the upload, the command to copy, and the rehearsal where there is one."""
    st.html(section("Rehearsal: Flink itself restores the savepoint"))
    file = st.file_uploader(
        "A rehearsal's JSON",
        key=session.widget(Key.REHEARSAL),
        max_upload_size=MAX_BYTES >> 20,
        label_visibility="collapsed",
        width=300,
    )
    with complaint.showing_errors():
        rehearsal = _read(work, file)
        if rehearsal is None:
            st.html(hint(HINT))
            release = work.document.flink or "VERSION"
            st.code(rehearse_command(release, file_stem(work)), language=None, wrap_lines=True)
        else:
            _draw_rehearsal(work, rehearsal)


def _read(work: Work, file: Any) -> Rehearsal | None:
    """Return the uploaded rehearsal, else that of the sample."""
    if file is not None:
        with found_in(str(file.name)):
            return session.latest(
                "rehearsal", (str(file.file_id),), lambda _: parse_rehearsal(file.getvalue())
            )
    of_sample = {sample.key: sample.path for sample in samples()}.get(work.origin)
    return None if of_sample is None else rehearsal_of(of_sample)


def _draw_rehearsal(work: Work, rehearsal: Rehearsal) -> None:
    text = [rehearsal.error] if rehearsal.error else []
    text.append(f"Restored from {rehearsal.savepoint} into {rehearsal.target}.")
    compiled = session.compiled(work.document)
    hashes = {} if compiled.compilation is None else compiled.compilation.hashes
    nodes = {id: node for node, id in hashes.items()}
    if not any(operator.operator_id in nodes for operator in rehearsal.operators):
        text.insert(0, "No operator ID of this rehearsal is in the pipeline that is open.")
    head = markup(rehearsal_headline(rehearsal), 400)
    st.html(f'<div class="x-outcome {TINTS[rehearsal.verdict]}">{head}</div>' + bullets(text, 600))
    drawn_views = compiled.view.node_of if compiled.view else {}
    rows: list[Row] = []
    for operator in rehearsal.operators:
        key = f"n{nodes.get(operator.operator_id or '')}"
        states = operator.states or (None,)
        rows += [_row(operator, state, key if key in drawn_views else None) for state in states]
    shown_rows, note = table.beginning(rows)
    table.show(
        COLUMNS,
        shown_rows,
        label="Rehearsed operators",
        key=Key.REHEARSED,
        selection=work.selection,
        note=note,
        height="content",
        on_pick=actions.pick,
    )
    st.html(section("Not checked") + bullets(rehearsal.unchecked, 600))


def _row(operator: RehearsedOperator, state: RehearsedState | None, key: str | None) -> Row:
    """The row of a state, or of an operator without states."""
    verdict = operator.verdict if state is None else state.verdict
    read = None if state is None else state.entries_read
    error = operator.error if state is None or state.error is None else state.error
    tone = TONES.get(verdict, "bad")
    return Row(
        key,
        (
            operator.name,
            operator.uid,
            {"text": VERDICT_WORDS[verdict], "tone": tone},
            None if state is None else state.name,
            None if read is None else f"{read:,}",
            error if verdict not in OPENED else None,
        ),
    )
