"""Sentences on what a rehearsal does not cover."""

from collections.abc import Iterator, Sequence
from typing import Final

from explorer.model.rehearsal import RehearsedOperator, Sandbox
from explorer.savepoints import Savepoint
from explorer.wording import first_listed, listed, quoted

SAMPLE: Final = 1_000
"""Entries of a state that are read: ``StateReader.MAX_ENTRIES``."""
_NAMES: Final = 5
"""Names that a sentence lists."""


def unchecked_sentences(
    savepoint: Savepoint,
    operators: Sequence[RehearsedOperator],
    flink: str,
    backend: str | None,
    sandbox: Sandbox | None,
) -> Iterator[str]:
    """Yield the sentences about this program, then those about every rehearsal."""
    yield from _about_operators(savepoint, operators)
    if backend is not None:
        yield (
            f"The verdict holds for Flink {flink} with the state backend {backend}; name another "
            "with --config state.backend.type=NAME."
        )
        yield (
            f"At most {SAMPLE:,} entries of each state were read, with parallelism 1: rescaling "
            "was not tried."
        )
        yield (
            "No record was processed and no timer fired: what the functions do then was not tried."
        )
    if sandbox is not None and sandbox.gaps:
        able = listed(sandbox.gaps)
        yield f"The sandbox was not whole on this machine: the program could {able}."


def _about_operators(savepoint: Savepoint, operators: Sequence[RehearsedOperator]) -> Iterator[str]:
    saved = {one.operator_id for one in savepoint.operators if one.has_state}
    ends = [one for one in operators if one.verdict == "not_rehearsed" and one.operator_id in saved]
    if ends:
        names = first_listed([quoted(one.name) for one in ends], _NAMES)
        yield f"The state of {names} was not rehearsed."
    for one in operators:
        if one.verdict == "not_asked_for":
            idle = [state.name for state in one.states if state.verdict == "not_asked_for"]
            states = first_listed([quoted(name) for name in idle], _NAMES)
            yield (
                f"{quoted(one.name)} opened without asking for {states}: if it asks later, while "
                "records are processed, an incompatible type fails only then; if the state was "
                "renamed, its content stays unused."
            )
        if one.verdict == "could_not_open":
            reason = (
                ", which the missing network or file may have caused; rehearse again with "
                "--with-network, or on a machine that has what it opens."
                if one.caused_by_sandbox
                else ". If it needs something that only the cluster has, rehearse there."
            )
            name = quoted(one.name)
            yield f"Nothing is known of the state of {name}: its own code failed{reason}"
    if any("input channel" in one.kinds for one in savepoint.operators):
        yield "In-flight records of the unaligned checkpoint were not restored."
