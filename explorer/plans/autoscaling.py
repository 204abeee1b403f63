"""A plan's rows about the autoscaler: its choice for the running job, and the graph after it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from explorer.deployment import ClusterResources, resource_changes
from explorer.deployment.autoscaler import Autoscaling, autoscale, autoscaler_settings
from explorer.errors import ExplorerError
from explorer.model.document import JobGraphDocument
from explorer.plans.plan_case import PlanCase
from explorer.plans.record import PlanChange, notice
from explorer.wording import counted, quoted

_SUBJECT: Final = "autoscaler"
_ASSUMED: Final = (
    "Computed from the averages since the tasks started, without a lag of the sources; the "
    "autoscaler uses those of its metrics window."
)
_IGNORED: Final = (
    "Flink {} ignores the overrides that the autoscaler writes (FLINK-38770): with "
    "jobmanager.scheduler: adaptive it rescales the running job over REST."
)
_UNKNOWN: Final = "Flink {} has no parallelism overrides: the autoscaler scales jobs from 1.17 on."


def autoscaling_of(case: PlanCase) -> Autoscaling | None:
    """The autoscaler's choice for the running job of either side; None unless it is requested.

    Raises ``ExplorerError`` where neither side is a running job.
    """
    if not case.request.autoscale:
        return None
    job = _find_running_job(case)
    if job is None:
        msg = (
            "--autoscale needs the figures of a running job: name its address as NEW or with --from"
        )
        raise ExplorerError(msg)
    upgrade = case.request.upgrade
    own = {**upgrade.new.options, **upgrade.new.own_options} if upgrade else {}
    settings = autoscaler_settings({**own, **case.document.options, **case.request.options})
    return autoscale(job.job, settings)


def _find_running_job(case: PlanCase) -> JobGraphDocument | None:
    sides = (case.document, case.old_document)
    jobs = (side.submitted for side in sides if side is not None)
    return next((job for job in jobs if job is not None and job.job.figures), None)


def autoscaling_rows(
    case: PlanCase,
    choice: Autoscaling | None,
    before: ClusterResources,
    deploy_scaled: Callable[[Mapping[str, int]], ClusterResources],
) -> Iterator[PlanChange]:
    """Rows about each task, then about the resources of the scaled job.

    ``before``: NEW's deployment; ``deploy_scaled`` computes it with a parallelism by job vertex ID.
    """
    if choice is None:
        return
    yield notice(f"{choice.sentence} {_ASSUMED}", subject=_SUBJECT)
    for task in choice.tasks:
        yield PlanChange(
            subject=task.name,
            before=f"{task.parallelism:,}",
            after=f"{task.scaled:,}",
            sentence=f"{_SUBJECT}: {quoted(task.name)} {task.sentence}",
        )
    if not choice.scales:
        return
    release = case.new.release
    in_place = before.scheduler.fits_slots and release.rescales_on_request
    if not release.applies_parallelism_overrides and not in_place:
        words = _IGNORED if release.parallelism_overrides else _UNKNOWN
        yield notice(words.format(before.flink_version), "warning", subject=_SUBJECT)
    vertices = {vertex.id for vertex in case.new.job_graph.vertices}
    scaled = {id: number for id, number in choice.parallelism.items() if id in vertices}
    yield from _of_scaled(before, deploy_scaled(scaled))
    if missing := len(choice.parallelism) - len(scaled):
        yield notice(
            f"NEW has no task with the ID of {counted(missing, 'task')} of the running job, which "
            "the autoscaler cannot scale before it has new figures.",
            "warning",
            subject=_SUBJECT,
        )


def _of_scaled(before: ClusterResources, new_deployment: ClusterResources) -> Iterator[PlanChange]:
    """Slots, task managers and buffers after the scaling, and what no longer works."""
    for figure in resource_changes(before, new_deployment).figures:
        if figure.changed and not figure.unit:
            old, new = (f"{item or 0:,}" for item in (figure.before, figure.after))
            sentence = f"after the scaling, {figure.what}: {old} → {new}."
            yield PlanChange(subject=figure.what, before=old, after=new, sentence=sentence)
    for edge in new_deployment.broken_forwards:
        yield notice(edge.sentence, "warning", subject=f"{edge.source} → {edge.target}")
    for refusal in new_deployment.refusals:
        if refusal not in before.refusals:
            yield notice(f"After the scaling: {refusal}", "warning", subject=_SUBJECT)
