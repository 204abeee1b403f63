"""Sentences on what a rehearsal does not cover."""

from collections.abc import Iterator, Sequence
from typing import Final

from explorer.model.rehearsal import RehearsedOperator, Sandbox
from explorer.savepoints import Savepoint
from explorer.wording import counted, first_listed, listed, quoted, with_full_stop

SAMPLE: Final = 1_000
"""Entries of a state that are read: ``StateReader.MAX_ENTRIES``."""
_NAMES: Final = 5
"""Names that a sentence lists."""


def unchecked_sentences(
    savepoint: Savepoint,
    operators: Sequence[RehearsedOperator],
    flink_version: str,
    backend: str | None,
    sandbox: Sandbox | None,
    why_unused: str,
) -> Iterator[str]:
    """Yield the sentences about this program, then those about every rehearsal."""
    yield from _about_operators(savepoint, operators)
    if backend is not None:
        yield (
            f"The verdict holds for Flink {flink_version} with the state backend {backend}; name "
            "another with --config state.backend.type=NAME."
        )
        yield (
            f"At most {SAMPLE:,} entries of each state were read, with parallelism 1: rescaling "
            "was not tried."
        )
        yield _about_use(operators, why_unused)
    if sandbox is not None and sandbox.gaps:
        able = listed(sandbox.gaps)
        yield f"The sandbox was not whole on this machine: the program could {able}."


def _about_use(operators: Sequence[RehearsedOperator], why_unused: str) -> str:
    """What the use covers; ``why_unused``: why no state was used, empty where it was."""
    records, timers = (sum(getattr(item, of) for item in operators) for of in ("records", "timers"))
    if records or timers:
        return (
            f"The restored state was used with {counted(records, 'record')} and "
            f"{counted(timers, 'timer')}; others were not tried."
        )
    reason = why_unused or "no operator restored state that a record could be made for"
    return f"No record was processed and no timer fired: {reason}."


def _about_operators(savepoint: Savepoint, operators: Sequence[RehearsedOperator]) -> Iterator[str]:
    saved = {
        operator_state.operator_id
        for operator_state in savepoint.operators
        if operator_state.has_state
    }
    ends = [
        item for item in operators if item.verdict == "not_rehearsed" and item.operator_id in saved
    ]
    if ends:
        names = first_listed([quoted(end.name) for end in ends], _NAMES)
        yield f"The state of {names} was not rehearsed."
    for operator in operators:
        name = quoted(operator.name)
        if operator.remark is not None:
            yield with_full_stop(f"Of {name}, {operator.remark}")
        if operator.verdict == "opened_not_used":
            yield f"The state of {name} was opened, not used: {operator.error}."
        if operator.verdict == "not_asked_for":
            idle = [state.name for state in operator.states if state.verdict == "not_asked_for"]
            states = first_listed([quoted(name) for name in idle], _NAMES)
            processed = (
                f" and processed {counted(operator.records, 'record')}" if operator.records else ""
            )
            yield (
                f"{name} opened{processed} without asking for {states}: if it asks later, "
                "an incompatible type fails only then; if the state was renamed, its content "
                "stays unused."
            )
        if operator.verdict == "could_not_open":
            reason = (
                ", which the missing network or file may have caused; rehearse again with "
                "--with-network, or on a machine that has what it opens."
                if operator.caused_by_sandbox
                else ". If it needs something that only the cluster has, rehearse there."
            )
            yield f"Nothing is known of the state of {name}: its own code failed{reason}"
    if any("input channel" in operator_state.kinds for operator_state in savepoint.operators):
        yield "In-flight records of the unaligned checkpoint were not restored."
