"""``deploy``: what a job asks of a cluster, and what its processes have."""

import argparse
from collections.abc import Iterator
from typing import Final

from explorer.cli.command import (
    Command,
    document_at,
    file_argument,
    json_argument,
    print_json,
    print_text,
    release_argument,
)
from explorer.deployment import Deployment, JobManagerMemory, Memory, deploy
from explorer.deployment.memory_options import readable
from explorer.wording import counted, listed


def _arguments(parser: argparse.ArgumentParser) -> None:
    file_argument(parser)
    release_argument(parser)
    parser.add_argument(
        "--option",
        metavar="KEY=VALUE",
        action="append",
        type=_option,
        default=[],
        help="an option of the cluster by Flink's own name, as taskmanager.numberOfTaskSlots=4",
    )
    json_argument(parser)


def _option(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        msg = f"{text!r} is no option: KEY=VALUE, as taskmanager.numberOfTaskSlots=4"
        raise argparse.ArgumentTypeError(msg)
    return key.strip(), value.strip()


def _run(args: argparse.Namespace) -> int:
    found = deploy(document_at(args.file), dict(args.option), flink_version=args.flink)
    if args.json:
        print_json(found.to_dict())
    else:
        print_text("\n".join(_lines(found)))
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
    arguments=_arguments,
    run=_run,
)
