"""Which aspects of a restore a verdict covers, derived from its operators.

An aspect that one operator leaves open is unchecked for the whole verdict.
"""

from collections.abc import Sequence
from typing import Final

from explorer.analysis.restored import SHOWN, RestoredOperator
from explorer.model.coverage import AspectCoverage, StateVerdict, TypeAspect
from explorer.model.operator_ids import UNKNOWN
from explorer.wording import first_listed

_NO_STATE: Final = "no operator restores state"


def coverage(operators: Sequence[RestoredOperator], release: str) -> tuple[AspectCoverage, ...]:
    """Every aspect in the order of ``ASPECTS``; ``release``: what the release check rests on."""
    restoring = [one for one in operators if _restores_state(one)]
    keyed = [one for one in restoring if one.state == "possible" or "keyed" in one.what]
    return (
        _ids(operators),
        _parallelism(operators),
        _types("key types", keyed),
        _types("state types", restoring),
        AspectCoverage(aspect="release", checked=True, because=release),
        _user_code(operators, restoring),
    )


def _ids(operators: Sequence[RestoredOperator]) -> AspectCoverage:
    """Unchecked if several operators may match a stateful one, or if IDs are unknown."""
    unknown = _unknown(operators)
    if unknown:
        because = f"{UNKNOWN}; not looked up: {first_listed(unknown, SHOWN)}"
        return AspectCoverage(aspect="IDs", checked=False, because=because)
    unclear = [repr(one.name) for one in operators if one.unclear]
    if unclear:
        because = f"several operators may be {first_listed(unclear, SHOWN)}"
        return AspectCoverage(aspect="IDs", checked=False, because=because)
    because = "every saved operator ID was looked up as Flink does"
    return AspectCoverage(aspect="IDs", checked=True, because=because)


def _parallelism(operators: Sequence[RestoredOperator]) -> AspectCoverage:
    """Unchecked where it is not known which operator restores a state."""
    unknown = _unknown(operators)
    because = "compared operator by operator as Flink does"
    if unknown:
        because = f"the operator IDs are not known of {first_listed(unknown, SHOWN)}"
    return AspectCoverage(
        aspect="parallelism and maximum parallelism", checked=not unknown, because=because
    )


def _unknown(operators: Sequence[RestoredOperator]) -> list[str]:
    """The operators with state, or perhaps with some, that no ID was looked up for."""
    return [repr(one.name) for one in operators if one.outcome == "unknown"]


def _restores_state(one: RestoredOperator) -> bool:
    """Whether an operator of the new program restores saved state, or may restore some."""
    return one.operator_id is not None and one.state != "none" and one.found_by is not None


def _types(aspect: TypeAspect, restoring: Sequence[RestoredOperator]) -> AspectCoverage:
    """Checked where every operator has verdicts on the aspect and none of them is ``unknown``."""
    if not restoring:
        return AspectCoverage(aspect=aspect, checked=True, because=_NO_STATE)
    missing = [repr(one.name) for one in restoring if not _known(one.states, aspect)]
    if missing:
        because = f"not known of {first_listed(missing, SHOWN)}"
        return AspectCoverage(aspect=aspect, checked=False, because=because)
    return AspectCoverage(aspect=aspect, checked=True, because="compared state by state")


def _known(states: Sequence[StateVerdict], aspect: str) -> bool:
    verdicts = [one.verdict for one in states if one.aspect == aspect]
    return bool(verdicts) and "unknown" not in verdicts


def _user_code(
    operators: Sequence[RestoredOperator], restoring: Sequence[RestoredOperator]
) -> AspectCoverage:
    """Unchecked where ``open()`` was not run, and where no operator restores possible state."""
    unmapped = [repr(one.name) for one in operators if one.unmapped]
    missing = [repr(one.name) for one in restoring if one.user_code == "not rehearsed"]
    reasons = []
    if missing:
        reasons.append(f"open() was not run of {first_listed(missing, SHOWN)}")
    if unmapped:
        names = first_listed(unmapped, SHOWN)
        reasons.append(f"no operator restores the state that {names} may have")
    if reasons:
        return AspectCoverage(aspect="user code", checked=False, because="; ".join(reasons))
    because = "rehearsed, or the operator has no code of its own" if restoring else _NO_STATE
    return AspectCoverage(aspect="user code", checked=True, because=because)
