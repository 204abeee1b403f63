"""Rules about the deployment: network buffers, and the restore from the document's baseline.

They read the records that *Resources* and *Restore* show; they decide nothing themselves.
"""

from collections.abc import Iterator
from functools import partial
from typing import Final

from explorer.checks.check_case import CheckCase
from explorer.checks.rule import Found, error_rule, note_rule, warning_rule
from explorer.deployment.network_fix import SUFFICIENT, sufficient_network_memory
from explorer.deployment.schedulers import SCHEDULER_MODE
from explorer.flink.option_values import OVERRIDES
from explorer.flink.passes.generation.options import SCHEDULER, SHUFFLE_MODE
from explorer.model.changes import Proposal, SetOption, Together


def _buffers_lacking(case: CheckCase) -> Iterator[Found]:
    deployment = case.deployment
    if deployment is not None and deployment.refusal:
        values = sufficient_network_memory(deployment, case.compiled, case.document, {})
        if not case.transformations or not values:
            outcome = SUFFICIENT if values else ""
            yield Found(message=deployment.refusal_sentence, options=values, option_outcome=outcome)
            return
        changes = tuple(SetOption(name=name, value=size) for name, size in values.items())
        label = " and ".join(f"{change.name} to {change.value}" for change in changes)
        fix = Proposal(label=f"Set {label}", change=Together(changes=changes))
        yield Found(message=deployment.refusal_sentence, proposals=(fix,))


def _find_refused_start(case: CheckCase) -> Iterator[Found]:
    deployment = case.deployment
    if deployment is not None:
        refusals = (
            refusal for refusal in deployment.refusals if refusal != deployment.refusal_sentence
        )
        removals = _removals(case, SCHEDULER, SCHEDULER_MODE, SHUFFLE_MODE)
        yield from (Found(message=item, proposals=removals) for item in refusals)


def _removals(case: CheckCase, *names: str) -> tuple[Proposal, ...]:
    """Proposals to remove these options, as far as the program sets them."""
    return tuple(
        Proposal(label=f"Remove {name}", change=SetOption(name=name, value=None))
        for name in names
        if name in case.environment.configuration
    )


def _find_broken_forwards(case: CheckCase) -> Iterator[Found]:
    deployment = case.deployment
    for broken in deployment.broken_forwards if deployment is not None else ():
        edge = case.compiled.job_graph.edges[broken.job_edge].stream_edge
        yield Found(message=broken.sentence, edge=edge, proposals=_removals(case, OVERRIDES))


def _restore(case: CheckCase, *, holds: bool) -> Iterator[Found]:
    """Report a restore that is refused; or, if it ``holds``, one that is not complete."""
    restore = case.verdict
    if restore is None or restore.holds != holds:
        return
    if not holds or restore.lost or not restore.fully_checked:
        endangered = [operator for operator in restore.operators if operator.endangered]
        yield Found(
            message=restore.headline,
            nodes=tuple(
                restored_operator.node
                for restored_operator in endangered
                if restored_operator.node is not None
            ),
            about=tuple(
                restored_operator.transformation or restored_operator.name
                for restored_operator in endangered
                if restored_operator.node is not None
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
    error_rule(
        code="DP04",
        title="The scheduler does not start the job.",
        why="A scheduler refuses jobs that it cannot run, such as pipelined exchanges in BATCH "
        "mode, and a cluster of fixed size may have fewer slots than a scheduler needs.",
        todo="Choose another scheduler, change what it refuses, or add task managers.",
        finds=_find_refused_start,
    ),
    warning_rule(
        code="DP05",
        title="An override makes the ends of a FORWARD edge differ in parallelism.",
        why="Flink overrides the parallelism of tasks after the edges are decided. A FORWARD edge "
        "then deals its records out, or leaves subtasks of the target without records.",
        todo="Override both tasks with the same parallelism, or write rebalance() before the "
        "target.",
        finds=_find_broken_forwards,
        applies=lambda release: release.applies_parallelism_overrides,
    ),
)
