"""A rehearsal as plain text for a terminal: the verdict, then one line per operator and state."""

import shlex
from collections.abc import Iterator
from typing import Final

from explorer.documents.rehearsals import ENDING
from explorer.model.rehearsal import Rehearsal, RehearsedOperator, RehearsedState
from explorer.wording import counted

VERDICT_WORDS: Final = {
    "restored": "restored",
    "migrated": "restored after migration",
    "refused": "refused",
    "could_not_open": "could not open",
    "not_asked_for": "not asked for in open()",
    "not_rehearsed": "not rehearsed",
    "data_missing": "data missing",
}
_HEADLINES: Final = {
    "restored": "Flink {flink} restored every rehearsed operator",
    "refused": "Flink {flink} does not start this program from the savepoint",
    "incomplete": "The rehearsal on Flink {flink} is incomplete",
}


def rehearsal_headline(found: Rehearsal) -> str:
    """The verdict, the release, the state backend and its duration, as one sentence."""
    backend = f", state backend {found.backend}" if found.backend else ""
    return f"{_HEADLINES[found.verdict].format(flink=found.flink)}{backend}, {found.seconds:g} s."


def rehearse_command(release: str, name: str) -> str:
    """The command that rehearses a program, with placeholders for the paths.

    ``release``: the Flink release that provides the jars; ``name``: the document's file name
    without its ending, by which the result is found again.
    """
    lib = f"path/to/flink-{release}/lib"
    result = shlex.quote(f"{name}{ENDING}")
    return (
        f"python -m explorer rehearse path/to/savepoint path/to/new.jar --flink-lib {lib} "
        f"--json > {result}"
    )


def rehearsal_text(found: Rehearsal) -> str:
    """The verdict in a line, then operators, states and what was not checked."""
    return "\n".join(_lines(found))


def _lines(found: Rehearsal) -> Iterator[str]:
    yield rehearsal_headline(found)
    if found.error is not None:
        yield f"  {found.error}"
    for one in found.operators:
        yield from _operator(one)
    if found.unchecked:
        yield "Not checked:"
        yield from (f"  {sentence}" for sentence in found.unchecked)


def _operator(one: RehearsedOperator) -> Iterator[str]:
    uid = f"  uid {one.uid}" if one.uid else ""
    yield f"{one.name}: {VERDICT_WORDS[one.verdict]}{uid}"
    if one.error is not None:
        yield f"    {one.error}"
    yield from (f"  {_state(state)}" for state in one.states)
    yield from (f"  {name}: new, starts empty" for name in one.new_states)


def _state(state: RehearsedState) -> str:
    read = state.entries_read
    entries = "" if read is None else f", {counted(read, 'entry', 'entries')} read"
    return f"{state.name}: {VERDICT_WORDS[state.verdict]}{entries}"
