"""Whether the network buffers of a task manager suffice for its tasks.

Mirrors ``Task.setupPartitionsAndGates`` and ``NetworkBufferPool``: a task's result partitions get
their pools, then its gates; the exclusive buffers of remote channels are requested after a task
has restored its state. A pool without its required buffers fails its task. Tasks start in parallel,
so which task fails is open; whether a task fails is not.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from explorer.deployment.buffers import BLOCKING, GateBuffers, Pool, gate_buffers, partition_pool
from explorer.deployment.network_options import NetworkOptions
from explorer.deployment.placement import Placement
from explorer.deployment.slot_sharing import PlacedSubtask, sorted_from_sources
from explorer.flink.execution_graph import ExecutionGraph
from explorer.flink.regions import regions
from explorer.flink.releases import Release
from explorer.java_numbers import INT_MAX

_INSUFFICIENT: Final = (
    "Insufficient number of network buffers: required {required}, but only {available} available. "
    "The total number of network buffers is currently set to {total} of {size} bytes each. You can "
    "increase this number by setting the configuration keys "
    "'taskmanager.memory.network.fraction', 'taskmanager.memory.network.min', and "
    "'taskmanager.memory.network.max'."
)


class ResultBuffers(NamedTuple):
    """A result partition's pool."""

    result: int
    """Position in ``ExecutionGraph.results``."""
    subpartitions: int
    pool: Pool


class InputBuffers(NamedTuple):
    """A gate's buffers."""

    job_edge: int
    channels: int
    remote: int
    buffers: GateBuffers

    @property
    def required(self) -> int:
        """Buffers of the pool and of the remote channels."""
        return self.buffers.floating.required + self.remote * self.buffers.exclusive

    @property
    def most(self) -> int:
        """Buffers of the pool at its maximum and of the remote channels."""
        # A Java int has no larger number; the sum of an unbounded pool and others would be
        # negative.
        return min(INT_MAX, self.buffers.floating.most + self.remote * self.buffers.exclusive)


class TaskBuffers(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The network buffers of one subtask."""

    subtask: PlacedSubtask
    results: tuple[ResultBuffers, ...]
    gates: tuple[InputBuffers, ...]

    @property
    def required(self) -> int:
        """Buffers without which it does not start, or does not run."""
        pools = sum(result.pool.required for result in self.results)
        return pools + sum(gate.required for gate in self.gates)

    @property
    def most(self) -> int:
        """Buffers that it uses as long as the task manager has them."""
        pools = sum(result.pool.most for result in self.results)
        return min(INT_MAX, pools + sum(gate.most for gate in self.gates))

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members."""
        return {**self.subtask._asdict(), "required": self.required, "most": self.most}


class TaskManagerBuffers(msgspec.Struct, frozen=True, kw_only=True):
    """The network memory of one task manager and the buffers that its tasks require."""

    number: int
    required: int
    """Of the tasks that run at the same time."""
    most: int
    total: int
    refusal: str | None
    """Flink's sentence, where they do not suffice."""


class Network(msgspec.Struct, frozen=True, kw_only=True):
    """The network buffers of a placed job."""

    options: NetworkOptions
    tasks: tuple[TaskBuffers, ...]
    """In the order in which the scheduler deploys them."""
    task_managers: tuple[TaskManagerBuffers, ...]

    @property
    def required(self) -> int:
        """Buffers that the most demanding task manager requires."""
        return max((task_manager.required for task_manager in self.task_managers), default=0)

    @property
    def refusal(self) -> str | None:
        """Flink's sentence of the first task manager that lacks buffers."""
        text = (task_manager.refusal for task_manager in self.task_managers if task_manager.refusal)
        return next(text, None)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members; numbers are buffers."""
        return {
            "options": msgspec.to_builtins(self.options),
            "task_managers": msgspec.to_builtins(self.task_managers),
            "refusal": self.refusal,
            "tasks": [task.to_dict() for task in self.tasks],
        }


def network(
    graph: ExecutionGraph, placement: Placement, options: NetworkOptions, release: Release
) -> Network:
    """Compute the buffers of every task, and whether each task manager has them."""
    tasks = tuple(_tasks(graph, placement, options, release))
    waves = _waves(graph)
    here: defaultdict[int, defaultdict[int, list[TaskBuffers]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for task in tasks:
        task_manager_of = placement.task_manager_of[task.subtask]
        here[task_manager_of][waves[task.subtask.vertex]].append(task)
    return Network(
        options=options,
        tasks=tasks,
        task_managers=tuple(
            _task_manager(number, list(here[number].values()), options) for number in sorted(here)
        ),
    )


def _task_manager(
    number: int, waves: list[list[TaskBuffers]], options: NetworkOptions
) -> TaskManagerBuffers:
    largest = max(waves, key=lambda tasks: sum(task.required for task in tasks))
    pools: list[int] = []
    for task in largest:
        pools += (result.pool.required for result in task.results)
        pools += (gate.buffers.floating.required for gate in task.gates)
    # Each remote channel requests its exclusive buffers by itself, after the state is restored, by
    # ``NetworkBufferPool.requestUnpooledMemorySegments``: a refusal names those of one channel.
    for gate in (gate for task in largest for gate in task.gates):
        pools += [gate.buffers.exclusive] * (gate.remote if gate.buffers.exclusive else 0)
    return TaskManagerBuffers(
        number=number,
        required=sum(task.required for task in largest),
        most=min(INT_MAX, sum(task.most for task in largest)),
        total=options.buffers,
        refusal=insufficient(pools, options),
    )


def insufficient(pools: Iterable[int], options: NetworkOptions) -> str | None:
    """Flink's sentence for the first pool without enough buffers; None if all are served."""
    available = options.buffers
    for required in pools:
        # ``NetworkBufferPool.createBufferPool`` compares with what all pools require, not with what
        # is free: a pool that has grown gives its surplus back.
        if required > available:
            return _INSUFFICIENT.format(
                required=required,
                available=available,
                total=options.buffers,
                size=options.buffer_size,
            )
        available -= required
    return None


def _tasks(
    graph: ExecutionGraph, placement: Placement, options: NetworkOptions, release: Release
) -> Iterator[TaskBuffers]:
    for vertex in sorted_from_sources(graph):
        for number in range(graph.vertices[vertex].parallelism):
            yield TaskBuffers(
                subtask=PlacedSubtask(vertex, number),
                results=tuple(_results(graph, vertex, number, options, release)),
                gates=tuple(
                    _gates(graph, placement, PlacedSubtask(vertex, number), options, release)
                ),
            )


def _results(
    graph: ExecutionGraph, vertex: int, number: int, options: NetworkOptions, release: Release
) -> Iterator[ResultBuffers]:
    for result in graph.vertices[vertex].results:
        # All consumers of a data set read it alike.
        edge = graph.edges[graph.results[result].consumers[0]]
        cut = edge.subpartitions(number) or 1
        pool = partition_pool(graph.results[result].result_type, cut, options, release)
        yield ResultBuffers(result, cut, pool)


def _gates(
    graph: ExecutionGraph,
    placement: Placement,
    subtask: PlacedSubtask,
    options: NetworkOptions,
    release: Release,
) -> Iterator[InputBuffers]:
    for position in graph.vertices[subtask.vertex].inputs:
        edge = graph.edges[position]
        kind = graph.results[edge.result].result_type
        partitions, subpartitions = edge.consumed(subtask.number)
        policy = release.channel_a_subpartition
        is_split = policy == "always" or (policy == "unless tiered" and not options.tiered)
        each = len(subpartitions) if is_split else 1
        channels = len(partitions) * each
        remote = placement.remote_channels(edge, subtask.number) * each
        buffers = gate_buffers(kind, channels, options, release)
        yield InputBuffers(edge.job_edge, channels, remote, buffers)


def _waves(graph: ExecutionGraph) -> Mapping[int, int]:
    """Map each vertex to the number of blocking results that must be complete before it starts.

    Vertices of one wave may run side by side; a streaming job is one wave.
    """
    joined = (
        (edge.source, edge.target)
        for edge in graph.edges
        if graph.results[edge.result].result_type not in BLOCKING
    )
    region = regions(range(len(graph.vertices)), joined)
    waves: dict[int, int] = dict.fromkeys(set(region.values()), 0)
    # Taken in this order, one round is enough unless a region's vertices stand far apart.
    vertices = (graph.vertices[vertex] for vertex in sorted_from_sources(graph))
    order = [graph.edges[input_] for vertex in vertices for input_ in vertex.inputs]
    for _ in waves:
        previous = dict(waves)
        for edge in order:
            if graph.results[edge.result].result_type in BLOCKING:
                source, target = region[edge.source], region[edge.target]
                waves[target] = max(waves[target], waves[source] + 1)
        if waves == previous:
            break
    return {vertex: waves[region[vertex]] for vertex in region}
