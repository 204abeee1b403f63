"""Derives the aspects of a restore that a verdict covers from its operators.

An aspect that one operator leaves open is unchecked for the whole verdict.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from explorer.model.coverage import Aspect, AspectCoverage, TypeAspect
from explorer.model.operator_ids import UNKNOWN
from explorer.restore.restored import SHOWN, RestoredOperator
from explorer.wording import first_listed

_NO_STATE: Final = "no operator restores state"


def coverage(operators: Sequence[RestoredOperator], release: str) -> tuple[AspectCoverage, ...]:
    """Return every aspect in the order of ``ASPECTS``; ``release``: the release check's reason."""
    restoring = [
        operator
        for operator in operators
        if operator.operator_id is not None
        and operator.state != "none"
        and operator.found_by is not None
        # Identical programs declare the same types and run the same code.
        and operator.user_code != "unchanged"
    ]
    keyed = [
        restored_operator
        for restored_operator in restoring
        if restored_operator.state == "possible" or "keyed" in restored_operator.what
    ]
    open_groups = _names(operator for operator in operators if operator.has_open_key_groups)
    unknown = _names(
        operator
        for operator in operators
        if operator.outcome == "unknown" and not operator.has_open_key_groups
    )
    unclear = _names(operator for operator in operators if operator.unclear)
    ids = f"several operators may be {unclear}" if unclear else ""
    return (
        _judge_aspect(
            "IDs",
            f"{UNKNOWN}; not looked up: {unknown}" if unknown else ids,
            "every saved operator ID was looked up as Flink does",
        ),
        _judge_aspect(
            "parallelism and maximum parallelism",
            f"the operator IDs are not known of {unknown}"
            if unknown
            else open_groups and f"not all IDs are known in the task of {open_groups}",
            "compared operator by operator as Flink does",
        ),
        _types("key types", keyed),
        _types("state types", restoring),
        _judge_aspect("release", "", release),
        _user_code(operators, restoring),
    )


def _judge_aspect(aspect: Aspect, missing: str, reason: str) -> AspectCoverage:
    return AspectCoverage(aspect=aspect, checked=not missing, because=missing or reason)


def _names(operators: Iterable[RestoredOperator]) -> str:
    names = [repr(operator.name) for operator in operators]
    return first_listed(names, SHOWN) if names else ""


def _types(aspect: TypeAspect, restoring: Sequence[RestoredOperator]) -> AspectCoverage:
    """Checked where every operator has verdicts on the aspect and none of them is ``unknown``."""
    missing = []
    for operator in restoring:
        verdicts = {state.verdict for state in operator.states if state.aspect == aspect}
        if not verdicts or "unknown" in verdicts:
            missing.append(operator)
    problem = f"not known of {names}" if (names := _names(missing)) else ""
    return _judge_aspect(aspect, problem, "compared state by state" if restoring else _NO_STATE)


def _user_code(
    operators: Sequence[RestoredOperator], restoring: Sequence[RestoredOperator]
) -> AspectCoverage:
    """Unchecked where ``open()`` was not run, and where no operator restores possible state."""
    problems = []
    if missing := _names(
        operator for operator in restoring if operator.user_code == "not rehearsed"
    ):
        problems.append(f"open() was not run of {missing}")
    if failed := _names(operator for operator in restoring if operator.user_code == "failed"):
        problems.append(f"open() failed in the rehearsal of {failed}")
    lost = [item for item in operators if item.state == "possible" and item.outcome == "lost"]
    if unmapped := _names(one for one in lost if one.operator_id is not None):
        problems.append(f"no operator restores the state that {unmapped} may have")
    reason = "rehearsed, or the operator has no code of its own" if restoring else _NO_STATE
    return _judge_aspect("user code", "; ".join(problems), reason)
