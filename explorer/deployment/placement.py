"""Where does each subtask run, and which channels are then local?

Slots fill task managers in their order, as requests that wait are filled when task managers offer
their slots. A cluster's own order may be another: Flink asks for slots in the order of a hash map,
and a task manager that is there already offers what it has.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

import msgspec

from explorer.deployment.slot_sharing import Slot, Subtask
from explorer.flink.execution_graph import ExecutionEdges, ExecutionGraph


class EdgeChannels(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The channels of a job edge: pairs of a partition and the subtask that reads it."""

    job_edge: int
    local: int
    """Both ends in one task manager: the reader takes the buffers that the producer wrote."""
    remote: int
    """Over the network."""


class Placement(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The job's subtasks in slots, and the slots in task managers."""

    slots: tuple[Slot, ...]
    slots_of_one: int
    """Slots that a task manager offers."""

    @property
    def task_managers(self) -> tuple[tuple[Slot, ...], ...]:
        """By task manager, its slots that are taken."""
        every, one = self.slots, self.slots_of_one
        return tuple(every[at : at + one] for at in range(0, len(every), one))

    @cached_property
    def task_manager_of(self) -> Mapping[Subtask, int]:
        """By subtask, the number of its task manager, from 0."""
        return {
            subtask: number // self.slots_of_one
            for number, slot in enumerate(self.slots)
            for subtask in slot.subtasks
        }

    @cached_property
    def subtasks_at(self) -> Mapping[tuple[int, int], int]:
        """By vertex and task manager, how many of its subtasks are there."""
        return Counter((one.vertex, where) for one, where in self.task_manager_of.items())

    def remote_channels(self, edge: ExecutionEdges, consumer: int) -> int:
        """How many of the partitions that this subtask of the target reads are elsewhere."""
        here = self.task_manager_of[Subtask(edge.target, consumer)]
        if not edge.pointwise:
            return edge.producers - self.subtasks_at.get((edge.source, here), 0)
        partitions = edge.consumed(consumer).partitions
        where = self.task_manager_of
        return sum(where[Subtask(edge.source, one)] != here for one in partitions)

    def channels(self, graph: ExecutionGraph) -> tuple[EdgeChannels, ...]:
        """By job edge, how many channels are local and how many remote."""
        return tuple(map(self._channels, graph.edges))

    def _channels(self, edge: ExecutionEdges) -> EdgeChannels:
        if edge.pointwise:
            remote = sum(self.remote_channels(edge, one) for one in range(edge.consumers))
        else:
            here = self._by_task_manager(edge.target)
            local = sum(here[at] * self.subtasks_at.get((edge.source, at), 0) for at in here)
            remote = edge.producers * edge.consumers - local
        every = edge.count or 0
        return EdgeChannels(job_edge=edge.job_edge, local=every - remote, remote=remote)

    def _by_task_manager(self, vertex: int) -> Mapping[int, int]:
        found: defaultdict[int, int] = defaultdict(int)
        for (one, at), count in self.subtasks_at.items():
            if one == vertex:
                found[at] += count
        return found


def bytes_over_network(
    channels: Sequence[EdgeChannels], bytes_of: Mapping[int, int]
) -> Mapping[int, float]:
    """By job edge, how many of its bytes cross the network, if all its channels carry alike.

    ``bytes_of``: by job edge, what a trial or a running job reports for it.
    """
    every = {one.job_edge: one for one in channels}
    return {
        edge: amount * every[edge].remote / max(1, every[edge].remote + every[edge].local)
        for edge, amount in bytes_of.items()
        if edge in every
    }
