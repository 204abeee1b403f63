"""Task manager of each subtask, and the channels that are local.

Slots fill task managers in their order, as requests that wait are filled when task managers offer
their slots. A cluster's own order may be another: Flink asks for slots in the order of a hash map,
and a task manager that is there already offers what it has.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

import msgspec

from explorer.deployment.slot_sharing import PlacedSubtask, Slot
from explorer.flink.execution_graph import ExecutionEdges, ExecutionGraph
from explorer.model.job_graph import JobGraph


class EdgeChannels(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The channels of a job edge: pairs of a partition and the subtask that reads it."""

    job_edge: int
    local: int
    """Both ends in one task manager: the reader gets the buffers that the producer wrote."""
    remote: int
    """Over the network."""


class Placement(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The job's subtasks in slots, and the slots in task managers."""

    slots: tuple[Slot, ...]
    slots_of_one: int
    """Slots that a task manager offers."""

    @property
    def task_managers(self) -> tuple[tuple[Slot, ...], ...]:
        """The occupied slots of each task manager."""
        slots, offered = self.slots, self.slots_of_one
        return tuple(slots[at : at + offered] for at in range(0, len(slots), offered))

    @cached_property
    def task_manager_of(self) -> Mapping[PlacedSubtask, int]:
        """Map each subtask to the number of its task manager, from 0."""
        return {
            subtask: number // self.slots_of_one
            for number, slot in enumerate(self.slots)
            for subtask in slot.subtasks
        }

    @cached_property
    def subtasks_of(self) -> Mapping[int, Counter[int]]:
        """Map each vertex to the number of its subtasks in each task manager."""
        result: defaultdict[int, Counter[int]] = defaultdict(Counter)
        for subtask, task_manager in self.task_manager_of.items():
            result[subtask.vertex][task_manager] += 1
        return result

    def remote_channels(self, edge: ExecutionEdges, consumer: int) -> int:
        """Count the partitions that this subtask of the target reads from elsewhere."""
        here = self.task_manager_of[PlacedSubtask(edge.target, consumer)]
        if not edge.pointwise:
            # ``NettyShuffleDescriptor.isLocalTo`` compares the ``ResourceID`` of both ends: a
            # subtask in another slot of the same process is local, and has no exclusive buffers.
            return edge.producers - self.subtasks_of[edge.source][here]
        place, partitions = self.task_manager_of, edge.partitions(consumer)
        return sum(place[PlacedSubtask(edge.source, partition)] != here for partition in partitions)

    def channels(self, graph: ExecutionGraph) -> tuple[EdgeChannels, ...]:
        """Return the numbers of local and remote channels of each job edge."""
        edge_channels = []
        for edge in graph.edges:
            if edge.pointwise:
                remote = sum(self.remote_channels(edge, item) for item in range(edge.consumers))
            else:
                producers, consumers = self.subtasks_of[edge.source], self.subtasks_of[edge.target]
                local = sum(count * producers[place] for place, count in consumers.items())
                remote = edge.producers * edge.consumers - local
            local = (edge.count or 0) - remote
            edge_channels.append(EdgeChannels(job_edge=edge.job_edge, local=local, remote=remote))
        return tuple(edge_channels)


def bytes_of_edges(
    job_graph: JobGraph, channels: Sequence[EdgeChannels], bytes_out: Mapping[str, int]
) -> Mapping[int, float]:
    """Map each job edge to its bytes, if all channels of a vertex carry alike.

    ``bytes_out``: by the ID of a job vertex, the bytes written in a trial or a running job.
    """
    every = {channel.job_edge: channel.local + channel.remote for channel in channels}
    written: defaultdict[str, int] = defaultdict(int)
    for number, edge in enumerate(job_graph.edges):
        written[edge.source] += every.get(number, 0)
    return {
        number: bytes_out[edge.source] * every[number] / written[edge.source]
        for number, edge in enumerate(job_graph.edges)
        if edge.source in bytes_out and every.get(number)
    }


def bytes_over_network(
    channels: Sequence[EdgeChannels], bytes_of: Mapping[int, float]
) -> Mapping[int, float]:
    """Map each job edge to its bytes over the network, if all its channels carry alike."""
    return {
        channel.job_edge: bytes_of[channel.job_edge]
        * channel.remote
        / (channel.remote + channel.local)
        for channel in channels
        if channel.job_edge in bytes_of and channel.remote + channel.local
    }
