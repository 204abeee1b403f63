"""Adds the results of a rehearsal, in which Flink opened the operators' state, to a verdict."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from explorer.errors import ExplorerError
from explorer.model.coverage import Compatibility, StateVerdict
from explorer.model.rehearsal import OPENED, Rehearsal, RehearsedOperator
from explorer.restore.coverage import coverage
from explorer.restore.rehearsal_text import VERDICT_WORDS
from explorer.restore.restored import (
    RestoredOperator,
    RestoreVerdict,
    Restriction,
    first_incompatible,
    in_order,
)
from explorer.wording import counted, first_listed, quoted

REHEARSED: Final = "asked of Flink"
"""The rule of a verdict that a rehearsal decided."""
_VERDICTS: Final[Mapping[str, Compatibility]] = {
    "restored": "compatible",
    "migrated": "migrated",
    "refused": "incompatible",
}
"""Maps verdicts on rehearsed states to ours; any other leaves the state undecided."""
_RAN: Final = OPENED | {"not_asked_for", "opened_not_used"}
"""The verdicts of operators that opened."""
_NAMES: Final = 5
"""States that a line lists."""


class RehearsalReportError(ExplorerError):
    """A rehearsal of another release than the verdict."""


def with_rehearsal(restore: RestoreVerdict, rehearsal: Rehearsal) -> RestoreVerdict:
    """Add the verdicts on states and user code that a rehearsal of the same program decided.

    Each operator of the rehearsal becomes a restriction, so that the verdict is never greener than
    the rehearsal's. Its sentence on IDs does not: ``restore`` looks up the same IDs.

    Raises ``RehearsalReportError`` where the rehearsal is of another release.
    """
    if rehearsal.flink_version.split(".")[:2] != restore.flink_version.split(".")[:2]:
        msg = (
            f"the rehearsal is of Flink {quoted(rehearsal.flink_version, 40)}, the verdict of "
            f"Flink {restore.flink_version}; rehearse with that release"
        )
        raise RehearsalReportError(msg)
    rehearsed = {
        operator.operator_id: operator
        for operator in rehearsal.operators
        if operator.operator_id is not None
    }
    operators = tuple(
        _apply_rehearsal(restored_operator, rehearsed, rehearsal)
        for restored_operator in restore.operators
    )
    refused = first_incompatible(operators) if restore.error is None else None
    compared = _compared_patterns(restore.operators, operators)
    static = (
        restriction for restriction in restore.restrictions if restriction.sentence not in compared
    )
    aspects = {aspect_coverage.aspect: aspect_coverage for aspect_coverage in restore.coverage}
    release = (
        aspects["release"].because if "release" in aspects else f"Flink {restore.flink_version}"
    )
    return msgspec.structs.replace(
        restore,
        operators=operators,
        coverage=coverage(operators, release),
        restrictions=in_order((*static, *_restrictions(rehearsal))),
        error=refused.sentence if refused else restore.error,
        exception=refused.exception if refused else restore.exception,
    )


def _restrictions(rehearsal: Rehearsal) -> Iterator[Restriction]:
    """One restriction per operator; one more where the job as a whole gave no answer."""
    for operator in rehearsal.operators:
        yield Restriction(weight=operator.weight, sentence=_operator_line(operator))
    decided = any(operator.weight == "unchecked" for operator in rehearsal.operators)
    if rehearsal.verdict == "incomplete" and not decided:
        sentence = next(iter(rehearsal.unchecked), "The rehearsal is incomplete.")
        yield Restriction(weight="unchecked", sentence=sentence)


def _operator_line(operator: RehearsedOperator) -> str:
    states = [f"{quoted(state.name)} {VERDICT_WORDS[state.verdict]}" for state in operator.states]
    details = operator.error or first_listed(states, _NAMES)
    words = f"Rehearsal: {quoted(operator.name)} {VERDICT_WORDS[operator.verdict]}"
    return f"{words}: {details}" if details else words


def _apply_rehearsal(
    operator: RestoredOperator, rehearsed: Mapping[str, RehearsedOperator], of: Rehearsal
) -> RestoredOperator:
    """Replace the operator's verdicts that the rehearsal decided."""
    reported = rehearsed.get(operator.operator_id or "") or rehearsed.get(operator.new_id or "")
    if reported is None or operator.operator_id is None:
        return operator
    verdicts = tuple(_verdict(state, reported, of) for state in operator.states)
    user_code = operator.user_code
    if user_code != "none" and reported.verdict in _RAN:
        user_code = "rehearsed"
    elif user_code != "none" and reported.verdict == "could_not_open":
        user_code = "failed"
    outcome, pattern = operator.outcome, operator.pattern
    if pattern is not None and pattern.outcome != "kept" and reported.verdict in OPENED:
        # Flink read every partial match, and the new pattern has their stages.
        outcome, pattern = "restored" if operator.has_lost_stages else outcome, None
    return msgspec.structs.replace(
        operator, states=verdicts, user_code=user_code, outcome=outcome, pattern=pattern
    )


def _compared_patterns(
    old_operators: Iterable[RestoredOperator], new_operators: Iterable[RestoredOperator]
) -> set[str]:
    """Return the restrictions of patterns with stages that the rehearsal compared."""
    return {
        old.pattern_sentence
        for old, new in zip(old_operators, new_operators, strict=True)
        if old.pattern is not None and new.pattern is None
    }


def _verdict(static: StateVerdict, operator: RehearsedOperator, of: Rehearsal) -> StateVerdict:
    error = operator.error or ""
    if static.kind == "timers" or static.aspect == "key types":
        # An operator that opened has made its backend with the key's serializer.
        if operator.verdict in OPENED:
            return _decide_state(static, "compatible", _text(of))
        is_refused = operator.verdict == "refused" and "new key serializer" in error
        if static.aspect == "key types" and is_refused:
            return _decide_state(static, "incompatible", error)
    if static.aspect == "key types":
        return static
    state = next(
        (
            rehearsed_state
            for rehearsed_state in operator.states
            if rehearsed_state.name == static.state
        ),
        None,
    )
    if state is None or state.verdict not in _VERDICTS:
        return static
    verdict = _VERDICTS[state.verdict]
    refusal = (state.error or error or "refused") if verdict == "incompatible" else ""
    return _decide_state(static, verdict, refusal or _text(of, state.entries_read))


def _decide_state(static: StateVerdict, verdict: Compatibility, sentence: str) -> StateVerdict:
    exception = sentence.partition(":")[0] if verdict == "incompatible" else None
    return msgspec.structs.replace(
        static, verdict=verdict, sentence=sentence, exception=exception, rule=REHEARSED
    )


def _text(of: Rehearsal, entries: int | None = None) -> str:
    backend = f" with {of.backend}" if of.backend else ""
    read = f" and read {counted(entries, 'entry', 'entries')}" if entries else ""
    return f"Flink {of.flink_version}{backend} restored it in a rehearsal{read}"
