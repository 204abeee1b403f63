"""How far is a trial? Every vertex and operator as it stands, read from what the subtasks write."""

from pathlib import Path
from typing import Final

import msgspec

from explorer.task import plan
from explorer.task.progress import FINISHED, RUNNING, WAITING, WIDTH, Layout, width

_STATES: Final = {WAITING: "waiting", RUNNING: "running", FINISHED: "finished"}


class OperatorProgress(msgspec.Struct, frozen=True, kw_only=True):
    """An operator as it stands."""

    node: int
    name: str
    records_in: int
    records_out: int


class VertexProgress(msgspec.Struct, frozen=True, kw_only=True):
    """A vertex as it stands."""

    id: str
    name: str
    state: str
    """waiting, running or finished."""
    parallelism: int
    subtasks_done: int
    records_in: int
    records_out: int
    """Of its head and of its chain's ends, as far as they have come."""
    operators: tuple[OperatorProgress, ...]


class Reader:
    """The file that a trial's subtasks write."""

    def __init__(self, path: Path, job: plan.Job) -> None:
        self._path, self._job = path, job

    def snapshot(self) -> tuple[VertexProgress, ...]:
        """Every vertex as it stands, in the job's order; all waiting once the file is gone."""
        try:
            return snapshot(self._job, self._path.read_bytes())
        except OSError:
            return snapshot(self._job)


def snapshot(job: plan.Job, data: bytes = b"") -> tuple[VertexProgress, ...]:
    """What the file's content says of every vertex; without it all wait."""
    layout = Layout(job)
    size = WIDTH * layout.size
    numbers = memoryview(data if len(data) == size else bytes(size)).cast("q")
    return tuple(
        _vertex(task, numbers[start:]) for task, start in zip(job.tasks, layout.starts, strict=True)
    )


def _vertex(task: plan.Task, numbers: memoryview) -> VertexProgress:
    """One vertex; its own numbers come first."""
    starts = range(0, task.parallelism * width(task), width(task))
    states = [numbers[start] for start in starts]
    operators = tuple(
        OperatorProgress(
            node=operator.node,
            name=operator.name,
            records_in=sum(numbers[start + 1 + 2 * place] for start in starts),
            records_out=sum(numbers[start + 2 + 2 * place] for start in starts),
        )
        for place, operator in enumerate(task.operators)
    )
    return VertexProgress(
        id=task.id,
        name=task.name,
        state=vertex_state(states),
        parallelism=task.parallelism,
        subtasks_done=states.count(FINISHED),
        records_in=operators[task.head].records_in,
        records_out=sum(
            one.records_out
            for one, operator in zip(operators, task.operators, strict=True)
            if operator.network
        ),
        operators=operators,
    )


def vertex_state(states: list[int]) -> str:
    """A vertex's state by those of its subtasks.

    >>> [vertex_state(states) for states in ([0, 0], [2, 0], [2, 2])]
    ['waiting', 'running', 'finished']
    """
    if all(state == FINISHED for state in states):
        return _STATES[FINISHED]
    return _STATES[RUNNING if any(states) else WAITING]
