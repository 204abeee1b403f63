"""A rehearsal as plain text for a terminal: the verdict, then one line per operator and state."""

import shlex
from typing import Final

from explorer.documents.rehearsals import ENDING
from explorer.flink.releases import spans
from explorer.locations import PROGRAM
from explorer.model.rehearsal import Rehearsal, RehearsedState
from explorer.wording import counted

VERDICT_WORDS: Final = {
    "restored": "restored",
    "migrated": "restored after migration",
    "opened_not_used": "opened, not used",
    "refused": "refused",
    "could_not_open": "could not open",
    "not_asked_for": "not asked for",
    "not_rehearsed": "not rehearsed",
    "data_missing": "data missing",
}
_HEADLINES: Final = {
    "restored": "Flink {flink} restored every rehearsed operator",
    "refused": "This program cannot go on from the savepoint with Flink {flink}",
    "incomplete": "The rehearsal on Flink {flink} is incomplete",
}


def rehearsal_headline(rehearsal: Rehearsal) -> str:
    """Return the verdict, both releases, the state backend and the duration in one sentence."""
    backend = f", state backend {rehearsal.backend}" if rehearsal.backend else ""
    old = f", from Flink {spans(rehearsal.old_releases)}" if rehearsal.old_releases else ""
    verdict = _HEADLINES[rehearsal.verdict].format(flink=rehearsal.flink_version)
    return f"{verdict}{old}{backend}, {rehearsal.seconds:g} s."


def rehearse_command(release: str, name: str) -> str:
    """Return the command that rehearses a program, with placeholders for the paths.

    ``release``: the Flink release that provides the jars; ``name``: the document's file name
    without its ending, by which the result is found again.
    """
    return (
        f"{PROGRAM} rehearse path/to/savepoint path/to/new.jar "
        f"--flink-lib path/to/flink-{release}/lib --json > {shlex.quote(name + ENDING)}"
    )


def rehearsal_text(rehearsal: Rehearsal) -> str:
    """Show the verdict in a line, then operators, states and what was not checked."""
    lines = [rehearsal_headline(rehearsal)]
    if rehearsal.error is not None:
        lines.append(f"  {rehearsal.error}")
    for operator in rehearsal.operators:
        uid = f"  uid {operator.uid}" if operator.uid else ""
        lines.append(f"{operator.name}: {VERDICT_WORDS[operator.verdict]}{uid}")
        if operator.error is not None:
            lines.append(f"    {operator.error}")
        lines += [
            f"  {state.name}: {VERDICT_WORDS[state.verdict]}{_counts(state)}"
            for state in operator.states
        ]
        lines += [f"  {name}: new, starts empty" for name in operator.new_states]
    if rehearsal.unchecked:
        lines += ["Not checked:", *(f"  {sentence}" for sentence in rehearsal.unchecked)]
    return "\n".join(lines)


def _counts(state: RehearsedState) -> str:
    read, keys = state.entries_read, state.keys
    entries = "" if read is None else f", {counted(read, 'entry', 'entries')} read"
    result = "" if state.keys_found is None else f", {state.keys_found:,} found"
    return entries if keys is None else f"{entries}, {counted(keys, 'key')}{result}"
