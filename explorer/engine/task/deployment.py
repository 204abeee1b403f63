"""The work of one Spark task: a subtask, or the subtasks of a loop, between two shuffles.

Mirrors ``TaskDeploymentDescriptor`` and ``Task``. It handles partitions and frames, and does not
depend on Spark; failures leave it as JSON in an exception's text, after a mark that no data can
contain.
"""

import gc
import json
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import cache
from typing import Any, Final, TypeAlias

import msgspec
import pyarrow as pa

from explorer.engine import plan
from explorer.engine.rows.errors import RowError
from explorer.engine.task.frames import FramesLostError
from explorer.engine.task.loop import run_together
from explorer.engine.task.published_counters import (
    FINISHED,
    RUNNING,
    Layout,
    ProgressTarget,
    Sender,
    Writer,
    width,
)
from explorer.engine.task.stages import Group, Place, Stage, stages
from explorer.engine.task.subtask import RESULT, Subtask
from explorer.errors import ExplorerError

_SHOWN: Final = 300
"""Limit in characters of an error's text, or a value, in a message."""
_TARGET: Final = struct.Struct("!q")
_PLACE: Final = struct.Struct("!II")
"""A task and its subtask, before each frame for a partition that several subtasks share."""


Finished: TypeAlias = Callable[[Mapping[int, bytes]], None]
"""Called with the counters of finished subtasks, by the position of their first number."""


class TaskFailure(Exception):  # noqa: N818 - its text is what travels
    """A subtask's failure, as text that Spark passes on."""


class PlacedStage(msgspec.Struct, frozen=True, kw_only=True):
    """A stage, with the positions of its counters and of its consumers' partitions."""

    stage: Stage
    trial: str
    """A secret name, so that no data can look like a failure of this trial."""
    progress: ProgressTarget
    progress_at: Mapping[int, int]
    """Position of the first counter of subtask 0, by task of the stage."""
    partitions: Mapping[int, tuple[int, ...]]
    """Shuffle partitions of each consuming task's subtasks, and the driver's only one."""
    shared: frozenset[int]
    """The tasks of loops, with subtasks that share partitions."""


def partitions(job: plan.Job) -> dict[int, tuple[int, ...]]:
    """Map each task to its subtasks' shuffle partitions; the driver's partition is the last."""
    result: dict[int, tuple[int, ...]] = {}
    free = 0
    for stage in stages(job):
        of = {place: free + at for at, group in enumerate(stage.groups) for place in group}
        for task in stage.tasks:
            result[task.number] = tuple(of[task.number, i] for i in range(task.parallelism))
        free += len(stage.groups)
    return result | {RESULT: (free,)}


def deployments(job: plan.Job, trial: str, progress: ProgressTarget) -> list[PlacedStage]:
    """The deployment of each stage; ``trial``: a name that cannot be guessed."""
    places = partitions(job)
    layout = Layout(job)
    shared = frozenset(task.number for task in job.tasks if task.loop is not None)
    return [
        PlacedStage(
            stage=stage,
            trial=trial,
            progress=progress,
            progress_at={task.number: layout.starts[task.number] for task in stage.tasks},
            partitions={
                at: places[at]
                for at in (*(edge.target for task in stage.tasks for edge in task.outputs), RESULT)
            },
            shared=shared,
        )
        for stage in stages(job)
    ]


def limit_memory(maximum: int) -> None:
    """Limit the bytes that this process maps, where the system supports such a limit."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        if soft == resource.RLIM_INFINITY or maximum < soft:
            resource.setrlimit(resource.RLIMIT_AS, (maximum, hard))


@cache
def freeze_modules() -> None:
    """Exclude the loaded modules from garbage collections: a worker runs one after each task."""
    # Once a process: counting visits each of some 60,000 objects.
    if not gc.get_freeze_count():
        gc.collect()
        gc.freeze()


def run(
    deployment: PlacedStage,
    number: int,
    frames: Iterator[bytes],
    attempt: int,
    finished: Finished | None = None,
) -> Iterator[bytes]:
    """Run a group of the stage; yield a packed shuffle partition, then a frame for it, and so on.

    ``finished`` is called at the end with each subtask's counters.
    """
    stage, places = deployment.stage, deployment.partitions
    group = stage.groups[number]
    with closing(Sender(deployment.progress.address, deployment.trial)) as sender:
        writers = _writers(deployment, group, sender)
        for writer in writers.values():
            writer.state(RUNNING)

        def make(task: plan.Task, subtask: int) -> Subtask:
            return Subtask(task, subtask, writers[task.number, subtask].show)

        # With its first array Arrow imports pandas: a third of a second that is no operator's work.
        pa.array(())
        try:
            received = _receive_frames(stage, group, frames)
            for target, consumer, frame in run_together(stage, group, received, make, attempt):
                yield _TARGET.pack(places[target][consumer])
                shared = target in deployment.shared
                yield _PLACE.pack(target, consumer) + frame if shared else frame
        except Exception as error:  # noqa: BLE001 - whatever it is, Spark's own words would be many
            described = json.dumps(_describe_error(error, stage.tasks[0].name))
            raise TaskFailure(_mark(deployment.trial) + described) from None
        for writer in writers.values():
            writer.state(FINISHED)
        if finished is not None:
            finished({writer.at: writer.values for writer in writers.values()})


def _writers(deployment: PlacedStage, group: Group, sender: Sender) -> dict[Place, Writer]:
    widths = {task.number: width(task) for task in deployment.stage.tasks}
    starts = {(task, i): deployment.progress_at[task] + i * widths[task] for task, i in group}
    return {
        place: Writer(deployment.progress, at, widths[place[0]], sender)
        for place, at in starts.items()
    }


def _receive_frames(
    stage: Stage, group: Group, frames: Iterator[bytes]
) -> Iterator[tuple[Place, bytes]]:
    """Each frame with its subtask, which the frame names in a loop."""
    for frame in frames:
        if stage.looped:
            task, subtask = _PLACE.unpack_from(frame)
            yield (task, subtask), frame[_PLACE.size :]
        else:
            yield group[0], frame


def _mark(trial: str) -> str:
    """The begin of the line in an exception's text that contains the failure as JSON."""
    return f"EXPLORER-FAILURE {trial} "


def _describe_error(error: Exception, task: str) -> dict[str, Any]:
    if isinstance(error, RowError):
        fields: Sequence[str] = ("operator", "place", "expression", "row", "reason")
        reported = {field: getattr(error, field) for field in fields}
        shortened = {
            name: f"{value[:_SHOWN]}..."
            for name, value in error.row.items()
            if isinstance(value, str) and len(value) > _SHOWN
        }
        return {"row_error": reported | {"row": {**error.row, **shortened}}}
    if isinstance(error, FramesLostError):
        return {"lost": str(error)}
    if isinstance(error, ExplorerError):
        return {"text": str(error)}
    if isinstance(error, MemoryError):
        return {"text": f"{task!r} ran out of memory; use less data, or a higher parallelism"}
    words = " ".join(str(error).split())[:_SHOWN]
    return {"text": f"{task!r} failed with {type(error).__name__}: {words}"}


def failure_in(text: str, trial: str) -> ExplorerError | FramesLostError | str | None:
    """The failure that a worker of ``trial`` wrote into an exception's text, if there is one."""
    _, result, remainder = text.partition(_mark(trial))
    if not result:
        return None
    described = json.loads(remainder.partition("\n")[0])
    if "row_error" in described:
        return RowError(**described["row_error"])
    if "lost" in described:
        return FramesLostError(described["lost"])
    return str(described["text"])
