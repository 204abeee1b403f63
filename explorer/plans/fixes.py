"""Fixes for a restore that does not hold, each of them checked again before it is shown."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from explorer.documents import document_values
from explorer.errors import ExplorerError
from explorer.flink.compiler import compile_program
from explorer.model.document import Document
from explorer.plans.plan_case import PlanCase
from explorer.plans.record import PlanFix
from explorer.restore.bridge import SQL_IDS, Bridge, Pin, is_sql, pin_ids
from explorer.restore.rehearsed_verdicts import with_rehearsal
from explorer.restore.restored import OperatorFix, RestoredOperator
from explorer.restore.suggested_matches import suggest_matches
from explorer.restore.verdict import RestoreVerdict, restore
from explorer.wording import first_listed, quoted

_NAMES = 4


class StateFixes(NamedTuple):
    """The fixes of a plan, and the fix for the state of each operator ID of OLD."""

    fixes: tuple[PlanFix, ...]
    by_operator: Mapping[str, str]


_NONE = StateFixes((), {})


def state_fixes(case: PlanCase) -> StateFixes:
    """Fixes after which the restore holds, or restores more states; each is checked again."""
    result = case.restore
    if result is None or case.drops_state or (result.holds and not result.lost):
        return _NONE
    fixed = tuple(operator for operator in result.operators if operator.fixes)
    return _key_group_fixes(fixed) if fixed else _id_fixes(case, result)


def _id_fixes(case: PlanCase, result: RestoreVerdict) -> StateFixes:
    """Fixes for state that is looked up under another ID: pins, and matches to choose."""
    if is_sql(case.document) and result.changed_ids:
        moved = (
            operator.operator_id or ""
            for operator in result.changed_ids
            if operator.state != "none"
        )
        return StateFixes((), dict.fromkeys(moved, SQL_IDS))
    bridge = pin_ids(result, case.document)
    pinned = _again(case, bridge.document, result) if bridge.pins else None
    is_better = pinned is not None and _missing(pinned) < _missing(result)
    pins = _pin_fixes(result, pinned, bridge) if pinned is not None and is_better else _NONE
    matches = _match_fixes(case, result)
    return StateFixes((*pins.fixes, *matches.fixes), {**pins.by_operator, **matches.by_operator})


def _match_fixes(case: PlanCase, result: RestoreVerdict) -> StateFixes:
    """The fix that chooses matches and pins their IDs, where one operator fits a lost state."""
    if case.old is None or not result.lost:
        return _NONE
    options = case.request.options
    suggestion = suggest_matches(case.old, case.document, case.new, result, options)
    if suggestion is None:
        return _NONE
    rehearsal = case.request.rehearsal
    then = suggestion.then if rehearsal is None else with_rehearsal(suggestion.then, rehearsal)
    pairs = [
        f"{quoted(match.old.name)} is {quoted(match.new.name)}" for match in suggestion.matches
    ]
    arguments = tuple(match.argument for match in suggestion.matches)
    fix = PlanFix(
        label=f"If {first_listed(pairs, _NAMES)}, choose the match and pin the ID of OLD",
        lines=(*arguments, *_java_lines(suggestion.bridge.pins)),
        outcome=then.sentence,
        restores=then.holds,
        document=document_values(suggestion.bridge.document.with_baseline(None)),
    )
    by_operator = {
        match.old.operator_id or "": f"if it is {quoted(match.new.name)}: {match.argument}"
        for match in suggestion.matches
    }
    return StateFixes((fix,), by_operator)


def _java_lines(pins: Iterable[Pin]) -> tuple[str, ...]:
    return tuple(pin.java for pin in pins)


def _key_group_fixes(operators: Sequence[RestoredOperator]) -> StateFixes:
    """The fixes that the verdict has for operators with another maximum parallelism."""
    by_sentence: dict[str, OperatorFix] = {}
    names = defaultdict[str, list[str]](list)
    for operator in operators:
        for fix in operator.fixes:
            by_sentence[fix.sentence] = fix
            names[fix.sentence].append(quoted(operator.name))
    fixes = (
        PlanFix(
            label=sentence,
            lines=fix.lines,
            outcome=f"The state of {first_listed(names[sentence], _NAMES)} is restored.",
            restores=fix.restores,
            document=fix.document,
        )
        for sentence, fix in by_sentence.items()
    )
    by_operator = {operator.operator_id or "": operator.fixes[0].sentence for operator in operators}
    return StateFixes(tuple(fixes), by_operator)


def _again(case: PlanCase, document: Document, result: RestoreVerdict) -> RestoreVerdict | None:
    """The verdict on a changed document; operators are matched as before."""
    if case.old is None:
        return None
    try:
        new = compile_program(document, case.new.release.version)
        again = restore(
            case.old,
            document,
            new,
            result.allow_non_restored,
            configuration=case.request.options,
            matched=result.matches,
            with_fixes=False,
        )
        rehearsal = case.request.rehearsal
        return again if rehearsal is None else with_rehearsal(again, rehearsal)
    except ExplorerError:
        return None


def _missing(result: RestoreVerdict) -> int:
    """Number of states that are not restored to their own operator."""
    return len(result.lost) + len(result.misdirected)


def _pin_fixes(result: RestoreVerdict, pinned: RestoreVerdict, bridge: Bridge) -> StateFixes:
    """The fix that pins IDs of OLD, and the call for each operator that it restores."""
    names = first_listed([quoted(pin.operator) for pin in bridge.pins], _NAMES)
    fix = PlanFix(
        label=f"Give {names} the ID of OLD",
        lines=_java_lines(bridge.pins),
        outcome=pinned.sentence,
        restores=pinned.holds,
        document=document_values(bridge.document.with_baseline(None)),
    )
    restored = {
        operator.operator_id for operator in pinned.operators if operator.outcome == "restored"
    }
    calls = {pin.uid_hash: pin.java.partition("  //")[0] for pin in bridge.pins}
    known = (restored_operator.operator_id or "" for restored_operator in result.operators)
    by_operator = {id: calls[id] for id in known if id in calls and id in restored}
    return StateFixes((fix,), by_operator)
