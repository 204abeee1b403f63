"""The plan's section *State*: the outcome of every operator's state.

It reads ``RestoreVerdict``, the record that ``restore`` prints and the page shows.
"""

from collections.abc import Iterator, Mapping
from typing import Final, Literal, TypeAlias

from explorer.plans.kubernetes_operator import upgrade_rows
from explorer.plans.plan_case import PlanCase
from explorer.plans.queries import sql_changes, sql_rows, with_query
from explorer.plans.record import ChangeSeverity, PlanChange, PlanSection, notice, plan_section
from explorer.restore.restore_text import state_text
from explorer.restore.restored import WRONG_OPERATOR, RestoredOperator, RestoreVerdict
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
    restore = case.restore
    effects = tuple(upgrade_rows(case))
    heavy = [change for change in effects if change.severity != "note"]
    light = [change for change in effects if change.severity == "note"]
    if restore is None:
        first = "A first deployment: no state is restored."
        return plan_section("state", first, heavy, light)
    if case.drops_state:
        rows, sentence = _describe_dropped_state(restore)
        return plan_section("state", sentence, [*rows, *heavy], light)
    queries = sql_changes(case)
    changes: list[PlanChange] = []
    unchanged: list[PlanChange] = []
    for operator in filter(_is_stateful, restore.operators):
        row = with_query(_row(operator, restore, fixes), queries.get(operator.operator_id or ""))
        (changes if _is_changed(operator, row) else unchanged).append(row)
    notes = (
        notice(restriction.sentence)
        for restriction in restore.restrictions
        if restriction.weight == "note"
    )
    return plan_section(
        "state",
        _sentence(restore, is_stateless=not changes and not unchanged),
        (*changes, *_of_the_job(restore, changes), *sql_rows(case), *heavy),
        (*unchanged, *notes, *light),
        least="deploy" if restore.fully_checked else "unchecked",
    )


def _describe_dropped_state(restore: RestoreVerdict) -> tuple[list[PlanChange], str]:
    """Rows and sentence of an upgrade without state: every state of OLD is dropped."""
    old = [
        operator
        for operator in restore.operators
        if operator.change != "new" and _is_stateful(operator)
    ]
    rows = [
        PlanChange(
            subject=restored_operator.name,
            before=restored_operator.what,
            after="dropped",
            sentence="The operator starts the job without its state.",
            severity="warning",
            fix="Set upgradeMode to savepoint or last-state",
            node=restored_operator.node,
            operator_id=restored_operator.operator_id,
            state_bytes=restored_operator.state_bytes,
        )
        for restored_operator in old
    ]
    lost = (
        f"the state of {counted(len(old), 'operator')} is dropped"
        if old
        else "no operator of OLD has any"
    )
    return rows, f"upgradeMode stateless: {lost}."


def _sentence(restore: RestoreVerdict, *, is_stateless: bool) -> str:
    if is_stateless and restore.holds and restore.fully_checked:
        is_batch = NO_CHECKPOINTS in (restriction.sentence for restriction in restore.restrictions)
        return NO_CHECKPOINTS if is_batch else "No operator has state."
    error = restore.error
    if error is None or restore.dropped_if_allowed is not None or restore.misdirected:
        return restore.sentence
    return f"{restore.sentence} {error}"


def _is_stateful(operator: RestoredOperator) -> bool:
    """Whether an operator has a row: it is stateful, or may be and its state is dropped."""
    if operator.change == "new":
        return operator.state == "known"
    return operator.state == "known" or (
        operator.state == "possible" and operator.operator_id is not None
    )


_FATES: Final[Mapping[str, StateFate]] = {
    "refused": "refused",
    "keys_lost": "keys lost",
    "fails": "fails",
}
"""By outcomes that need no further look."""


def fate(operator: RestoredOperator, *, allow_non_restored: bool) -> StateFate:
    """The outcome of an operator's state, in a word."""
    if operator.change == "new":
        return "new"
    if operator.outcome == WRONG_OPERATOR and operator.state == "known":
        return "wrong operator"
    judged = {state.verdict for state in operator.states}
    if "incompatible" in judged or operator.outcome in _FATES:
        return _FATES.get(operator.outcome, "refused")
    if operator.outcome == "lost" and operator.state == "known":
        return "dropped" if allow_non_restored else "refused"
    undecided = operator.outcome in {"lost", "unknown", WRONG_OPERATOR}
    if undecided or operator.unclear or missing_aspects(operator):
        return "unchecked"
    return "migrated" if "migrated" in judged else "restored"


def missing_aspects(operator: RestoredOperator) -> list[str]:
    """Flink's checks of an operator's state that were not made."""
    if operator.found_by is None or operator.user_code == "unchanged":
        return []
    aspects = ("key types", "state types") if "keyed" in operator.what else ("state types",)
    judged = {
        aspect: [state.verdict for state in operator.states if state.aspect == aspect]
        for aspect in aspects
    }
    missing: list[str] = [
        aspect for aspect, phrase in judged.items() if not phrase or "unknown" in phrase
    ]
    unchecked_code = operator.user_code in {"not rehearsed", "failed"}
    return [*missing, "user code"] if unchecked_code else missing


def _row(
    operator: RestoredOperator, restore: RestoreVerdict, fixes: Mapping[str, str]
) -> PlanChange:
    outcome = fate(operator, allow_non_restored=restore.allow_non_restored)
    return PlanChange(
        subject=operator.name,
        before=None if operator.change == "new" else _kind(operator),
        after=outcome,
        sentence=" ".join(map(with_full_stop, _sentences(operator))),
        severity="warning"
        if outcome == "restored" and _goes_on_otherwise(operator)
        else _SEVERITY[outcome],
        fix=fixes.get(operator.operator_id or ""),
        node=operator.node if operator.node is not None else operator.wrong_taker,
        operator_id=operator.operator_id,
        state_bytes=operator.state_bytes,
    )


def _goes_on_otherwise(operator: RestoredOperator) -> str | None:
    """Describe open windows or partial matches that go on in other ones; None: there are none."""
    changes = (change for change in (operator.windows, operator.pattern) if change is not None)
    return next((change.sentence for change in changes if change.outcome == "kept"), None)


def _kind(operator: RestoredOperator) -> str:
    """Return the kind of the state; keyed state is the one of which a restore can lose a part."""
    return "keyed state" if "keyed" in operator.what else operator.what


def _sentences(operator: RestoredOperator) -> Iterator[str]:
    yield capitalized(operator.sentence)
    if sentence := _goes_on_otherwise(operator):
        yield f"It {sentence}"
    if operator.change == "moved":
        yield f"Its ID changed from {operator.operator_id} to {operator.new_id}"
    yield from (state_text(s) for s in operator.states if s.verdict in {"incompatible", "migrated"})
    if operator.moved_key_groups:
        moved = counted(operator.moved_key_groups, "key group")
        yield f"{moved} reassigned to another subtask"
    if operator.change != "new" and (missing := missing_aspects(operator)):
        yield f"Not checked: {listed(missing)}"


def _is_changed(operator: RestoredOperator, row: PlanChange) -> bool:
    """Whether a row reports a change: a state that is restored as it was saved is none."""
    reassigned = operator.change != "kept" or operator.unclear or operator.moved_key_groups
    warns = row.severity == "warning" or row.after not in {"restored", "unchecked"}
    return bool(reassigned or warns or operator.outcome == "lost" or _goes_on_otherwise(operator))


def _of_the_job(restore: RestoreVerdict, rows: list[PlanChange]) -> Iterator[PlanChange]:
    """Refusals and undecided points of the restore as a whole."""
    for restriction in restore.restrictions:
        if restriction.weight in {"refused", "lost"}:
            yield notice(restriction.sentence, "error", after=restriction.weight)
        elif restriction.weight != "note":
            yield notice(restriction.sentence, "unchecked", after="unchecked")
    error = restore.error
    if error is not None and not any(row.severity == "error" for row in rows):
        yield notice(error, "error", after="refused")
