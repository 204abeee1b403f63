"""Fixes for a restore that does not hold, each of them checked again before it is shown."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from explorer.documents import document_values
from explorer.errors import ExplorerError
from explorer.flink.compiler import compile_program
from explorer.model.document import Document
from explorer.plans.plan_case import PlanCase
from explorer.plans.record import PlanFix
from explorer.plans.sizes import readable_size
from explorer.restore.bridge import SQL_IDS, Bridge, is_sql, pin_ids
from explorer.restore.rehearsed_verdicts import with_rehearsal
from explorer.restore.restored import OperatorFix, RestoredOperator
from explorer.restore.verdict import Restore, restore
from explorer.wording import counted, first_listed, quoted

_NAMES = 4
ALLOW = "--allowNonRestoredState"


class StateFixes(NamedTuple):
    """The fixes of a plan, and the fix for the state of each operator ID of OLD."""

    fixes: tuple[PlanFix, ...]
    by_operator: Mapping[str, str]


_NONE = StateFixes((), {})


def state_fixes(case: PlanCase) -> StateFixes:
    """Fixes after which the restore holds, or restores more states; each is checked again."""
    found = case.restore
    if found is None or case.drops_state or (found.holds and not found.lost):
        return _NONE
    fixed = tuple(operator for operator in found.operators if operator.fixes)
    return _key_group_fixes(fixed) if fixed else _id_fixes(case, found)


def _id_fixes(case: PlanCase, found: Restore) -> StateFixes:
    """Fixes for state that is looked up under another ID, and what is dropped without them."""
    if is_sql(case.document) and found.changed_ids:
        moved = (one.operator_id or "" for one in found.changed_ids if one.state != "none")
        return StateFixes((), dict.fromkeys(moved, SQL_IDS))
    bridge = pin_ids(found, case.document)
    pinned = _again(case, bridge.document, found) if bridge.pins else None
    if pinned is None or _missing(pinned) >= _missing(found):
        bridge, pinned = Bridge(document=case.document, pins=(), left=()), None
    pins = _NONE if pinned is None else _pin_fixes(found, pinned, bridge)
    if (pinned or found).holds or case.ignores_allowance:
        return pins
    relaxed = _again(case, bridge.document, found, allow_non_restored=True)
    if relaxed is None or not relaxed.holds or not relaxed.lost:
        return pins
    dropped = {}
    for one in relaxed.lost:
        size = f" ({readable_size(one.state_bytes)})" if one.state_bytes else ""
        dropped[one.operator_id or ""] = f"{ALLOW}: drops this state{size}"
    allow = _allow_fix(relaxed, after_pins=bool(pins.fixes))
    return StateFixes((*pins.fixes, allow), {**pins.by_operator, **dropped})


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
    by_operator = {one.operator_id or "": one.fixes[0].sentence for one in operators}
    return StateFixes(tuple(fixes), by_operator)


def _again(
    case: PlanCase, document: Document, found: Restore, *, allow_non_restored: bool = False
) -> Restore | None:
    """The verdict on a changed document; operators are matched as before."""
    if case.old is None:
        return None
    try:
        new = compile_program(document, case.new.release.version)
        again = restore(
            case.old,
            document,
            new,
            allow_non_restored or found.allow_non_restored,
            configuration=case.request.options,
            matches=found.matches,
            with_fixes=False,
        )
        rehearsal = case.request.rehearsal
        return again if rehearsal is None else with_rehearsal(again, rehearsal)
    except ExplorerError:
        return None


def _missing(found: Restore) -> int:
    """Number of states that are not restored to their own operator."""
    return len(found.lost) + len(found.misdirected)


def _pin_fixes(found: Restore, pinned: Restore, bridge: Bridge) -> StateFixes:
    """The fix that pins IDs of OLD, and the call for each operator that it restores."""
    names = first_listed([quoted(pin.operator) for pin in bridge.pins], _NAMES)
    fix = PlanFix(
        label=f"Give {names} the ID of OLD",
        lines=tuple(pin.java for pin in bridge.pins),
        outcome=pinned.sentence,
        restores=pinned.holds,
        document=document_values(bridge.document.with_baseline(None)),
    )
    restored = {one.operator_id for one in pinned.operators if one.outcome == "restored"}
    calls = {pin.uid_hash: pin.java.partition("  //")[0] for pin in bridge.pins}
    known = (one.operator_id or "" for one in found.operators)
    by_operator = {id: calls[id] for id in known if id in calls and id in restored}
    return StateFixes((fix,), by_operator)


def _allow_fix(relaxed: Restore, *, after_pins: bool) -> PlanFix:
    lost = relaxed.lost
    names = first_listed([quoted(one.name) for one in lost], _NAMES)
    size = sum(one.state_bytes or 0 for one in lost)
    of = f", {readable_size(size)}" if size else ""
    also = "Also allow" if after_pins else "Allow"
    dropped = counted(len(lost), "state")
    return PlanFix(
        label=f"{also} non-restored state: drops {dropped}, of {names}{of}",
        lines=(ALLOW,),
        outcome=relaxed.sentence,
        restores=not after_pins,
    )
