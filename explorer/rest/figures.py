"""Reads the figures of a task, by subtask and by operator.

Mirrors ``JobVertexDetailsInfo``, ``IOMetricsInfo``, ``JobVertexBackPressureInfo`` and
``AggregatedMetricsResponseBody``. What a release or an ended job does not report is left out.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

import msgspec

from explorer.documents.records import to_record
from explorer.flink.chain_texts import metric_name
from explorer.model.run_figures import OperatorFigures, SubtaskFigures, TaskFigures
from explorer.model.running_job import RunningTask
from explorer.rest.answers import Cluster, NotThereError

READ: Final = ".numRecordsIn"
SENT: Final = ".numRecordsOut"
_LONGEST_QUERY: Final = 3000
"""Characters: Flink's Netty accepts 4096 for a whole request line."""


class _Io(msgspec.Struct, kw_only=True, rename="kebab"):
    read_bytes: int = 0
    write_bytes: int = 0
    read_records: int = 0
    write_records: int = 0
    accumulated_busy_time: float | str | None = None
    accumulated_idle_time: int | None = None
    accumulated_backpressured_time: int | None = None


class _Subtask(msgspec.Struct, kw_only=True):
    subtask: int
    status: str
    metrics: _Io = msgspec.field(default_factory=_Io)


class _VertexSubtasks(msgspec.Struct, kw_only=True):
    subtasks: tuple[_Subtask, ...]


class _Pressure(msgspec.Struct, kw_only=True):
    subtask: int
    ratio: float | str | None = None
    idle: float | str | None = msgspec.field(name="idleRatio", default=None)
    busy: float | str | None = msgspec.field(name="busyRatio", default=None)


class _Pressures(msgspec.Struct, kw_only=True):
    subtasks: tuple[_Pressure, ...] = ()


class _Metric(msgspec.Struct, kw_only=True):
    id: str
    sum: float | str | None = None


class _Metrics(msgspec.Struct, kw_only=True):
    metrics: tuple[_Metric, ...]


class _Checkpoint(msgspec.Struct, kw_only=True):
    id: int


class _Latest(msgspec.Struct, kw_only=True):
    completed: _Checkpoint | None = None
    savepoint: _Checkpoint | None = None


class _Checkpoints(msgspec.Struct, kw_only=True):
    latest: _Latest = msgspec.field(default_factory=_Latest)


class _TaskCheckpoint(msgspec.Struct, kw_only=True):
    state_size: int


class _CheckpointDetails(msgspec.Struct, kw_only=True):
    tasks: dict[str, _TaskCheckpoint] = {}


def state_sizes_of_job(cluster: Cluster, path: str) -> Mapping[str, int]:
    """Map each task to its bytes in the latest complete checkpoint or savepoint of the job.

    ``path`` is the job's. Empty where there is none, or where the cluster has forgotten it since.
    Mirrors ``CheckpointingStatistics`` and ``CheckpointStatistics.CompletedCheckpointStatistics``.
    """
    try:
        latest = to_record(cluster.ask(f"{path}/checkpoints"), _Checkpoints).latest
        ids = [checkpoint.id for checkpoint in (latest.completed, latest.savepoint) if checkpoint]
        if not ids:
            return {}
        answer = cluster.ask(f"{path}/checkpoints/details/{max(ids)}")
    except NotThereError:
        return {}
    tasks = to_record(answer, _CheckpointDetails).tasks
    return {id: checkpoint.state_size for id, checkpoint in tasks.items()}


def metric_names(cluster: Cluster, path: str) -> tuple[str, ...]:
    """The names of a task's metrics, without a subtask; none where the job has ended."""
    return tuple(metric.id for metric in _metrics(cluster, f"{path}/subtasks/metrics"))


def operator_names(metrics: Sequence[str]) -> list[str]:
    """The operators that metrics are of, as metrics carry their names."""
    return [name.removesuffix(READ) for name in metrics if name.endswith(READ) and name != READ]


def task_figures(
    cluster: Cluster,
    path: str,
    task: RunningTask,
    state: str,
    metrics: Sequence[str],
    *,
    lively: bool,
    state_bytes: int | None = None,
) -> TaskFigures:
    """Read a task's figures; ``path`` is its vertex's, ``lively`` also asks how busy it is now.

    ``state_bytes``: those of its state.
    """
    vertex = to_record(cluster.ask(path), _VertexSubtasks)
    shares = _shares(cluster, path) if lively else {}
    return TaskFigures(
        id=task.id,
        state=state,
        subtasks=tuple(
            _subtask(subtask, shares.get(subtask.subtask)) for subtask in vertex.subtasks
        ),
        operators=tuple(_operators(cluster, path, task, metrics)),
        state_bytes=state_bytes,
    )


def _shares(cluster: Cluster, path: str) -> Mapping[int, _Pressure]:
    try:
        answer = to_record(cluster.ask(f"{path}/backpressure"), _Pressures)
    except NotThereError:
        return {}
    return {subtask.subtask: subtask for subtask in answer.subtasks}


def _subtask(subtask: _Subtask, pressure: _Pressure | None) -> SubtaskFigures:
    io = subtask.metrics
    return SubtaskFigures(
        subtask=subtask.subtask,
        state=subtask.status,
        records_in=io.read_records,
        records_out=io.write_records,
        bytes_in=io.read_bytes,
        bytes_out=io.write_bytes,
        busy_ms=_whole(io.accumulated_busy_time),
        idle_ms=io.accumulated_idle_time,
        back_pressured_ms=io.accumulated_backpressured_time,
        busy=_number(pressure.busy) if pressure else None,
        idle=_number(pressure.idle) if pressure else None,
        back_pressured=_number(pressure.ratio) if pressure else None,
    )


def _number(value: float | str | None) -> float | None:
    """Return a number; Flink writes the NaN of an unmeasured source as text."""
    return value if isinstance(value, int | float) else None


def _whole(value: float | str | None) -> int | None:
    number = _number(value)
    return None if number is None else round(number)


def _operators(
    cluster: Cluster, path: str, task: RunningTask, metrics: Sequence[str]
) -> Iterator[OperatorFigures]:
    """Yield the counts of operators with a unique name among the task's metrics."""
    names = Counter(metric_name(operator.name) for operator in task.operators)
    reported = set(metrics)
    expected = {
        operator.node: metric_name(operator.name)
        for operator in task.operators
        if names[metric_name(operator.name)] == 1 and metric_name(operator.name) + READ in reported
    }
    ids = [name + end for name in expected.values() for end in (READ, SENT)]
    sums = {
        metric.id: metric.sum
        for part in _parts(ids)
        for metric in _metrics(
            cluster, f"{path}/subtasks/metrics?get={quote(','.join(part), safe='')}&agg=sum"
        )
    }
    for node, name in expected.items():
        read, sent = _whole(sums.get(name + READ)), _whole(sums.get(name + SENT))
        if read is not None and sent is not None:
            yield OperatorFigures(node=node, records_in=read, records_out=sent)


def _parts(ids: Sequence[str]) -> Iterator[list[str]]:
    """Split the IDs of metrics so that each part fits into an address."""
    part: list[str] = []
    size = 0
    for id in ids:
        length = len(quote(id, safe="")) + 3
        if part and size + length > _LONGEST_QUERY:
            yield part
            part, size = [], 0
        part.append(id)
        size += length
    if part:
        yield part


def _metrics(cluster: Cluster, path: str) -> tuple[_Metric, ...]:
    try:
        answer: Any = cluster.ask(path)
    except NotThereError:
        return ()
    return to_record({"metrics": answer}, _Metrics).metrics
