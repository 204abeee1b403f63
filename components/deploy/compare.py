"""The compare tab: two documents, programs, jobs, savepoints or releases side by side."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import msgspec
import streamlit as st

from components.deploy import baselines
from components.session import actions, session, shared
from components.session.keys import Key
from components.session.measured import OPENED, Measured
from components.session.work import Work
from components.widgets import complaint, table
from components.widgets.escaping import cut, markup
from components.widgets.pieces import bullets, release_menu, section, verdict_line
from components.widgets.table import Cell, Column, Row
from explorer.comparison.baseline import Baseline, compile_baseline
from explorer.comparison.baseline_matches import match_deployed
from explorer.comparison.release_changes import (
    UNCHANGED,
    ReleaseChange,
    document_change,
    switch_rows,
)
from explorer.documents import Document, samples
from explorer.drawing.view.id_changes import ChangeRow, change_rows
from explorer.errors import DocumentError
from explorer.flink.releases import LATEST, VERSIONS, release
from explorer.model.operator_ids import ID_CHANGES
from explorer.restore.saved_changes import saved_changes
from explorer.savepoints.loading import MAX_METADATA
from explorer.wording import capitalized

THIS: Final = "this document"
BASELINE: Final = "the baseline"
UPLOAD: Final = "an upload"
OLD_LTS: Final = "1.20"
"""What the newest release is compared with."""
OPERATORS: Final = (
    Column(""),
    Column("operator"),
    Column("operator ID", "id"),
    Column("task"),
)
SAVED: Final = (
    Column(""),
    Column("operator"),
    Column("operator ID", "id"),
    Column("parallelism and state"),
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
TONES: Final = {"kept": "mute", "moved": "bad", "lost": "bad", "new": "good", "unknown": "mute"}


class ComparedProgram(msgspec.Struct, frozen=True, kw_only=True):
    """One of the two: what was picked, and under which release."""

    which: str
    """A sample's key, or one of the words above."""
    file: Any
    release: str

    @property
    def picked(self) -> object:
        """Return the identity key of a choice."""
        return self.file.file_id if self.file else self.which


def show(work: Work, measured: Measured) -> None:
    """Draw the choice, what changes, and what differs between the releases for any pipeline."""
    preset = _preset(work, measured)
    with st.container(key="compare-bar", horizontal=True, vertical_alignment="center"):
        old_side = _choose_side(work, measured, "From", f"{Key.BEFORE}.{preset}", preset)
        new_side = _choose_side(work, measured, "To", Key.AFTER, THIS)
        first, last = _releases(work, measured, old_side, new_side)
    with st.container(key="compare-body"):
        old = ComparedProgram(which=old_side, file=_read_upload(old_side, Key.OTHER), release=first)
        new = ComparedProgram(
            which=new_side, file=_read_upload(new_side, Key.OTHER_AFTER), release=last
        )
        if all(side.which != UPLOAD or side.file is not None for side in (old, new)):
            if (
                old.which in {BASELINE, OPENED}
                and new.which == THIS
                and measured.verdict is not None
            ):
                st.html(verdict_line(measured.verdict))
            _draw_comparison(work, measured, old, new)
        _general(first, last)


def _preset(work: Work, measured: Measured) -> str:
    if measured.chosen:
        return BASELINE
    return OPENED if measured.baseline and work.opened != work.document else THIS


def _choose_side(work: Work, measured: Measured, label: str, key: str, preset: str) -> str:
    """Draw the menu of one side; return a sample's key or one of the words above."""
    titles = {sample.key: sample.numbered_title for sample in samples()}
    if measured.chosen and measured.baseline:
        titles[BASELINE] = f"{BASELINE}: {measured.baseline.name}"
    changed = [OPENED] if work.opened != work.document else []
    options = [THIS, *([BASELINE] if measured.chosen else []), *changed]
    options += [*(sample.key for sample in samples()), UPLOAD]
    if st.session_state.get(key) not in options:
        st.session_state[key] = preset
    st.html(f'<div class="x-counts">{label}</div>', width="content")
    return st.selectbox(
        label,
        options,
        format_func=lambda value: titles.get(value, value),
        key=key,
        label_visibility="collapsed",
        width=168,
    )


def _releases(work: Work, measured: Measured, before: str, following: str) -> tuple[str, str]:
    """Under which releases: the baseline under its own.

    The choice starts anew with another document or release.
    """
    version = release(work.document.flink or LATEST).version
    program = measured.old.program if measured.old and before in {BASELINE, OPENED} else None
    ends = (program.release.version if program else version, version)
    if before == following == THIS:
        ends = (OLD_LTS, LATEST) if version == LATEST else (version, LATEST)
    of = f"{ends[0]}.{version}.{before}.{following}"
    first = _release(f"{Key.BEFORE_FLINK}.{of}", "From release", ends[0])
    st.html('<div class="x-counts">to</div>', width="content")
    last = _release(f"{Key.AFTER_FLINK}.{of}", "To release", ends[1])
    return first, last


def _release(key: str, label: str, preset: str) -> str:
    st.session_state.setdefault(key, preset)
    return release_menu(label, key=key)


def _read_upload(side_name: str, key: str) -> Any:
    if side_name != UPLOAD:
        return None
    return st.file_uploader(
        "The document or savepoint to compare with",
        key=key,
        label_visibility="collapsed",
        max_upload_size=MAX_METADATA >> 20,
    )


def _draw_comparison(
    work: Work, measured: Measured, old: ComparedProgram, new: ComparedProgram
) -> None:
    with complaint.showing_errors():
        old_baseline, new_baseline = (_side(work, measured, side) for side in (old, new))
        documents = old_baseline.document, new_baseline.document
        if documents[0] is not None and documents[1] is not None:
            _programs(work, (old, new), documents[0], documents[1], old_baseline.matches)
        else:
            _savepoints(old, new, old_baseline, new_baseline)


def _side(work: Work, measured: Measured, side: ComparedProgram) -> Baseline:
    case = (side.picked, measured.baseline, work.opened, work.document)
    return session.latest(
        f"side.{side.picked}", case, lambda *_: _find_baseline(work, measured, side)
    )


def _find_baseline(work: Work, measured: Measured, side: ComparedProgram) -> Baseline:
    if side.which == BASELINE and measured.baseline is not None:
        return measured.baseline
    if side.which in {THIS, OPENED}:
        document = work.document if side.which == THIS else work.opened
        # The matches are those of the original version if that is the baseline.
        same_baseline = (
            side.which == OPENED and measured.baseline and measured.baseline.name == OPENED
        )
        matches = measured.baseline.matches if same_baseline and measured.baseline else {}
        return Baseline(name=side.which, document=document, matches=matches)
    if side.file is not None:
        return baselines.read(side.file.getvalue(), str(side.file.name))
    for sample in samples():
        if sample.key == side.which:
            return Baseline(name=sample.title, document=shared.load(sample.path))
    raise DocumentError(path="", problem=f"there is no sample {cut(side.which)}")


def _programs(
    work: Work,
    sides: tuple[ComparedProgram, ComparedProgram],
    before: Document,
    new_document: Document,
    matches: Mapping[str, str],
) -> None:
    """Draw how two programs differ; ``matches`` are the operators that the user matched."""
    first, last = (side.release for side in sides)
    case = (before, new_document, first, last, repr(sorted(matches.items())))
    change = session.shared(
        "comparison", case, lambda *_: document_change(before, new_document, first, last, matches)
    )
    view = session.compiled(work.document).view
    st.html(f'<div class="x-outcome">{markup(_head(change))}</div>')
    if change.comparison is not None:
        rows = sorted(change_rows(change.comparison, view), key=lambda row: not row.differs)
        if rows and rows[0].differs:
            shown_rows, note = table.beginning(rows)
            table.show(
                OPERATORS,
                [_row(row) for row in shown_rows],
                label="Changed operators",
                key=Key.CHANGES,
                note=note,
                height="content",
                on_pick=actions.pick,
            )
    text = [*change.sentences(), *change.warnings()]
    hidden = len(text) - FEW
    remainder = f"and {hidden:,} more; the table has them all" if hidden > 0 else ""
    if text:
        st.html(bullets(text[:FEW], 600, remainder))


def _savepoints(
    old: ComparedProgram, new: ComparedProgram, before: Baseline, new_baseline: Baseline
) -> None:
    """Draw how operator IDs differ where at least one side is a savepoint."""
    sides = compile_baseline(before, old.release), compile_baseline(new_baseline, new.release)
    program, matches = sides[1].program, {}
    if program is not None and new_baseline.document is not None:
        matches = match_deployed(sides[0], new_baseline.document, program)
    changes = saved_changes(*sides, matches)
    counts = Counter(change.change for change in changes)
    words = [word for word in ("kept", "moved", "lost", "new") if word != "moved" or counts[word]]
    head = ", ".join(f"{counts[word]:,} {ID_CHANGES[word]}" for word in words)
    st.html(f'<div class="x-outcome">{markup(f"Operator IDs: {head}.")}</div>')
    table.show(
        SAVED,
        [
            Row(
                None,
                (
                    {"text": ID_CHANGES[change.change], "tone": TONES[change.change]},
                    change.name,
                    _pair(change.operator_id, change.new_id or change.operator_id, TONES["moved"]),
                    _pair(change.before or None, change.after or None),
                ),
            )
            for change in changes[:MOST]
        ],
        label="Saved operators",
        key=Key.CHANGES,
        height="content",
    )


def _head(change: ReleaseChange) -> str:
    comparison = change.comparison
    if comparison is None:
        return "Only one of them compiles." if any(change.compilations) else "Neither compiles."
    if not (*change.sentences(), *change.warnings()):
        return capitalized(UNCHANGED)
    verdicts = Counter(change.verdict for change in comparison.operators)
    parts = [f", {verdicts[name]:,} {word}" for name, word in (("lost", "gone"), ("new", "new"))]
    only_one_side = "".join(part for part in parts if not part.startswith(", 0 "))
    return f"{comparison.sentence()}{only_one_side}."


def _row(row: ChangeRow) -> Row:
    change = row.change
    tone = "good" if change.rescued else TONES[change.verdict]
    pairs = (
        _pair(getattr(change.before, name, None), getattr(change.after, name, None), tone)
        for name in ("name", "id", "vertex")
    )
    return Row(row.key, ({"text": ID_CHANGES[change.verdict], "tone": tone}, *pairs))


def _pair(old: str | None, new: str | None, tone: str = "") -> Cell:
    if old is not None and new is not None and old != new:
        return {"old": old, "new": new, "tone": tone}
    return new if new is not None else {"text": old or "", "tone": "mute"}


def _general(first: str, last: str) -> None:
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
                    row.issue or table.NONE,
                ),
            )
            for row in rows
        ],
        label="Differences of the releases",
        key=Key.SWITCHES,
        height="content",
    )
