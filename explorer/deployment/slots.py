"""Slots that a job needs, those of a cluster of fixed size, and what a scheduler starts with them.

Mirrors what ``SlotSharingGroup`` means to the scheduler: a slot runs one subtask of each vertex of
its group, so a group asks for as many slots as its widest vertex has subtasks.
A cluster of fixed size mirrors ``SlotSharingSlotAllocator`` of the adaptive scheduler, and the
requests that the other schedulers make for a pipelined region.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from explorer.deployment.memory import slots_offered
from explorer.flink.execution_graph import ExecutionGraph
from explorer.flink.regions import regions
from explorer.model.job_graph import JobGraph

TASK_MANAGERS: Final = "kubernetes.taskmanager.replicas"
MOST_SLOTS: Final = "slotmanager.number-of-slots.max"


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
    for vertex in job_graph.vertices:
        group = vertex.slot_sharing_group
        widest[group] = max(widest.get(group, 0), vertex.parallelism)
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
            # An undecided parallelism is -1 in ``ExecutionJobVertex``, and asks for one slot at
            # least.
            slots=max(1, *(graph.vertices[member].parallelism for member in members[group])),
            undecided=not all(graph.vertices[member].decided for member in members[group]),
        )
        for group in sorted(members)
    )


def task_managers_for(slots: int, slots_of_one: int) -> int:
    """Number of task managers that offer this number of slots.

    >>> task_managers_for(5, 2), task_managers_for(4, 2), task_managers_for(0, 2)
    (3, 2, 0)
    """
    return -(-slots // slots_of_one)


def available_slots(options: Mapping[str, str]) -> int | None:
    """Slots of the whole cluster; None where Flink requests task managers as slots are needed."""
    replicas, maximum = (options.get(key, "") for key in (TASK_MANAGERS, MOST_SLOTS))
    limits = [int(maximum)] if maximum.isdecimal() else []
    if replicas.isdecimal():
        limits.append(int(replicas) * slots_offered(options))
    return min(limits, default=None)


def available_task_managers(options: Mapping[str, str]) -> int | None:
    """Task managers of the whole cluster; None where Flink requests them as slots are needed."""
    replicas = options.get(TASK_MANAGERS, "")
    return int(replicas) if replicas.isdecimal() else None


def batch_slots(graph: ExecutionGraph, groups: Sequence[GroupSlots]) -> int:
    """The least slots with which a BATCH job ends, one pipelined region after another.

    A task that no pipelined result connects needs one slot: its subtasks run in turn.
    """
    pipelined = [
        edge
        for edge in graph.edges
        if graph.results[edge.result].result_type.startswith("PIPELINED")
    ]
    joined = ((edge.source, edge.target) for edge in pipelined)
    # ``PipelinedRegionSchedulingStrategy`` schedules a region as soon as its blocking inputs are
    # complete. Without a pipelined result each subtask is a region of its own, so one slot
    # serves all.
    region_of = regions(range(len(graph.vertices)), joined)
    connected = {vertex for edge in pipelined for vertex in (edge.source, edge.target)}
    group_of = {vertex: group.group for group in groups for vertex in group.vertices}
    widest: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for vertex, region in region_of.items():
        width = graph.vertices[vertex].parallelism if vertex in connected else 1
        group = group_of[vertex]
        widest[region][group] = max(widest[region].get(group, 1), width)
    return max(sum(of_group.values()) for of_group in widest.values())


def slots_of_groups(
    expected: Mapping[int, int], slots: int, *, by_range: bool
) -> Mapping[int, int] | None:
    """The slots that the adaptive scheduler gives each slot sharing group; None: too few to start.

    Args:
        expected: By group, the parallelism of its widest vertex.
        slots: Those that are free.
        by_range: Whether groups that want less leave the rest to the others, as from 1.17 on. Of
            groups that want the same, Flink has the order of a hash map over random IDs; here it
            is theirs.

    >>> slots_of_groups({0: 4, 1: 1}, 5, by_range=True)
    {1: 1, 0: 4}
    >>> slots_of_groups({0: 4, 1: 1}, 5, by_range=False)
    {0: 2, 1: 1}
    """
    # ``determineParallelism`` answers nothing: the job waits for a slot for each group, and starts
    # with that.
    if slots < len(expected):
        return None
    if not by_range:
        # Up to 1.16 ``SlotSharingSlotAllocator.determineParallelism`` divided alike: a slot that a
        # narrow group did not need stayed empty.
        share = slots // len(expected)
        return {group: min(maximum, share) for group, maximum in expected.items()}
    left, shares = slots, {}
    for position, group in enumerate(sorted(expected, key=expected.__getitem__)):
        # ``SlotSharingSlotAllocator.determineSlotsPerSharingGroup`` first leaves one slot to each
        # group; else a wide group could take the last one, and the job would not start.
        groups_left = len(expected) - position
        optional = (left - groups_left) // groups_left
        shares[group] = 1 + min(expected[group] - 1, optional)
        left -= shares[group]
    return shares


def scheduled_parallelism(
    graph: ExecutionGraph,
    groups: Sequence[GroupSlots],
    slots: int,
    *,
    reactive: bool,
    by_range: bool,
) -> Mapping[str, int] | None:
    """By vertex ID, the subtasks that the adaptive scheduler starts; None: too few slots.

    ``reactive``: every vertex wants its maximum parallelism.
    """
    widths = [
        vertex.max_parallelism if reactive else vertex.parallelism for vertex in graph.vertices
    ]
    expected = {group.group: max(widths[item] for item in group.vertices) for group in groups}
    shares = slots_of_groups(expected, slots, by_range=by_range)
    if shares is None:
        return None
    return {
        graph.vertices[one].id: min(widths[one], shares[group.group])
        for group in groups
        for one in group.vertices
    }
