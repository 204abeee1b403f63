"""The plan's section *Resources*: slots, pods, memory, CPU and buffers, before and after."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from explorer.checks.findings import option_words
from explorer.deployment import ClusterResources, resource_changes
from explorer.deployment.cluster_options import cluster_options
from explorer.deployment.deploying import compute_resources
from explorer.deployment.kubernetes_operator import OperatorJob
from explorer.deployment.network_fix import SUFFICIENT, sufficient_network_memory
from explorer.deployment.resource_changes import Amount, Figure, figures_of
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.model.document import Document
from explorer.plans.autoscaling import autoscaling_of, autoscaling_rows
from explorer.plans.kubernetes_operator import derived_rows, note_rows, pod_rows, refusal_rows
from explorer.plans.plan_case import PlanCase
from explorer.plans.record import ChangeSeverity, PlanChange, PlanSection, notice, plan_section
from explorer.plans.sizes import readable_size
from explorer.wording import counted

_CLUSTER: Final = "the cluster"
_NOT_PLACED: Final = (
    "Slot sharing groups have profiles: in which task managers subtasks run, and so their network "
    "buffers, are not computed."
)
_MORE_BUFFERS: Final = " The total number of network buffers"
"""Where Flink's sentence on missing buffers goes on with options."""


def resources_section(case: PlanCase) -> PlanSection:
    """Cluster resources that NEW requires, compared with OLD, and refusals."""
    text = [*refusal_rows(case), *note_rows(case)]
    details = [*derived_rows(case)]
    try:
        new_job = case.request.upgrade.new if case.request.upgrade else None
        new_deployment = _deploy(case, case.new, case.document, case.request.options, new_job)
    except ExplorerError as error:
        rows = [notice(str(error), "error", subject=_CLUSTER, after="refused"), *text]
        return plan_section("resources", f"Flink will refuse: {error}", rows, details)
    text += _option_rows(case, new_deployment)
    old_deployment = _before(case)
    old = None if isinstance(old_deployment, ExplorerError) else old_deployment
    deploy_scaled = partial(_deploy, case, case.new, case.document, case.request.options, new_job)
    refused = [
        *_refusals(case, new_deployment),
        *_scheduling(new_deployment),
        *pod_rows(case, old, new_deployment),
        *autoscaling_rows(case, autoscaling_of(case), new_deployment, deploy_scaled),
    ]
    if old is None:
        sentence = (
            f"It needs {counted(new_deployment.slots, 'slot')} in "
            f"{counted(new_deployment.task_managers, 'task manager')}; "
            "no old program to compare with."
        )
        if old_deployment is not None:
            sentence = f"The resources of OLD could not be computed: {old_deployment}"
        rows = [*text, *refused]
        whole = (*map(_row, figures_of(None, new_deployment)), *details)
        return plan_section("resources", _choose_heading(rows, sentence), rows, whole)
    changes = resource_changes(old, new_deployment)
    rows = [*text, *refused, *(_row(figure) for figure in changes.figures if figure.changed)]
    return plan_section("resources", _choose_heading(rows, changes.sentence), rows, details)


def _option_rows(case: PlanCase, new_deployment: ClusterResources) -> Iterator[PlanChange]:
    """Legacy options that count, and advice on options of the cluster; *Checks* has NEW's own."""
    for heap in new_deployment.options.heaps:
        yield notice(heap.sentence, subject=heap.key)
    for advice in new_deployment.option_advice:
        if advice.key in case.request.options:
            severity: ChangeSeverity = "note" if advice.kind == "deprecated" else "warning"
            yield notice(advice.sentence, severity, subject=advice.key)


def _choose_heading(rows: Iterable[PlanChange], sentence: str) -> str:
    """The sentence of the first refusal, else of the first unchecked row, else ``sentence``."""
    for severity in ("error", "unchecked"):
        change = next((row for row in rows if row.severity == severity), None)
        if change is not None:
            return change.sentence.partition(_MORE_BUFFERS)[0]
    return sentence


def _deploy(
    case: PlanCase,
    compilation: Compilation,
    document: Document,
    options: Mapping[str, object],
    job: OperatorJob | None,
    scaled: Mapping[str, int] | None = None,
) -> ClusterResources:
    of_cluster = job.options if job else {}
    values = {**of_cluster, **document.options, **options}
    is_complete = case.request.has_configuration_file
    return compute_resources(
        compilation,
        cluster_options(document, values, compilation.release, is_complete=is_complete),
        kind=job.cluster_kind if job else None,
        used_slots=sum(job.other_jobs.values()) if job else 0,
        scaled=scaled,
    )


def _before(case: PlanCase) -> ClusterResources | ExplorerError | None:
    """OLD's deployment, or why it cannot be computed; None if its program is not known."""
    program, document = case.old_program, case.old_document
    if program is None or document is None:
        return None
    try:
        old_job = case.request.upgrade.old if case.request.upgrade else None
        return _deploy(case, program, document, case.old_options, old_job)
    except ExplorerError as error:
        return error


def _row(figure: Figure) -> PlanChange:
    what = figure.what.removesuffix(f", {figure.unit}")
    old, new = (_words(figure, amount) for amount in (figure.before, figure.after))
    spelled = " → ".join(value or "none" for value in ((new,) if old is None else (old, new)))
    return PlanChange(subject=what, before=old, after=new, sentence=f"{what}: {spelled}.")


def _words(figure: Figure, amount: Amount) -> str | None:
    if amount is None:
        return None
    return readable_size(int(amount)) if figure.unit == "bytes" else f"{amount:,}"


def _refusals(case: PlanCase, new_deployment: ClusterResources) -> Iterator[PlanChange]:
    """Flink's refusals: of the scheduler, for lack of slots, and for lack of network buffers.

    The last one has network memory that suffices.
    """
    if new_deployment.profiles:
        yield notice(_NOT_PLACED, "unchecked", subject=_CLUSTER, after="unchecked")
    for sentence in new_deployment.refusals:
        if sentence == new_deployment.slots_refusal:
            yield notice(sentence, "error", subject="slots", after="refused")
        elif sentence != new_deployment.refusal_sentence:
            yield notice(sentence, "error", subject="scheduler", after="refused")
    if new_deployment.refusal:
        values = sufficient_network_memory(
            new_deployment, case.new, case.document, case.request.options
        )
        fix = option_words(values, SUFFICIENT) or None
        sentence = new_deployment.refusal_sentence
        yield notice(sentence, "error", subject=_CLUSTER, after="refused", fix=fix)
    elif new_deployment.possible_refusal:
        sentence = f"Flink may refuse: java.io.IOException: {new_deployment.possible_refusal}"
        yield notice(sentence, "warning", subject="network buffers")


def _scheduling(new_deployment: ClusterResources) -> Iterator[PlanChange]:
    """What the scheduler and the overrides make of the program's parallelism."""
    if new_deployment.scheduler.fits_slots:
        yield notice(
            new_deployment.scheduler.sentence,
            subject="scheduler",
            after=new_deployment.scheduler.name,
        )
    for size in new_deployment.sizes:
        yield PlanChange(
            subject=size.name,
            before=f"{size.declared:,}",
            after=f"{size.scheduled:,}",
            sentence=f"{size.sentence}.",
            severity="warning" if size.lacks_slots else "note",
        )
    for edge in new_deployment.broken_forwards:
        subject = f"{edge.source} → {edge.target}"
        yield notice(edge.sentence, "warning", subject=subject)
    if new_deployment.ignored_overrides:
        yield notice(new_deployment.ignored_sentence, "warning", subject=_CLUSTER)
