"""A plan's rows about the Kubernetes operator: refusals, restores, derived options and pods."""

from collections.abc import Iterator

from explorer.deployment import ClusterResources
from explorer.deployment.kubernetes_operator import OperatorJob
from explorer.deployment.upgrades import fixed_task_managers, job_manager_pods
from explorer.plans.plan_case import PlanCase
from explorer.plans.record import PlanChange, notice
from explorer.wording import counted, listed, quoted

_OPERATOR = "the Kubernetes operator"


def refusal_rows(case: PlanCase) -> Iterator[PlanChange]:
    """The operator's refusals, in its words."""
    upgrade = case.request.upgrade
    for sentence in upgrade.refusals if upgrade else ():
        subject = upgrade.new.resource.title if upgrade else ""
        text = f"The operator refuses: {sentence}"
        yield notice(text, "error", subject=subject, after="refused")


def upgrade_rows(case: PlanCase) -> Iterator[PlanChange]:
    """How the operator transfers state from the old job to the new one."""
    for state_effect in case.request.upgrade.effects if case.request.upgrade else ():
        yield PlanChange(
            subject=_OPERATOR,
            before=state_effect.before if state_effect.before != state_effect.after else None,
            after=state_effect.after,
            sentence=state_effect.sentence,
            severity=state_effect.weight,
        )
    if case.ignores_allowance and case.request.allow_non_restored and _has_dropped_state(case):
        yield notice(
            f"With last-state, Flink {case.new.release.version} restores from the metadata of "
            "high availability and ignores allowNonRestoredState (FLINK-39513): it refuses state "
            "that no operator of NEW restores.",
            "error",
            subject=_OPERATOR,
            after="refused",
            fix="Set upgradeMode to savepoint",
        )


def _has_dropped_state(case: PlanCase) -> bool:
    return case.restore is not None and bool(case.restore.lost)


def note_rows(case: PlanCase) -> Iterator[PlanChange]:
    """Assumptions about the resource, and unusual or unknown settings."""
    upgrade = case.request.upgrade
    if upgrade is not None:
        for sentence in upgrade.notes:
            unchecked = sentence in upgrade.new.unchecked
            yield notice(sentence, "unchecked" if unchecked else "warning", subject=_OPERATOR)


def derived_rows(case: PlanCase) -> Iterator[PlanChange]:
    """Options that the operator derives from the resource, and those that it reads itself."""
    if case.request.upgrade is None:
        return
    job = case.request.upgrade.new
    sentences = [f"It derives {listed(job.derived)}."]
    if job.own_options:
        option_names = listed(list(job.own_options))
        sentences.append(f"It reads {option_names} itself and does not hand them on to Flink.")
    for sentence in (*sentences, *job.remarks):
        yield notice(sentence, subject=_OPERATOR)


def pod_rows(
    case: PlanCase, old_deployment: ClusterResources | None, new_deployment: ClusterResources
) -> Iterator[PlanChange]:
    """Pods before and after, and a standalone cluster that is too small."""
    upgrade = case.request.upgrade
    if upgrade is None:
        return
    new = _pods(upgrade.new, new_deployment)
    old = (
        None
        if old_deployment is None or upgrade.old is None
        else _pods(upgrade.old, old_deployment)
    )
    if old != new:
        spelled = f"{old:,} → {new:,}" if old is not None else f"{new:,}"
        yield PlanChange(
            subject="pods",
            before=None if old is None else f"{old:,}",
            after=f"{new:,}",
            sentence=f"pods: {spelled}.",
        )
    yield from _shared_slots(upgrade.new, new_deployment)


def _shared_slots(job: OperatorJob, deployment: ClusterResources) -> Iterator[PlanChange]:
    """The other jobs of a session cluster of fixed size, with the slots that they need."""
    if deployment.available_slots is None or not job.other_jobs:
        return
    others = listed([f"{quoted(name)} ({width:,})" for name, width in job.other_jobs.items()])
    yield notice(
        f"The session cluster's slots are shared with {others}, counted by the parallelism of "
        f"{'its resource' if len(job.other_jobs) == 1 else 'their resources'}: "
        f"{counted(deployment.available_slots, 'slot')} left for this job.",
        subject="session cluster",
    )


def _pods(job: OperatorJob, deployment: ClusterResources) -> int:
    fixed = fixed_task_managers(job)
    return job_manager_pods(job) + (deployment.task_managers if fixed is None else fixed)
