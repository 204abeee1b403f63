"""Slots that a job needs, and the task managers that offer them.

Mirrors what ``SlotSharingGroup`` means to the scheduler: a slot runs one subtask of each vertex of
its group, so a group asks for as many slots as its widest vertex has subtasks.
"""

from collections import defaultdict
from collections.abc import Mapping

import msgspec

from explorer.flink.execution_graph import ExecutionGraph
from explorer.model.job_graph import JobGraph


class GroupSlots(msgspec.Struct, frozen=True, kw_only=True):
    """What one slot sharing group asks for."""

    group: int
    """Its number, as ``JobVertex.slot_sharing_group`` has it."""
    name: str
    vertices: tuple[int, ...]
    """Positions in ``JobGraph.vertices``."""
    slots: int
    undecided: bool
    """Whether the scheduler still decides a vertex's parallelism; then ``slots`` is the least."""


def slots_by_group(job_graph: JobGraph) -> dict[int, int]:
    """Map each group's number to the least slots that it requires, in the order of vertices."""
    widest: dict[int, int] = {}
    for one in job_graph.vertices:
        group = one.slot_sharing_group
        widest[group] = max(widest.get(group, 0), one.parallelism)
    return widest


def group_slots(
    job_graph: JobGraph, graph: ExecutionGraph, names: Mapping[int, str]
) -> tuple[GroupSlots, ...]:
    """Return the requirement of each group, by number; ``names``: by number."""
    members: defaultdict[int, list[int]] = defaultdict(list)
    for position, vertex in enumerate(job_graph.vertices):
        members[vertex.slot_sharing_group].append(position)
    return tuple(
        GroupSlots(
            group=group,
            name=names[group],
            vertices=tuple(members[group]),
            slots=max(1, *(graph.vertices[one].parallelism for one in members[group])),
            undecided=not all(graph.vertices[one].decided for one in members[group]),
        )
        for group in sorted(members)
    )


def task_managers_for(slots: int, slots_of_one: int) -> int:
    """Number of task managers that offer this number of slots.

    >>> task_managers_for(5, 2), task_managers_for(4, 2), task_managers_for(0, 2)
    (3, 2, 0)
    """
    return -(-slots // slots_of_one)
