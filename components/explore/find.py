"""The tab that finds: paste an ID or an error message, and learn which operator it names."""

from typing import Final

import streamlit as st

from components.session import actions, editing, places, session
from components.session.callbacks import attempt
from components.session.keys import Key
from components.session.measured import Measured
from components.session.work import Work, selected
from components.widgets import complaint, table
from components.widgets.escaping import markup
from components.widgets.pieces import hint
from components.widgets.table import Column, Row
from explorer.drawing.view.elements import node_key
from explorer.explain.formers import FormerOperator, drop_explained_ids, find_former_ids
from explorer.lookup.whatis import Identification, other_sentences, whatis
from explorer.model.stream_graph import NodeId

COLUMNS: Final = (
    Column("operator"),
    Column("what was found", "wrap"),
)
LONGEST: Final = 8000
"""Letters of a message; the ID stands near its beginning."""
FEW: Final = 10
MOST: Final = 200
"""Rows and sentences that are shown."""
HINT: Final = (
    "Paste an operator ID, the ID of a task, their first digits, or Flink's whole error "
    "message, such as <i>Cannot map checkpoint/savepoint state for operator …</i>. The search "
    "covers all sixteen releases, with chaining and without."
)


def look_up(text: str) -> None:
    """Look a text up, as the search box gives it."""
    st.session_state[Key.ASKED] = text[:LONGEST]
    st.session_state[Key.LOOKED_UP] = True
    places.go(places.FIND)


def show(work: Work, verdict: Measured) -> None:
    """Draw the field, and what was found."""
    with st.container(key="find-body", horizontal=True):
        with st.form(Key.FIND, border=False, width=300):
            text = st.text_area(
                "An ID or an error message",
                key=Key.ASKED,
                max_chars=LONGEST,
                height=92,
                placeholder="cbc357ccb763df2852fee8c4fc7d55f2",
            )
            pressed = st.form_submit_button("Find", type="primary")
        pressed = pressed or bool(st.session_state.pop(Key.LOOKED_UP, False))
        with st.container(key="find-answer"):
            if not (text or "").strip():
                st.html(hint(HINT))
                return
            _draw_answer(work, verdict, text or "", select=pressed)


def _draw_answer(work: Work, verdict: Measured, text: str, *, select: bool) -> None:
    with st.spinner("Searching sixteen releases …"):
        answer = session.latest(
            "answer", (text, work.document), lambda *_: whatis(text, work.document, session.pause)
        )
    old_formers = find_former_ids(text, verdict.verdict) if verdict.verdict else ()
    answer = drop_explained_ids(answer, old_formers)
    _former(old_formers[:FEW])
    view = session.compiled(work.document).view
    keys = [node_key(finding, view) if view else None for finding in answer.findings]
    if select and len(set(keys)) == 1 and keys[0] not in {None, work.selection}:
        attempt(session.PAGE, lambda current_work: selected(current_work, keys[0]))
        st.rerun()
    if not old_formers:
        wording = list(other_sentences(answer))[:MOST]
        if not wording and not answer.findings:
            wording = ["There is no ID in this text, and no operator's name."]
        if wording:
            st.html("".join(hint(markup(sentence, 600)) for sentence in wording))
    if answer.findings:
        _findings(answer, keys, work.selection)


def _former(formers: tuple[FormerOperator, ...]) -> None:
    """Draw the operators that had the IDs in the baseline, with buttons that pin these IDs."""
    for turn, former in enumerate(formers):
        with st.container(key=f"former-{turn}", horizontal=True, vertical_alignment="center"):
            st.html(f'<p class="x-former">{markup(former.sentence, 600)}</p>', width="stretch")
            if former.operator.node is not None and not former.operator.rescued:
                st.button(
                    "Keep it with this uid hash",
                    key=f"former-keep-{turn}",
                    on_click=editing.keep_id,
                    args=(NodeId(former.operator.node), former.operator.transformation, former.id),
                )
    complaint.show("keep")


def _findings(answer: Identification, keys: list[str | None], selection: str | None) -> None:
    rows = [
        Row(key, (finding.operator, finding.sentence))
        for finding, key in zip(answer.findings[:MOST], keys, strict=False)
    ]
    table.show(
        COLUMNS,
        rows,
        label="Found",
        key=Key.FINDINGS,
        selection=selection,
        height="content",
        on_pick=actions.pick,
    )
