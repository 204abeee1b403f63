"""A plan's rows about the Kubernetes operator: what it refuses, restores, derives and requests."""

from collections.abc import Iterator

from explorer.analysis.plan.plan_case import PlanCase
from explorer.analysis.plan.record import ChangeSeverity, PlanChange
from explorer.deployment import Deployment
from explorer.deployment.kubernetes_operator import OperatorJob
from explorer.deployment.upgrades import Upgrade, fixed_task_managers, job_manager_pods
from explorer.wording import counted, listed

_OPERATOR = "the Kubernetes operator"


def refusal_rows(case: PlanCase) -> Iterator[PlanChange]:
    """What the operator refuses, in its words."""
    if case.upgrade is None:
        return
    title = case.upgrade.new.resource.title
    for sentence in case.upgrade.refusals:
        yield PlanChange(
            subject=title,
            before=None,
            after="refused",
            sentence=f"The operator refuses: {sentence}",
            severity="error",
        )


def upgrade_rows(case: PlanCase) -> Iterator[PlanChange]:
    """How the operator brings state from the old job to the new one."""
    for one in case.upgrade.effects if case.upgrade else ():
        yield PlanChange(
            subject=_OPERATOR,
            before=one.before if one.before != one.after else None,
            after=one.after,
            sentence=one.sentence,
            severity=one.weight,
        )


def note_rows(case: PlanCase) -> Iterator[PlanChange]:
    """What was assumed, unusual or not known of the resource."""
    if case.upgrade is None:
        return
    unchecked = case.upgrade.new.unchecked
    for sentence in case.upgrade.notes:
        severity: ChangeSeverity = "unchecked" if sentence in unchecked else "warning"
        yield _row(sentence, severity)


def _row(sentence: str, severity: ChangeSeverity = "note") -> PlanChange:
    return PlanChange(
        subject=_OPERATOR, before=None, after=None, sentence=sentence, severity=severity
    )


def derived_rows(case: PlanCase) -> Iterator[PlanChange]:
    """Options that the operator derives from the resource, and what is left out."""
    if case.upgrade is None:
        return
    job = case.upgrade.new
    yield _row(f"It derives {listed(job.derived)}.")
    if job.own_options:
        own = listed(list(job.own_options))
        yield _row(f"It reads {own} itself and does not hand them on to Flink.")
    yield from map(_row, job.remarks)


def pod_rows(case: PlanCase, before: Deployment | None, after: Deployment) -> Iterator[PlanChange]:
    """Pods before and after, and a standalone cluster that is too small."""
    upgrade = case.upgrade
    if upgrade is None:
        return
    new = _pods(upgrade.new, after)
    old = None if before is None or upgrade.old is None else _pods(upgrade.old, before)
    if old != new:
        spelled = f"{old:,} → {new:,}" if old is not None else f"{new:,}"
        yield PlanChange(
            subject="pods",
            before=None if old is None else f"{old:,}",
            after=f"{new:,}",
            sentence=f"pods: {spelled}.",
        )
    yield from _too_small(upgrade, after)


def _pods(job: OperatorJob, found: Deployment) -> int:
    fixed = fixed_task_managers(job)
    return job_manager_pods(job) + (found.task_managers if fixed is None else fixed)


def _too_small(upgrade: Upgrade, after: Deployment) -> Iterator[PlanChange]:
    fixed = fixed_task_managers(upgrade.new)
    if fixed is not None and fixed < after.task_managers:
        slots = counted(fixed * after.slots_of_one, "slot")
        yield PlanChange(
            subject="task managers",
            before=None,
            after="refused",
            sentence=f"The job needs {counted(after.slots, 'slot')}, and the standalone cluster "
            f"has {counted(fixed, 'task manager')} with {slots}: the job does not start.",
            severity="error",
        )
