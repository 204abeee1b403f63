"""``resources``: the slots, network buffers and memory that a job requires of a cluster."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from explorer.cli.command import (
    DOCUMENT,
    FORMAT,
    FROM_FLINK,
    MATCHES,
    argument,
    chosen_baseline,
    command,
    note_scheduler,
    options_argument,
    print_found,
    reader,
    target_at,
    warn,
)
from explorer.cli.inputs.target_arguments import new_target_options
from explorer.deployment import (
    ClusterResources,
    JobManagerMemory,
    Memory,
    ResourceChanges,
    resource_changes,
)
from explorer.deployment.cluster_options import ClusterOptions, cluster_options
from explorer.deployment.deploying import compute_resources, resources
from explorer.deployment.memory_options import readable
from explorer.deployment.placement import bytes_of_edges, bytes_over_network
from explorer.deployment.schedulers import ClusterKind
from explorer.deployment.submission_rows import (
    CLUSTERS,
    MODES,
    SESSION,
    STANDALONE,
    YARN,
    Cluster,
    Mode,
)
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation, compile_program
from explorer.model.document import Document
from explorer.narration.submission import SubmissionStep, as_members, submission
from explorer.restore.verdict import restore
from explorer.targets.target_options import is_program
from explorer.wording import counted, listed, quoted

_CROSSING: Final = (
    "bytes from task to task: {sent:,.0f}, of which {over_network:,.0f} cross the network"
)


class _VertexBytes(msgspec.Struct):
    """The members of a report's vertex that this command reads."""

    id: str
    bytes_out: int


class _Report(msgspec.Struct):
    vertices: list[_VertexBytes]


def _crossing(
    path: str, compilation: Compilation, deployment: ClusterResources
) -> dict[str, float]:
    """Bytes from task to task, and the bytes of them that cross the network."""
    try:
        report = msgspec.json.decode(Path(path).read_bytes(), type=_Report)
    except (OSError, msgspec.DecodeError) as error:
        msg = f"{quoted(path)} is no report: give the output of trial --json ({error})"
        raise ExplorerError(msg) from None
    wrote = {vertex.id: vertex.bytes_out for vertex in report.vertices}
    written = bytes_of_edges(compilation.job_graph, deployment.channels, wrote)
    crossing = bytes_over_network(deployment.channels, written)
    return {"sent": sum(written.values()), "over_network": sum(crossing.values())}


ROUTES: Final = {f"{mode}/{cluster}": (mode, cluster) for mode in MODES for cluster in CLUSTERS}
"""Submission mode and cluster by the argument that selects them."""


def _find_cluster_kind(route: tuple[Mode, Cluster] | None) -> ClusterKind | None:
    """The kind of cluster that a submission goes to; None: no submission is named."""
    if route is None:
        return None
    session = route[0] == SESSION
    if route[1] == YARN:
        return "YARN session" if session else "YARN application"
    if route[1] == STANDALONE:
        return "standalone session" if session else "standalone application"
    return "native session" if session else "native application"


def _route(text: str) -> tuple[Mode, Cluster]:
    for name, route in ROUTES.items():
        if name.lower() == text.lower():
            return route
    raise ValueError(text)


@command(
    "resources",
    *DOCUMENT,
    options_argument("--option", "a Flink option, as with -D; of the baseline, too"),
    argument(
        "--baseline", metavar="OLD", help="the baseline document; default: the one that FILE names"
    ),
    FROM_FLINK,
    argument(
        "--way",
        metavar="MODE/CLUSTER",
        type=reader(_route, "is no submission: a mode and a cluster, as application/Kubernetes"),
        help=f"print the steps of its submission: {listed(ROUTES, 'or')}",
    ),
    MATCHES,
    argument("--figures", metavar="REPORT", help="the report of trial --json for this job"),
    FORMAT,
)
def _run(args: argparse.Namespace) -> int:
    options, target = (
        dict(args.option),
        target_at(args.file, new_target_options(args, args.baseline)),
    )
    document, job = target.document, target.job
    compilation = compile_program(document, args.flink)
    note_scheduler(compilation)
    deployment = compute_resources(
        compilation,
        _cluster_options(args, document, compilation),
        kind=job.cluster_kind if job else _find_cluster_kind(args.way),
        used_slots=sum(job.other_jobs.values()) if job else 0,
    )
    warn(tuple(advice.sentence for advice in deployment.option_advice))
    steps = submission(compilation, deployment, *args.way) if args.way else ()
    old = chosen_baseline(args, document)
    changes = None
    if old is not None and old.document is not None:
        release = old.document.flink or compilation.release.version
        changes = resource_changes(
            resources(old.document, options, flink_version=release), deployment
        )
    verdict = (
        restore(old, document, compilation, configuration=options, matches=dict(args.match))
        if old
        else None
    )
    crossing = _crossing(args.figures, compilation, deployment) if args.figures else None
    parts = {
        "baseline": changes and changes.to_dict(),
        "restore": verdict and verdict.to_dict(),
        "submission": as_members(steps),
        "bytes": crossing,
    }
    headline = () if verdict is None else (verdict.headline,)
    crossed = (_CROSSING.format(**crossing),) if crossing else ()
    print_found(
        args,
        lambda: deployment.to_dict() | {name: part for name, part in parts.items() if part},
        lambda: "\n".join(
            (*headline, *_lines(deployment), *crossed, *_change_lines(changes), *_step_lines(steps))
        ),
    )
    return 1 if deployment.refusals else 0


def _cluster_options(
    args: argparse.Namespace, document: Document, compilation: Compilation
) -> ClusterOptions:
    is_complete = args.conf_folder is not None and is_program(args.file, args.main_class)
    return cluster_options(
        document, dict(args.option), compilation.release, is_complete=is_complete
    )


def _step_lines(steps: tuple[SubmissionStep, ...]) -> Iterator[str]:
    for step in steps:
        call = step.event
        to = f" to {call.to}" if call.to else ""
        yield f"{step.number:>3}  {call.actor}{to}: {step.title} ({call.short_call})"
        yield f"     {step.sentence}"


def _change_lines(changes: ResourceChanges | None) -> Iterator[str]:
    if changes is None:
        return
    yield f"against the baseline: {changes.sentence}"
    for figure in changes.figures:
        if figure.changed:
            old, new = (
                "none" if item is None else f"{item:,}" for item in (figure.before, figure.after)
            )
            yield f"  {figure.what}: {old} before, {new} now"


def _lines(deployment: ClusterResources) -> Iterator[str]:
    yield (
        f"Flink {deployment.flink_version}: {counted(deployment.slots, 'slot')}, "
        f"{counted(deployment.task_managers, 'task manager')} of "
        f"{counted(deployment.slots_of_one, 'slot')}"
    )
    if deployment.assumed_options:
        yield f"  Flink defaults: {listed(deployment.assumed_options)}"
    yield from (f"  {heap.sentence}" for heap in deployment.options.heaps)
    for group in deployment.groups:
        minimum = "at least " if group.undecided else ""
        slots = f"{minimum}{counted(group.slots, 'slot')}"
        vertices = counted(len(group.vertices), "vertex", "vertices")
        yield f"  slot sharing group {quoted(group.name)}: {slots}, {vertices}"
    yield from _scheduling(deployment)
    yield from _profiles(deployment)
    yield from _network(deployment)
    if deployment.channels:
        yield (
            f"channels: {deployment.local:,} within a task manager, {deployment.remote:,} over the "
            "network"
        )
    if deployment.task_manager:
        yield f"task manager: {readable(deployment.task_manager.total_process)}"
        yield from _parts(deployment.task_manager)
        for managed in deployment.managed:
            slot = f"of a slot of group {quoted(deployment.group_names[managed.group])}"
            for use_case in managed.use_cases:
                share = f"{use_case.use_case}, {use_case.fraction:.0%} {slot}"
                yield f"    {share}: {readable(use_case.bytes)}"
    if deployment.job_manager:
        yield f"job manager: {readable(deployment.job_manager.total_process)}"
        yield from _parts(deployment.job_manager)


def _scheduling(deployment: ClusterResources) -> Iterator[str]:
    if deployment.available_slots is not None:
        yield (
            f"  the cluster has {counted(deployment.available_slots, 'slot')} for it; at least "
            f"{deployment.least_slots:,} are needed, {deployment.wanted_slots:,} wanted"
        )
    yield from (f"  {note}" for note in deployment.scheduling_notes)
    yield from (
        f"  {refusal}" for refusal in deployment.refusals if refusal != deployment.refusal_sentence
    )


def _profiles(deployment: ClusterResources) -> Iterator[str]:
    for group in deployment.profiles.groups if deployment.profiles else ():
        yield f"  slots of {quoted(group.name)}: {group.sentence}"


def _network(deployment: ClusterResources) -> Iterator[str]:
    # The scheduler of a BATCH job decides parallelism and placement at runtime.
    if (reason := deployment.undecided_network) is not None:
        yield (
            f"network buffers: a subtask requires up to {reason.required:,}, a task manager "
            f"has {reason.options.buffers:,} for {counted(reason.slots, 'slot')}; the scheduler "
            "decides how many subtasks run side by side"
        )
        if reason.refusal:
            yield f"  {deployment.refusal_sentence}"
        elif reason.possible_refusal:
            limit = counted(reason.subtasks_at_once, "subtask")
            yield (
                f"  Flink will refuse if more than {limit} of that task run in a task manager side "
                f"by side: java.io.IOException: {reason.possible_refusal}"
            )
    if deployment.network is not None:
        widest = max(
            deployment.network.task_managers,
            key=lambda task_manager_buffers: task_manager_buffers.required,
        )
        yield (
            f"network buffers: task manager {widest.number + 1} needs {widest.required:,} and has "
            f"{widest.total:,}; no other needs more"
        )
        if deployment.refusal:
            yield f"  {deployment.refusal_sentence}"


def _parts(memory: Memory | JobManagerMemory) -> Iterator[str]:
    for name, size in memory.parts.items():
        yield f"  {name:<20}{readable(size):>36}"
