"""The *Restore* tab: whether this pipeline restores from the baseline, and the evidence."""

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st

from components.deploy import baselines, match_choice, rehearsal
from components.session import actions, session
from components.session.keys import Key
from components.session.measured import Measured
from components.session.work import Work
from components.widgets import complaint, table
from components.widgets.escaping import named_versions
from components.widgets.pieces import NOT_YET, bullets, hint, section, verdict_line
from components.widgets.table import Cell, Column, Row, numbers
from explorer.comparison.job_changes import JobChange
from explorer.documents import Document
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.id_changes import tone
from explorer.model.coverage import Weight
from explorer.model.operator_ids import ID_CHANGES
from explorer.restore.bridge import Pin, give_uids, pin_ids, pins_of
from explorer.restore.restore_text import coverage_lines
from explorer.restore.saved_state import StateOwner, find_owners
from explorer.restore.verdict import RestoredOperator, RestoreVerdict
from explorer.savepoints import Savepoint
from explorer.wording import counted

OPERATORS: Final = (
    Column(""),
    Column("operator"),
    Column("operator ID", "id"),
    Column("state"),
    Column("what becomes of it", "wrap"),
    *numbers("parallelism", "maximum"),
)
CHANGES: Final = (
    Column("where"),
    Column("what"),
    Column("before and now"),
    Column("what it means", "wrap"),
)
CERTAIN: Final = {"known": "", "possible": "possible: ", "none": ""}
MOST: Final = 500
"""Lines that are shown at once."""
HINT: Final = (
    "Upload the baseline: the file <i>_metadata</i> of a savepoint or a retained checkpoint, "
    "an older document, a captured program or job. It becomes the baseline, and this tab shows in "
    "Flink's own words whether this pipeline restores from it. Nothing in it is run."
)


def show(work: Work, baseline_verdict: Measured) -> None:
    """Draw the verdict, the bridge and the evidence."""
    with st.container(key="restore-bar", horizontal=True, vertical_alignment="center"):
        st.toggle("Allow non-restored state", key=Key.ALLOW, width="content")
        _bridge(baseline_verdict)
    with st.container(key="restore-body"):
        if baseline_verdict.error:
            complaint.say(baseline_verdict.error)
        elif baseline_verdict.baseline is None:
            st.html(hint(HINT))
        elif (verdict := baseline_verdict.verdict) is None:
            st.html(hint(f"There is no verdict {NOT_YET}"))
        else:
            _draw_restore(work, baseline_verdict, verdict)
        rehearsal.show(work)


def _bridge(verdict: Measured) -> None:
    """Draw the buttons that carry state over, each with a new verdict."""
    moved = [item for item in verdict.moved if not item.rescued]
    st.button(
        f"Pin {counted(len(moved), 'changed ID')}" if moved else "Pin changed IDs",
        key="pin",
        on_click=baselines.bridge,
        args=(pin_ids,),
        disabled=not moved,
        help="Gives every operator with a changed ID its old one as uid hash",
    )
    st.button(
        "Give uids",
        key="give-uids",
        on_click=baselines.bridge,
        args=(give_uids,),
        disabled=verdict.verdict is None,
        help="Gives every operator with state a uid, and its old ID as uid hash",
    )


def _draw_restore(work: Work, baseline_verdict: Measured, verdict: RestoreVerdict) -> None:
    view = session.compiled(work.document).view
    phrase = [f"{verdict.exception}: {verdict.error}"] if verdict.error else []
    if verdict.if_possible:
        phrase.append(f"If functions register state: {verdict.if_possible}")
    phrase += [
        f"{_WEIGHTS[restriction.weight]}{restriction.sentence}"
        for restriction in verdict.restrictions
    ]
    if baseline_verdict.baseline and baseline_verdict.baseline.savepoint:
        phrase.append(_facts(baseline_verdict.baseline.savepoint))
    phrase += coverage_lines(verdict)
    st.html(verdict_line(verdict) + bullets(map(named_versions, phrase), 600))
    match_choice.show(baseline_verdict, verdict)
    _lines(pins_of(verdict))
    savepoint = baseline_verdict.baseline.savepoint if baseline_verdict.baseline else None
    state_owners = (
        session.latest("origins", (savepoint, work.document), _origins) if savepoint else {}
    )
    _operators(verdict.operators, state_owners, view, work.selection)
    if verdict.changes:
        st.html(section("Further changes and their effects"))
        _changes(verdict.changes, view)


def _origins(savepoint: Savepoint, document: Document) -> dict[str, StateOwner]:
    return {owner.state.operator_id: owner for owner in find_owners(savepoint, document)}


_WEIGHTS: Final[Mapping[Weight, str]] = {
    "refused": "Refused: ",
    "lost": "Lost: ",
    "unchecked": "Not checked: ",
    "note": "",
}


def _facts(savepoint: Savepoint) -> str:
    return (
        f"Checkpoint {savepoint.checkpoint_id}, metadata version {savepoint.version}, "
        f"{savepoint.transfer}, {counted(len(savepoint.operators), 'operator')}."
    )


def _lines(pins: Sequence[Pin]) -> None:
    """Draw the lines to add to a program, in Java and in Python."""
    if not pins:
        return
    about = "The lines to paste into the program, each after its operator's call"
    with st.expander(about):
        for language in ("java", "python"):
            text = "\n".join(getattr(pin, language) for pin in pins[:MOST])
            st.code(text, language=language)


def _operators(
    operators: Sequence[RestoredOperator],
    known: dict[str, StateOwner],
    view: GraphView | None,
    selection: str | None,
) -> None:
    drawn_views = view.node_of if view else {}
    shown_operators, note = table.beginning(operators)
    keys = [f"n{item.node}" for item in shown_operators]
    table.show(
        OPERATORS,
        [
            _row(
                operator, known.get(operator.operator_id or ""), key if key in drawn_views else None
            )
            for operator, key in zip(shown_operators, keys, strict=True)
        ],
        label="Saved state",
        key=Key.SAVED,
        selection=selection,
        note=note,
        height="content",
        on_pick=actions.pick,
    )


def _row(operator: RestoredOperator, origin: StateOwner | None, key: str | None) -> Row:
    phrase = operator.sentence
    if operator.node is None and origin is not None and origin.elsewhere:
        phrase = f"{phrase}: {origin.elsewhere}"
    what = operator.what if operator.state != "none" else "none"
    names = f" ({', '.join(operator.state_names)})" if operator.state_names else ""
    size = f", {operator.state_bytes:,} bytes" if operator.state_bytes else ""
    if operator.moved_key_groups:
        phrase = f"{phrase}; {counted(operator.moved_key_groups, 'key group')} reassigned"
    limits = [
        None if maximum is None else f"{maximum:,}{' derived' if derived else ''}"
        for maximum, derived in zip(operator.max_parallelism, operator.derived, strict=True)
    ]
    return Row(
        key,
        (
            {"text": ID_CHANGES[operator.change], "tone": tone(operator)},
            operator.name,
            _pair(operator.operator_id, operator.new_id, tone(operator)),
            f"{CERTAIN[operator.state]}{what}{names}{size}",
            {"text": phrase, "tone": tone(operator)},
            _pair(_number(operator.parallelism[0]), _number(operator.parallelism[1]), "mute"),
            _pair(limits[0], limits[1], "mute"),
        ),
    )


def _number(value: int | None) -> str | None:
    return None if value is None else f"{value:,}"


def _pair(old: str | None, new: str | None, tint: str) -> Cell:
    if old is None or new is None or new == old:
        return new if old is None else old
    return {"old": old, "new": new, "tone": tint}


def _changes(changes: Sequence[JobChange], view: GraphView | None) -> None:
    drawn_structs = {**view.node_of, **view.edge_of} if view else {}
    shown_changes, note = table.beginning(changes)
    table.show(
        CHANGES,
        [
            Row(
                key if key in drawn_structs else None,
                (
                    change.where,
                    change.what,
                    {"old": change.before, "new": change.after},
                    change.means,
                ),
            )
            for change in shown_changes
            for key in (f"n{change.node}" if change.node is not None else f"e{change.edge}",)
        ],
        label="Further changes",
        key=Key.FURTHER_CHANGES,
        note=note,
        height="content",
        on_pick=actions.pick,
    )
