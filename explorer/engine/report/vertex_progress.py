"""Progress of a run by vertex and operator, read from the counters that subtasks publish."""

from collections.abc import Sequence
from typing import Final

import msgspec

from explorer.engine import plan
from explorer.engine.report.trial_report import OperatorFigures
from explorer.engine.task.published_counters import (
    BEGUN,
    ENDED,
    FINISHED,
    RUNNING,
    WAITING,
    WIDTH,
    Layout,
    operator_at,
    width,
)

_STATES: Final = {WAITING: "waiting", RUNNING: "running", FINISHED: "finished"}


class SubtaskProgress(msgspec.Struct, frozen=True, kw_only=True):
    """The progress of a subtask."""

    state: str
    records_in: int
    records_out: int
    busy_ms: float
    """Time in its operators."""
    begun: int
    ended: int
    """Times in nanoseconds since 1970; 0: not yet."""


class VertexProgress(msgspec.Struct, frozen=True, kw_only=True):
    """The progress of a vertex."""

    id: str
    name: str
    state: str
    """waiting, running or finished."""
    parallelism: int
    subtasks_done: int
    records_in: int
    records_out: int
    """Records of its head and of its chain's ends so far."""
    busy_ms: float
    operators: tuple[OperatorFigures, ...]
    """So far; late records are counted when it has ended."""
    subtasks: tuple[SubtaskProgress, ...]


def snapshot(job: plan.Job, data: bytes = b"") -> tuple[VertexProgress, ...]:
    """Read the progress of every vertex, in the job's order; without counters all wait."""
    layout = Layout(job)
    size = WIDTH * layout.size
    numbers = memoryview(data if len(data) == size else bytes(size)).cast("q")
    return tuple(
        _vertex(task, numbers[start:]) for task, start in zip(job.tasks, layout.starts, strict=True)
    )


def _vertex(task: plan.Task, numbers: memoryview) -> VertexProgress:
    starts = range(0, task.parallelism * width(task), width(task))
    subtasks = tuple(_subtask(task, numbers[start:]) for start in starts)
    return VertexProgress(
        id=task.id,
        name=task.name,
        state=vertex_state([numbers[start] for start in starts]),
        parallelism=task.parallelism,
        subtasks_done=sum(subtask.state == _STATES[FINISHED] for subtask in subtasks),
        records_in=sum(subtask_progress.records_in for subtask_progress in subtasks),
        records_out=sum(progress.records_out for progress in subtasks),
        busy_ms=sum(item.busy_ms for item in subtasks),
        operators=tuple(
            _operator(task, place, [numbers[start:] for start in starts])
            for place in range(len(task.operators))
        ),
        subtasks=subtasks,
    )


def _operator(task: plan.Task, place: int, subtasks: Sequence[memoryview]) -> OperatorFigures:
    at = operator_at(place)
    records_in, records_out, spent = (
        sum(numbers[at + which] for numbers in subtasks) for which in range(3)
    )
    operator = task.operators[place]
    return OperatorFigures(
        node=operator.node,
        name=operator.name,
        transformation=operator.transformation,
        records_in=records_in,
        records_out=records_out,
        busy_ms=spent / 1_000_000,
    )


def _subtask(task: plan.Task, numbers: memoryview) -> SubtaskProgress:
    places = range(len(task.operators))
    ends = (place for place in places if task.operators[place].network)
    return SubtaskProgress(
        state=_STATES[numbers[0]],
        records_in=numbers[operator_at(task.head)],
        records_out=sum(numbers[operator_at(place) + 1] for place in ends),
        busy_ms=sum(numbers[operator_at(place) + 2] for place in places) / 1_000_000,
        begun=numbers[BEGUN],
        ended=numbers[ENDED],
    )


def skew(amounts: Sequence[float]) -> float:
    """Return the ratio of the largest amount to the mean; 1 if all are equal or there is none.

    >>> skew([2, 2]), skew([9, 0, 0]), skew([])
    (1.0, 3.0, 1.0)
    """
    total = sum(amounts)
    return max(amounts) * len(amounts) / total if total else 1.0


def vertex_state(states: list[int]) -> str:
    """Return a vertex's state by the states of its subtasks.

    >>> [vertex_state(states) for states in ([0, 0], [2, 0], [2, 2])]
    ['waiting', 'running', 'finished']
    """
    if all(state == FINISHED for state in states):
        return _STATES[FINISHED]
    return _STATES[RUNNING if any(states) else WAITING]
