"""The compare tab: this document beside another one, or under another release."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import streamlit as st

from components import actions, complaint, session, table
from components.escaping import cut, markup
from components.keys import Key
from components.pieces import section
from components.table import Cell, Column, Row
from components.work import Work
from explorer.analysis.compare import Comparison
from explorer.analysis.release_changes import UNCHANGED, ReleaseChange, document_change, switch_rows
from explorer.documents import Document, load_document, parse_document, samples
from explorer.drawing.id_changes import ChangeRow, change_rows
from explorer.errors import DocumentError, ExplorerError
from explorer.flink.releases import LATEST, VERSIONS

THIS: Final = "this document"
OPENED: Final = "as it was opened"
UPLOAD: Final = "an upload"
OLD_LTS: Final = "1.20"
"""What the newest release is compared with."""
OPERATORS: Final = (
    Column(""),
    Column("operator"),
    Column("operator ID", "mono"),
    Column("job vertex"),
)
SWITCHES: Final = (
    Column("since"),
    Column("what", "wrap"),
    Column("before", "wrap"),
    Column("since then", "wrap"),
    Column("issue"),
)
MOST: Final = 500
"""Rows and sentences that are sent at once."""
FEW: Final = 60
LONGEST_VALUE: Final = 90
TONES: Final = {"kept": "mute", "moved": "bad", "lost": "bad", "new": "good"}


def show(work: Work) -> None:
    """Draw the choice, what changes, and what differs between the releases for any pipeline."""
    with st.container(key="compare-bar", horizontal=True, vertical_alignment="center"):
        which = _document(work)
        first, last = _releases(work, which)
    with st.container(key="compare-body"):
        file = _uploaded() if which == UPLOAD else None
        if which != UPLOAD or file is not None:
            _compared(work, which, file, (first, last))
        _general(first, last)


def _document(work: Work) -> str:
    """With which document: by a sample's key, or one of the words above."""
    titles = {sample.key: sample.title for sample in samples()}
    changed = [OPENED] if work.opened != work.document else []
    options = [THIS, *changed, *titles, UPLOAD]
    if st.session_state.get(Key.BEFORE) not in options:
        st.session_state[Key.BEFORE] = THIS
    st.html('<div class="x-counts">From</div>', width="content")
    return st.selectbox(
        "From",
        options,
        format_func=lambda key: titles.get(key, key),
        key=Key.BEFORE,
        label_visibility="collapsed",
        width=168,
    )


def _releases(work: Work, which: str) -> tuple[str, str]:
    """Under which releases; the choice starts anew with another document or release."""
    now = work.document.flink or LATEST
    ends = (now, now)
    if which == THIS:
        ends = (OLD_LTS, LATEST) if now == LATEST else (now, LATEST)
    first = _release(f"{Key.BEFORE_FLINK}.{now}.{which}", "From release", ends[0])
    st.html('<div class="x-counts">to this</div>', width="content")
    last = _release(f"{Key.AFTER_FLINK}.{now}.{which}", "To release", ends[1])
    return first, last


def _release(key: str, label: str, preset: str) -> str:
    st.session_state.setdefault(key, preset)
    return st.selectbox(
        label,
        VERSIONS[::-1],
        format_func=lambda version: f"Flink {version}",
        key=key,
        label_visibility="collapsed",
        width=112,
    )


def _uploaded() -> Any:
    return st.file_uploader(
        "The document to compare with",
        type=["yaml", "yml", "json"],
        key=Key.OTHER,
        label_visibility="collapsed",
        max_upload_size=5,
    )


def _compared(work: Work, which: str, file: Any, releases: tuple[str, str]) -> None:
    first, last = releases
    about = (file.file_id if file else which, work.opened, work.document, first, last)

    def make(*_: object) -> ReleaseChange:
        return document_change(_other(work, which, file), work.document, first, last)

    try:
        change = session.latest("comparison", about, make)
    except ExplorerError as error:
        complaint.say(str(error))
        return
    view = session.compiled(work.document).view
    _said(change, same=which == THIS)
    if change.comparison is not None:
        rows = sorted(change_rows(change.comparison, view), key=lambda row: not row.differs)
        if rows and rows[0].differs:
            _operators(rows)


def _other(work: Work, which: str, file: Any) -> Document:
    """The document that is compared with."""
    if which == THIS:
        return work.document
    if which == OPENED:
        return work.opened
    if file is not None:
        return parse_document(file.getvalue(), name=str(file.name))
    for sample in samples():
        if sample.key == which:
            return load_document(sample.path)
    raise DocumentError(path="", problem=f"there is no sample {cut(which)}")


def _said(change: ReleaseChange, *, same: bool) -> None:
    """The change in a few words, then a sentence a fact."""
    comparison = change.comparison
    said = [*change.sentences(), *change.warnings()]
    if comparison is None:
        head = "Only one of them compiles." if any(change.compilations) else "Neither compiles."
    elif not said:
        head = f"{UNCHANGED[:1].upper()}{UNCHANGED[1:]}"
    else:
        head = f"{comparison.sentence()}{_come_and_gone(comparison)}."
    items = "".join(f"<li>{markup(sentence, 600)}</li>" for sentence in said[:FEW])
    more = len(said) - FEW
    rest = f"<li>and {more:,} more; the table has them all</li>" if more > 0 else ""
    facts = f'<ul class="x-warnings">{items}{rest}</ul>' if items else ""
    st.html(f'<div class="x-outcome">{markup(head)}</div>{facts}')


def _come_and_gone(comparison: Comparison) -> str:
    """How many operators only one of the two has."""
    verdicts = Counter(change.verdict for change in comparison.operators)
    parts = [f", {verdicts[name]:,} {word}" for name, word in (("lost", "gone"), ("new", "new"))]
    return "".join(part for part in parts if not part.startswith(", 0 "))


def _operators(rows: Sequence[ChangeRow]) -> None:
    """Every operator, old beside new; a pick selects it."""
    hidden = len(rows) - MOST
    table.show(
        OPERATORS,
        [_row(row) for row in rows[:MOST]],
        label="Changed operators",
        key=Key.CHANGES,
        note=f"and {hidden:,} more" if hidden > 0 else "",
        height="content",
        on_pick=lambda: actions.pick(Key.CHANGES),
    )


def _row(row: ChangeRow) -> Row:
    old, new = row.before, row.after
    pairs = [
        (getattr(old, name, None), getattr(new, name, None)) for name in ("name", "id", "vertex")
    ]
    return Row(
        row.key,
        ({"text": row.verdict, "tone": TONES[row.verdict]}, *(_pair(*pair) for pair in pairs)),
    )


def _pair(old: str | None, new: str | None) -> Cell:
    if old is not None and new is not None and old != new:
        return {"old": old, "new": new}
    return new if new is not None else {"text": old or "", "tone": "mute"}


def _general(first: str, last: str) -> None:
    """What differs between the two releases for any pipeline."""
    low, high = sorted((first, last), key=VERSIONS.index)
    rows = switch_rows(low, high)
    if not rows:
        return
    st.html(section(f"What differs between Flink {low} and {high}, for any pipeline"))
    table.show(
        SWITCHES,
        [
            Row(
                None,
                (
                    row.since,
                    row.about,
                    cut(row.before, LONGEST_VALUE),
                    cut(row.value, LONGEST_VALUE),
                    row.issue or {"text": "—", "tone": "mute"},
                ),
            )
            for row in rows
        ],
        label="Differences of the releases",
        key=Key.SWITCHES,
        height="content",
    )
