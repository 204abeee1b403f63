"""The plan's section *State*: the outcome of every operator's state.

It reads ``Restore``, the record that ``restore`` prints and the page shows.
"""

from collections.abc import Iterator, Mapping
from typing import Final, Literal, TypeAlias

from explorer.plans.kubernetes_operator import upgrade_rows
from explorer.plans.plan_case import PlanCase
from explorer.plans.queries import sql_changes, sql_rows, with_query
from explorer.plans.record import ChangeSeverity, PlanChange, PlanSection, notice, plan_section
from explorer.restore.restore_text import state_text
from explorer.restore.restored import WRONG_OPERATOR, Restore, RestoredOperator
from explorer.restore.restrictions import NO_CHECKPOINTS
from explorer.wording import capitalized, counted, listed, with_full_stop

StateFate: TypeAlias = Literal[
    "restored",
    "migrated",
    "new",
    "dropped",
    "keys lost",
    "fails",
    "refused",
    "wrong operator",
    "unchecked",
]
_SEVERITY: Final[Mapping[StateFate, ChangeSeverity]] = {
    "restored": "note",
    "migrated": "note",
    "new": "note",
    "dropped": "warning",
    "unchecked": "unchecked",
    "keys lost": "error",
    "fails": "error",
    "refused": "error",
    "wrong operator": "error",
}


def state_section(case: PlanCase, fixes: Mapping[str, str]) -> PlanSection:
    """Restore result of every stateful operator.

    ``fixes``: by operator ID of OLD, a change that was checked again.
    """
    found = case.restore
    effects = tuple(upgrade_rows(case))
    heavy = [one for one in effects if one.severity != "note"]
    light = [one for one in effects if one.severity == "note"]
    if found is None:
        first = "A first deployment: no state is restored."
        return plan_section("state", first, heavy, light)
    if case.drops_state:
        rows, sentence = _describe_dropped_state(found)
        return plan_section("state", sentence, [*rows, *heavy], light)
    queries = sql_changes(case)
    changes: list[PlanChange] = []
    unchanged: list[PlanChange] = []
    for one in filter(_is_stateful, found.operators):
        row = with_query(_row(one, found, fixes), queries.get(one.operator_id or ""))
        (changes if _is_changed(one, row) else unchanged).append(row)
    notes = (notice(one.sentence) for one in found.restrictions if one.weight == "note")
    return plan_section(
        "state",
        _sentence(found, is_stateless=not changes and not unchanged),
        (*changes, *_of_the_job(found, changes), *sql_rows(case), *heavy),
        (*unchanged, *notes, *light),
        least="deploy" if found.fully_checked else "unchecked",
    )


def _describe_dropped_state(found: Restore) -> tuple[list[PlanChange], str]:
    """Rows and sentence of an upgrade without state: every state of OLD is dropped."""
    old = [one for one in found.operators if one.change != "new" and _is_stateful(one)]
    rows = [
        PlanChange(
            subject=one.name,
            before=one.what,
            after="dropped",
            sentence="The operator starts the job without its state.",
            severity="warning",
            fix="Set upgradeMode to savepoint or last-state",
            node=one.node,
            operator_id=one.operator_id,
            state_bytes=one.state_bytes,
        )
        for one in old
    ]
    lost = (
        f"the state of {counted(len(old), 'operator')} is dropped"
        if old
        else "no operator of OLD has any"
    )
    return rows, f"upgradeMode stateless: {lost}."


def _sentence(found: Restore, *, is_stateless: bool) -> str:
    if is_stateless and found.holds and found.fully_checked:
        is_batch = NO_CHECKPOINTS in (one.sentence for one in found.restrictions)
        return NO_CHECKPOINTS if is_batch else "No operator has state."
    error = found.error
    if error is None or found.dropped_if_allowed is not None or found.misdirected:
        return found.sentence
    return f"{found.sentence} {error}"


def _is_stateful(one: RestoredOperator) -> bool:
    """Whether an operator has a row: it is stateful, or may be and its state is dropped."""
    if one.change == "new":
        return one.state == "known"
    return one.state == "known" or (one.state == "possible" and one.operator_id is not None)


_FATES: Final[Mapping[str, StateFate]] = {
    "refused": "refused",
    "keys_lost": "keys lost",
    "fails": "fails",
}
"""By outcomes that need no further look."""


def fate(one: RestoredOperator, *, allow_non_restored: bool) -> StateFate:
    """The outcome of an operator's state, in a word."""
    if one.change == "new":
        return "new"
    if one.outcome == WRONG_OPERATOR and one.state == "known":
        return "wrong operator"
    judged = {each.verdict for each in one.states}
    if "incompatible" in judged or one.outcome in _FATES:
        return _FATES.get(one.outcome, "refused")
    if one.outcome == "lost" and one.state == "known":
        return "dropped" if allow_non_restored else "refused"
    undecided = one.outcome in {"lost", "unknown", WRONG_OPERATOR}
    if undecided or one.unclear or missing_aspects(one):
        return "unchecked"
    return "migrated" if "migrated" in judged else "restored"


def missing_aspects(one: RestoredOperator) -> list[str]:
    """Flink's checks of an operator's state that were not made."""
    if one.found_by is None or one.user_code == "unchanged":
        return []
    aspects = ("key types", "state types") if "keyed" in one.what else ("state types",)
    judged = {
        aspect: [each.verdict for each in one.states if each.aspect == aspect] for aspect in aspects
    }
    missing: list[str] = [
        aspect for aspect, phrase in judged.items() if not phrase or "unknown" in phrase
    ]
    unchecked_code = one.user_code in {"not rehearsed", "failed"}
    return [*missing, "user code"] if unchecked_code else missing


def _row(one: RestoredOperator, found: Restore, fixes: Mapping[str, str]) -> PlanChange:
    outcome = fate(one, allow_non_restored=found.allow_non_restored)
    return PlanChange(
        subject=one.name,
        before=None if one.change == "new" else _kind(one),
        after=outcome,
        sentence=" ".join(map(with_full_stop, _sentences(one))),
        severity="warning"
        if outcome == "restored" and _goes_on_otherwise(one)
        else _SEVERITY[outcome],
        fix=fixes.get(one.operator_id or ""),
        node=one.node if one.node is not None else one.wrong_taker,
        operator_id=one.operator_id,
        state_bytes=one.state_bytes,
    )


def _goes_on_otherwise(one: RestoredOperator) -> str | None:
    """Describe open windows or partial matches that go on in other ones; None: there are none."""
    changes = (change for change in (one.windows, one.pattern) if change is not None)
    return next((change.sentence for change in changes if change.outcome == "kept"), None)


def _kind(one: RestoredOperator) -> str:
    """Return the kind of the state; keyed state is the one of which a restore can lose a part."""
    return "keyed state" if "keyed" in one.what else one.what


def _sentences(one: RestoredOperator) -> Iterator[str]:
    yield capitalized(one.sentence)
    if sentence := _goes_on_otherwise(one):
        yield f"It {sentence}"
    if one.change == "moved":
        yield f"Its ID changed from {one.operator_id} to {one.new_id}"
    yield from (state_text(s) for s in one.states if s.verdict in {"incompatible", "migrated"})
    if one.moved_key_groups:
        moved = counted(one.moved_key_groups, "key group")
        yield f"{moved} reassigned to another subtask"
    if one.change != "new" and (missing := missing_aspects(one)):
        yield f"Not checked: {listed(missing)}"


def _is_changed(one: RestoredOperator, row: PlanChange) -> bool:
    """Whether a row reports a change: a state that is restored as it was saved is none."""
    reassigned = one.change != "kept" or one.unclear or one.moved_key_groups
    warns = row.severity == "warning" or row.after not in {"restored", "unchecked"}
    return bool(reassigned or warns or one.outcome == "lost" or _goes_on_otherwise(one))


def _of_the_job(found: Restore, rows: list[PlanChange]) -> Iterator[PlanChange]:
    """Refusals and undecided points of the restore as a whole."""
    for one in found.restrictions:
        if one.weight in {"refused", "lost"}:
            yield notice(one.sentence, "error", after=one.weight)
        elif one.weight != "note":
            yield notice(one.sentence, "unchecked", after="unchecked")
    error = found.error
    if error is not None and not any(row.severity == "error" for row in rows):
        yield notice(error, "error", after="refused")
