"""``deploy``: what a job asks of a cluster, and what its processes have."""

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from explorer.analysis.baseline import Baseline, baseline_of
from explorer.analysis.chosen_matches import check_baseline
from explorer.analysis.redeploy import redeploy
from explorer.cli.command import (
    DOCUMENT,
    JSON,
    MATCHES,
    argument,
    baseline_at,
    command,
    document_at,
    note_scheduler,
    options_argument,
    print_found,
    reader,
)
from explorer.cli.target_options import old_target_options, target_options
from explorer.deployment import (
    Deployment,
    DeploymentChanges,
    JobManagerMemory,
    Memory,
    deploy,
    deployment_changes,
)
from explorer.deployment.cluster_options import cluster_options
from explorer.deployment.deploying import compute_deployment
from explorer.deployment.memory_options import readable
from explorer.deployment.placement import bytes_of_edges, bytes_over_network
from explorer.deployment.submission_rows import CLUSTERS, MODES, Cluster, Mode
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation, compile_program
from explorer.narration.submission import SubmissionStep, as_members, submission
from explorer.wording import counted, listed, quoted

_CROSSING: Final = (
    "bytes from task to task: {sent:,.0f}, of which {over_network:,.0f} cross the network"
)


def _crossing(path: str, done: Compilation, found: Deployment) -> dict[str, float]:
    """Bytes from task to task, and those among them that cross the network."""
    try:
        report = msgspec.json.decode(Path(path).read_bytes(), type=_Report)
    except (OSError, msgspec.DecodeError) as error:
        msg = f"{quoted(path)} is no report: give the output of trial --json ({error})"
        raise ExplorerError(msg) from None
    wrote = {vertex.id: vertex.bytes_out for vertex in report.vertices}
    written = bytes_of_edges(done.job_graph, found.channels, wrote)
    crossing = bytes_over_network(found.channels, written)
    return {"sent": sum(written.values()), "over_network": sum(crossing.values())}


class _VertexBytes(msgspec.Struct):
    """As much of a report's vertex as is asked for."""

    id: str
    bytes_out: int


class _Report(msgspec.Struct):
    vertices: list[_VertexBytes]


ROUTES: Final = {f"{mode}/{cluster}": (mode, cluster) for mode in MODES for cluster in CLUSTERS}
"""How a job gets to its cluster, by how that is asked for."""


def _route(text: str) -> tuple[Mode, Cluster]:
    known = {name.lower(): route for name, route in ROUTES.items()}
    if text.lower() not in known:
        raise ValueError(text)
    return known[text.lower()]


@command(
    "deploy",
    "compute the cluster resources of a job: memory, slots, task managers",
    *DOCUMENT,
    options_argument("--option", "an option of the cluster by Flink's own name"),
    argument(
        "--baseline",
        metavar="OLD",
        help="the baseline document; default: the one that FILE names",
    ),
    argument(
        "--way",
        metavar="MODE/CLUSTER",
        type=reader(_route, "is no submission: a mode and a cluster, as application/Kubernetes"),
        help=f"print the steps of its submission: {listed(ROUTES, 'or')}",
    ),
    MATCHES,
    argument("--figures", metavar="REPORT", help="the report of trial --json for this job"),
    JSON,
)
def _run(args: argparse.Namespace) -> None:
    options, document = dict(args.option), document_at(args.file, target_options(args))
    done = compile_program(document, args.flink)
    note_scheduler(done)
    found = compute_deployment(done, cluster_options(document, options, done.release))
    steps = submission(done, found, *args.way) if args.way else ()
    old = (
        baseline_at(args.baseline, old_target_options(args, args.baseline, args.file))
        if args.baseline
        else baseline_of(document)
    )
    changes = _changes(old, options, done, found)
    matches = dict(args.match)
    check_baseline(old, matches)
    verdict = redeploy(old, document, done, matches=matches) if old is not None else None
    crossing = _crossing(args.figures, done, found) if args.figures else None
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
        lambda: found.to_dict() | {name: part for name, part in parts.items() if part},
        lambda: "\n".join(
            (*headline, *_lines(found), *crossed, *_changed(changes), *_reported(steps))
        ),
    )


def _changes(
    old: Baseline | None, options: Mapping[str, str], done: Compilation, found: Deployment
) -> DeploymentChanges | None:
    """Compare the deployment with that of the baseline's program; None: there is no program."""
    if old is None or old.document is None:
        return None
    release = old.document.flink or done.release.version
    return deployment_changes(deploy(old.document, options, flink_version=release), found)


def _reported(steps: tuple[SubmissionStep, ...]) -> Iterator[str]:
    """Two lines a step: who does what by which call, and the sentence."""
    for step in steps:
        call = step.event
        to = f" to {call.to}" if call.to else ""
        yield f"{step.number:>3}  {call.actor}{to}: {step.title} ({call.short_call})"
        yield f"     {step.sentence}"


def _changed(changes: DeploymentChanges | None) -> Iterator[str]:
    """What the difference comes to, then each number that is another one now."""
    if changes is None:
        return
    yield f"against the baseline: {changes.sentence}"
    for each in changes.figures:
        if each.changed:
            old, new = ("none" if one is None else f"{one:,}" for one in (each.before, each.after))
            yield f"  {each.what}: {old} before, {new} now"


def _lines(found: Deployment) -> Iterator[str]:
    """What is asked for in a line, then slots by group, then both processes."""
    yield (
        f"Flink {found.flink}: {counted(found.slots, 'slot')}, "
        f"{counted(found.task_managers, 'task manager')} of {counted(found.slots_of_one, 'slot')}"
    )
    if found.assumed_options:
        yield f"  Flink defaults: {listed(found.assumed_options)}"
    for group in found.groups:
        least = "at least " if group.undecided else ""
        asked = f"{least}{counted(group.slots, 'slot')}"
        vertices = counted(len(group.vertices), "vertex", "vertices")
        yield f"  slot sharing group {quoted(group.name)}: {asked}, {vertices}"
    yield from _network(found)
    if found.channels:
        yield f"channels: {found.local:,} within a task manager, {found.remote:,} over the network"
    if found.task_manager:
        yield f"task manager: {readable(found.task_manager.total_process)}"
        yield from _parts(found.task_manager)
        yield from _managed(found)
    if found.job_manager:
        yield f"job manager: {readable(found.job_manager.total_process)}"
        yield from _parts(found.job_manager)


def _network(found: Deployment) -> Iterator[str]:
    """What the task manager that asks for most asks for, and Flink's sentence where it lacks."""
    if found.undecided_network is not None:
        yield from network_lines(found)
    if found.network is None:
        return
    most = max(found.network.task_managers, key=lambda one: one.required)
    yield (
        f"network buffers: task manager {most.number + 1} needs {most.required:,} and has "
        f"{most.total:,}; no other needs more"
    )
    if found.refusal:
        yield f"  {found.refusal_sentence}"


def network_lines(found: Deployment) -> Iterator[str]:
    """The buffers of a job with parallelism decided by the scheduler, and Flink's refusal."""
    known = found.undecided_network
    if known is None:
        return
    yield (
        f"network buffers: a subtask requires up to {known.required:,}, a task manager has "
        f"{known.options.buffers:,} for {counted(known.slots, 'slot')}; the scheduler decides how "
        "many subtasks run side by side"
    )
    if known.refusal:
        yield f"  {found.refusal_sentence}"
    elif known.possible_refusal:
        most = counted(known.subtasks_at_once, "subtask")
        yield (
            f"  Flink will refuse if more than {most} of that task run in a task manager side by "
            f"side: java.io.IOException: {known.possible_refusal}"
        )


def _managed(found: Deployment) -> Iterator[str]:
    """Managed memory of a slot by use case, where a group has any."""
    for group in found.managed:
        slot = f"of a slot of group {quoted(found.group_names[group.group])}"
        for one in group.use_cases:
            share = f"{one.use_case}, {one.fraction:.0%} {slot}"
            yield f"    {share}: {readable(one.bytes)}"


def _parts(memory: Memory | JobManagerMemory) -> Iterator[str]:
    for name, size in memory.parts.items():
        yield f"  {name:<20}{readable(size):>36}"
