"""``deploy``: what a job asks of a cluster, and what its processes have."""

import argparse
from collections.abc import Iterator
from typing import Final

from explorer.cli.command import (
    Command,
    document_at,
    file_argument,
    json_argument,
    options_argument,
    print_found,
    release_argument,
)
from explorer.deployment import Deployment, JobManagerMemory, Memory, deploy
from explorer.deployment.memory_options import readable
from explorer.wording import counted, listed


def _run(args: argparse.Namespace) -> int:
    found = deploy(document_at(args.file), dict(args.option), flink_version=args.flink)
    print_found(args, found.to_dict, lambda: "\n".join(_lines(found)))
    return 0


def _lines(found: Deployment) -> Iterator[str]:
    """What is asked for in a line, then slots by group, then both processes."""
    yield (
        f"Flink {found.flink}: {counted(found.slots, 'slot')}, "
        f"{counted(found.task_managers, 'task manager')} of {counted(found.slots_of_one, 'slot')}"
    )
    if found.assumed_options:
        yield f"  assumed, as a distribution has it: {listed(found.assumed_options)}"
    for group in found.groups:
        least = "at least " if group.undecided else ""
        asked = f"{least}{counted(group.slots, 'slot')}"
        vertices = counted(len(group.vertices), "vertex", "vertices")
        yield f"  slot sharing group {group.group}: {asked}, {vertices}"
    if found.task_manager:
        yield f"task manager: {readable(found.task_manager.total_process)}"
        yield from _parts(found.task_manager)
    if found.job_manager:
        yield f"job manager: {readable(found.job_manager.total_process)}"
        yield from _parts(found.job_manager)


def _parts(memory: Memory | JobManagerMemory) -> Iterator[str]:
    for name, size in memory.parts.items():
        yield f"  {name:<20}{readable(size):>36}"


DEPLOY: Final = Command(
    name="deploy",
    does="say what a job asks of a cluster: memory, slots, task managers",
    arguments=(
        file_argument,
        release_argument,
        options_argument("--option", "an option of the cluster by Flink's own name"),
        json_argument,
    ),
    run=_run,
)
