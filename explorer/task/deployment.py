"""What runs in a worker: one subtask, between the bytes of two shuffles.

Mirrors ``TaskDeploymentDescriptor`` and ``Task``. It knows partitions and frames, and nothing of
whoever carries them; failures leave it as JSON in an exception's text, which survives any carrier.
What comes from data stands inside that JSON alone, and before it a mark that no data can know.
"""

import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec
import pyarrow as pa

from explorer.errors import ExplorerError
from explorer.rows.errors import RowError
from explorer.task import plan
from explorer.task.frames import FramesLostError
from explorer.task.progress import FINISHED, RUNNING, Layout, Writer, width
from explorer.task.subtask import RESULT, Subtask

_SHOWN: Final = 300
"""Characters of a library's own words that a message repeats."""
_TARGET: Final = struct.Struct("!q")


class TaskFailure(Exception):  # noqa: N818 - its text is what travels
    """What went wrong in a subtask, in the shape in which it crosses Spark."""


class Deployment(msgspec.Struct, frozen=True, kw_only=True):
    """A task, and where its numbers and its consumers' partitions are."""

    task: plan.Task
    trial: str
    """A name that nobody else knows, so that no data can look like a failure of this trial."""
    progress_file: str
    progress_at: int
    """The first number of subtask 0."""
    partitions: Mapping[int, int]
    """By task, the shuffle partition of its subtask 0; of the driver its only one."""


def partitions(job: plan.Job) -> dict[int, int]:
    """The shuffle partition of each task's subtask 0, and the driver's, which is the last."""
    found: dict[int, int] = {}
    free = 0
    for task in job.tasks:
        found[task.number] = free
        free += task.parallelism
    return found | {RESULT: free}


def deployments(job: plan.Job, trial: str, progress_file: Path) -> list[Deployment]:
    """What each task must know; ``trial``: a name that cannot be guessed."""
    places = partitions(job)
    layout = Layout(job)
    return [
        Deployment(
            task=task,
            trial=trial,
            progress_file=str(progress_file),
            progress_at=layout.starts[task.number],
            partitions={at: places[at] for at in (*(e.target for e in task.outputs), RESULT)},
        )
        for task in job.tasks
    ]


def limit_memory(most: int) -> None:
    """Let this process map no more bytes than ``most``, where the system knows such a limit."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        if soft == resource.RLIM_INFINITY or most < soft:
            resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def run(
    deployment: Deployment, subtask: int, frames: Iterator[bytes], attempt: int
) -> Iterator[bytes]:
    """Run a subtask; give in turn a shuffle partition, packed, and a frame for it."""
    task, places = deployment.task, deployment.partitions
    at = deployment.progress_at + subtask * width(task)
    writer = Writer(Path(deployment.progress_file), at)
    writer.state(RUNNING)
    # With its first array Arrow imports pandas: a third of a second that is no operator's work.
    pa.array(())
    try:
        for target, consumer, frame in Subtask(task, subtask, writer.show).run(frames, attempt):
            yield _TARGET.pack(places[target] + consumer)
            yield frame
    except Exception as error:  # noqa: BLE001 - whatever it is, Spark's own words would be many
        described = json.dumps(_described(error, task.name))
        raise TaskFailure(_mark(deployment.trial) + described) from None
    writer.state(FINISHED)


def _mark(trial: str) -> str:
    """What begins the line of an exception's text that holds the failure as JSON."""
    return f"EXPLORER-FAILURE {trial} "


def _described(error: Exception, task: str) -> dict[str, Any]:
    if isinstance(error, RowError):
        fields: Sequence[str] = ("operator", "place", "expression", "row", "reason")
        told = {field: getattr(error, field) for field in fields}
        row = {name: _shortened(value) for name, value in error.row.items()}
        return {"row_error": told | {"row": row}}
    if isinstance(error, FramesLostError):
        return {"lost": str(error)}
    if isinstance(error, ExplorerError):
        return {"text": str(error)}
    if isinstance(error, MemoryError):
        return {"text": f"{task!r} ran out of memory; use less data, or a higher parallelism"}
    words = " ".join(str(error).split())[:_SHOWN]
    return {"text": f"{task!r} failed with {type(error).__name__}: {words}"}


def _shortened(value: Any) -> Any:
    """A value that a message may repeat; a text may be as long as a row."""
    return f"{value[:_SHOWN]}..." if isinstance(value, str) and len(value) > _SHOWN else value


def failure_in(text: str, trial: str) -> ExplorerError | FramesLostError | str | None:
    """The failure that a worker of ``trial`` wrote into an exception's text, if there is one."""
    _, found, rest = text.partition(_mark(trial))
    if not found:
        return None
    described = json.loads(rest.partition("\n")[0])
    if "row_error" in described:
        return RowError(**described["row_error"])
    if "lost" in described:
        return FramesLostError(described["lost"])
    return str(described["text"])
