"""Groups subtasks that run together: each alone, except those of a loop.

Spark runs a stage between two shuffles. A stage is one task, or all tasks of a loop, since their
subtasks exchange records and cannot wait for one another's end.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TypeAlias

import msgspec

from explorer.engine import plan
from explorer.flink.regions import regions

Place: TypeAlias = tuple[int, int]
"""A task and one of its subtasks."""
Group: TypeAlias = tuple[Place, ...]
"""Subtasks that run in one process, producers first."""


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """A task, or the tasks of a loop."""

    tasks: tuple[plan.Task, ...]
    groups: tuple[Group, ...]
    """All subtasks; no record of a loop goes from one group to another."""

    @property
    def looped(self) -> bool:
        """Whether the tasks form a loop."""
        return self.tasks[0].loop is not None

    @property
    def producers(self) -> frozenset[int]:
        """The tasks of other stages that send records to this stage."""
        own = {task.number for task in self.tasks}
        return frozenset(e.source for task in self.tasks for e in task.inputs) - own


def stages(job: plan.Job) -> list[Stage]:
    """The job's stages, producers first."""
    parts = groupby(job.tasks, lambda task: (task.loop, task.number if task.loop is None else 0))
    return [
        Stage(tasks=(stage_tasks := tuple(tasks)), groups=_group_connected(stage_tasks))
        for _, tasks in parts
    ]


def _group_connected(tasks: Sequence[plan.Task]) -> tuple[Group, ...]:
    """Group the subtasks of a stage that send records to each other."""
    places = [(task.number, i) for task in tasks for i in range(task.parallelism)]
    groups: dict[Place, list[Place]] = {}
    for place, together in regions(places, _links(tasks)).items():
        groups.setdefault(together, []).append(place)
    return tuple(tuple(group) for group in groups.values())


def _links(tasks: Sequence[plan.Task]) -> Iterator[tuple[Place, Place]]:
    own = {task.number for task in tasks}
    for task in tasks:
        if task.feeds is not None:
            for subtask in range(task.parallelism):
                yield (task.number, subtask), (task.feeds, subtask)
        for edge in task.inputs:
            if edge.source in own:
                for producer, consumer in edge.wiring.pairs():
                    yield (edge.source, producer), (task.number, consumer)
