"""Progress of a run by vertex and operator, read from the counters that subtasks publish."""

from collections.abc import Sequence
from typing import Final

from explorer.engine import plan
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
from explorer.model.run_figures import OperatorFigures, SubtaskFigures, TaskFigures
from explorer.model.stream_graph import NodeId

_STATES: Final = {WAITING: "waiting", RUNNING: "running", FINISHED: "finished"}


def snapshot(job: plan.Job, data: bytes = b"") -> tuple[TaskFigures, ...]:
    """Read the progress of every vertex, in the job's order; without counters all wait.

    Late records are counted when a vertex has ended.
    """
    layout = Layout(job)
    size = WIDTH * layout.size
    numbers = memoryview(data if len(data) == size else bytes(size)).cast("q")
    subtasks = [
        [numbers[at:] for at in range(start, start + task.parallelism * width(task), width(task))]
        for task, start in zip(job.tasks, layout.starts, strict=True)
    ]
    moments = [counters[BEGUN] for task_counters in subtasks for counters in task_counters]
    begun = min(filter(None, moments), default=0)
    return tuple(
        _vertex(task, counters, begun) for task, counters in zip(job.tasks, subtasks, strict=True)
    )


def _vertex(task: plan.Task, subtasks: Sequence[memoryview], begun: int) -> TaskFigures:
    return TaskFigures(
        id=task.id,
        name=task.name,
        state=vertex_state([numbers[0] for numbers in subtasks]),
        operators=tuple(_operator(task, place, subtasks) for place in range(len(task.operators))),
        subtasks=tuple(
            _subtask(task, number, numbers, begun) for number, numbers in enumerate(subtasks)
        ),
    )


def _operator(task: plan.Task, place: int, subtasks: Sequence[memoryview]) -> OperatorFigures:
    at = operator_at(place)
    records_in, records_out, spent = (
        sum(numbers[at + which] for numbers in subtasks) for which in range(3)
    )
    operator = task.operators[place]
    return OperatorFigures(
        node=NodeId(operator.node),
        name=operator.name,
        transformation=operator.transformation,
        records_in=records_in,
        records_out=records_out,
        operator_ms=spent / 1_000_000,
    )


def _subtask(task: plan.Task, number: int, numbers: memoryview, begun: int) -> SubtaskFigures:
    places = range(len(task.operators))
    ends = (place for place in places if task.operators[place].network)
    return SubtaskFigures(
        subtask=number,
        state=_STATES[numbers[0]],
        records_in=numbers[operator_at(task.head)],
        records_out=sum(numbers[operator_at(place) + 1] for place in ends),
        operator_ms=sum(numbers[operator_at(place) + 2] for place in places) / 1_000_000,
        begun_ms=_since(numbers[BEGUN], begun),
        ended_ms=_since(numbers[ENDED], begun),
    )


def _since(moment: int, begun: int) -> float | None:
    """Milliseconds between two counters of nanoseconds; None: the moment has not come."""
    return (moment - begun) / 1_000_000 if moment else None


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
