"""A restore's verdict as plain text for a terminal: the sentence, then the evidence."""

from collections.abc import Iterator
from typing import Final

from explorer.locations import PROGRAM
from explorer.model.coverage import StateVerdict
from explorer.model.operator_ids import ID_CHANGES
from explorer.restore.bridge import Bridge
from explorer.restore.rehearsed_verdicts import REHEARSED
from explorer.restore.suggested_matches import SuggestedMatches
from explorer.restore.verdict import RestoredOperator, RestoreVerdict
from explorer.running.execution import LATER
from explorer.wording import cut, first_listed, printable, quoted


def restore_text(verdict: RestoreVerdict, suggestion: SuggestedMatches | None = None) -> str:
    """Show the verdict in a line, Flink's own words where it refuses, then a line for each fact."""
    lines = [verdict.headline]
    lines += [
        f"  {restriction.weight}: {restriction.sentence}" for restriction in verdict.restrictions
    ]
    if verdict.error is not None:
        lines.append(f"  {verdict.exception}: {verdict.error}")
    if verdict.if_possible is not None:
        lines.append(f"  If functions register state: {verdict.if_possible}")
    for operator in verdict.operators:
        lines += _operator(operator)
    lines += _suggestion_lines(suggestion)
    lines += coverage_lines(verdict)
    if verdict.changes:
        lines += ["Also changed:", *(f"  {change.sentence}" for change in verdict.changes)]
    return "\n".join(lines)


def coverage_lines(restore: RestoreVerdict) -> Iterator[str]:
    """List the checked aspects, and the unchecked ones with their reasons."""
    yield f"Checked: {', '.join(restore.checked) or 'nothing'}"
    for aspect_coverage in restore.coverage:
        if not aspect_coverage.checked:
            yield f"Not checked: {aspect_coverage.aspect}: {aspect_coverage.because}"
    if not _REHEARSABLE.isdisjoint(restore.unchecked):
        yield f"To check with Flink itself: {REHEARSE}"


REHEARSE: Final = f"{PROGRAM} rehearse SAVEPOINT PROGRAM"
"""The command that runs ``open()`` and reads the states that functions declare there."""
_REHEARSABLE: Final = frozenset({"key types", "state types", "user code"})


def bridge_text(
    bridge: Bridge, new_restore: RestoreVerdict, suggestion: SuggestedMatches | None = None
) -> str:
    """Show the calls for the program, in Java and in Python, and the verdict on their effect."""
    lines = [
        *(_pin_lines(bridge) if bridge.pins else [_no_pins(bridge, new_restore)]),
        *bridge.left,
    ]
    verdict = f"Then: {new_restore.headline}" if bridge.pins else new_restore.headline
    lines += [verdict, *coverage_lines(new_restore), *_suggestion_lines(suggestion)]
    return "\n".join(lines)


def _pin_lines(bridge: Bridge) -> Iterator[str]:
    yield "Java:"
    yield from (f"  {pin.java}" for pin in bridge.pins)
    yield "Python:"
    yield from (f"  {pin.python}" for pin in bridge.pins)


def _no_pins(bridge: Bridge, new_restore: RestoreVerdict) -> str:
    """Say why no operator is given a pin: none needs one, or none is known to be the right one."""
    if new_restore.lost:
        names = first_listed([quoted(item.name) for item in new_restore.lost], _NAMES)
        return f"No pin is given: no operator of NEW is known to take the lost state of {names}."
    if bridge.left or not new_restore.holds or new_restore.unclear:
        return "No pin is given: none changes this verdict."
    return "No operator needs a pin."


def _suggestion_lines(suggestion: SuggestedMatches | None) -> Iterator[str]:
    """Show the matches to choose, and the verdict with them and their pins."""
    if suggestion is None:
        return
    yield from (match.sentence for match in suggestion.matches)
    yield from (f"  {pin.java}" for pin in suggestion.bridge.pins)
    yield f"  Then: {suggestion.then.sentence}"


def _operator(operator: RestoredOperator) -> Iterator[str]:
    mark = "!" if operator.endangered else " "
    size = f" ({operator.state_bytes:,} bytes)" if operator.state_bytes else ""
    change = f"{ID_CHANGES[operator.change]:<10}{operator.state:<9}"
    yield f"{mark} {change}{operator.name}: {operator.sentence}{size}"
    ids = dict.fromkeys(id for id in (operator.operator_id, operator.new_id) if id is not None)
    widths = dict.fromkeys(
        f"{_parallelism(width)} of at most {maximum}{' (derived)' if derived else ''}"
        for width, maximum, derived in zip(
            operator.parallelism, operator.max_parallelism, operator.derived, strict=True
        )
        if width is not None
    )
    moved = (
        f", {operator.moved_key_groups:,} key groups reassigned"
        if operator.moved_key_groups
        else ""
    )
    yield f"    {' -> '.join(ids)}  {' -> '.join(widths)}{moved}"
    # Timers are saved with the key: its line covers them.
    yield from (f"      {state_text(state)}" for state in operator.states if state.kind != "timers")
    for fix in operator.fixes:
        yield f"    Fix: {fix.sentence}. Then: {fix.outcome}."
        yield from (f"      {line}" for line in fix.lines)


def _parallelism(width: int) -> str:
    """The number of subtasks; the adaptive batch scheduler decides it while the job runs."""
    return f"×{width}" if width > 0 else f"× {LATER}"


_NAMES: Final = 4
_LONGEST: Final = 400
"""Limit of characters of a type or a reason: a POJO may have thousands of fields."""
_DECIDED: Final = {"incompatible": "refused: ", "unknown": "not checked: "}
"""The prefix of the reason of a verdict that is not positive."""


def state_text(state: StateVerdict) -> str:
    """Show a key or a state: its type before and after, and the reason of its verdict."""
    types = [words for words in (state.before, state.after) if words is not None]
    spelled = " -> ".join(dict.fromkeys(types))
    called = f"{state.kind} {cut(state.state, _LONGEST)}".strip()
    ruled = state.verdict == "incompatible" and state.rule not in {None, REHEARSED}
    reason = state.rule if ruled and state.rule else state.sentence
    typed = f" of {cut(spelled, _LONGEST)}" if spelled else ""
    return printable(f"{called}{typed}: {_DECIDED.get(state.verdict, '')}{cut(reason, _LONGEST)}")
