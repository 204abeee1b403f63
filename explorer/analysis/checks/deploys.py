"""Rules about the deployment: network buffers, and the restore from the document's baseline.

They read the records that *Deployment* and *Restore* show; they decide nothing themselves.
"""

from collections.abc import Iterator
from functools import partial
from typing import Final

from explorer.analysis.checks.check_case import CheckCase
from explorer.analysis.checks.rule import Found, error_rule, note_rule
from explorer.deployment.network_fix import SUFFICIENT, sufficient_network_memory
from explorer.model.changes import Proposal, SetOption, Together


def _buffers_lacking(case: CheckCase) -> Iterator[Found]:
    found = case.deployment
    if found is not None and found.refusal:
        given = sufficient_network_memory(found, case.compiled, case.document, {})
        if not case.transformations or not given:
            outcome = SUFFICIENT if given else ""
            yield Found(message=found.refusal_sentence, options=given, option_outcome=outcome)
            return
        changes = tuple(SetOption(name=name, value=size) for name, size in given.items())
        label = " and ".join(f"{one.name} to {one.value}" for one in changes)
        fix = Proposal(label=f"Set {label}", change=Together(changes=changes))
        yield Found(message=found.refusal_sentence, proposals=(fix,))


def _restore(case: CheckCase, *, holds: bool) -> Iterator[Found]:
    """Report a restore that is refused; or, if it ``holds``, one that is not complete."""
    found = case.verdict
    if found is None or found.holds != holds:
        return
    if not holds or found.lost or not found.fully_checked:
        endangered = [one for one in found.operators if one.endangered]
        yield Found(
            message=found.headline,
            nodes=tuple(one.node for one in endangered if one.node is not None),
            about=tuple(
                one.transformation or one.name for one in endangered if one.node is not None
            ),
            path="baseline",
        )


DEPLOY_RULES: Final = (
    error_rule(
        code="DP01",
        title="The network buffers of a task manager do not suffice.",
        why="Each channel and result needs buffers before a task starts. Where a task manager has "
        "fewer, the job ends with 'Insufficient number of network buffers'.",
        todo="Raise taskmanager.memory.network.fraction, min or max, or lower the parallelism.",
        finds=_buffers_lacking,
    ),
    error_rule(
        code="DP02",
        title="The program does not restore from its baseline.",
        why="Flink refuses the restore, or assigns state to another operator.",
        todo="Open Restore, which lists every operator and its state, and keep the baseline's IDs.",
        finds=partial(_restore, holds=False),
    ),
    note_rule(
        code="DP03",
        title="The restore from the baseline drops state or is not fully checked.",
        why="Flink starts the program. State that belongs to no operator is dropped, and types or "
        "user code that were not compared may still fail.",
        todo="Open Restore, which lists what was checked and what was not.",
        finds=partial(_restore, holds=True),
    ),
)
