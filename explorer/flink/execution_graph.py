"""The execution graph: every subtask of a vertex, every partition of a result, who reads what.

Mirrors ``ExecutionGraph``, ``ExecutionJobVertex``, ``IntermediateResult`` and the edges between
their parts. Nothing is kept a subtask or an edge: all-to-all between 10,000 and 10,000 subtasks is
100,000,000 edges. Numbers come from formulas, and members are made when they are asked for.
"""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from explorer.errors import ExplorerError
from explorer.flink.key_groups import key_group_range
from explorer.flink.pointwise import consumed_partitions, consumed_subpartition, consumers_of


class UndecidedParallelismError(ExplorerError):
    """Somebody asks for the subtasks of a vertex whose parallelism the scheduler decides later."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(
            f"the parallelism of {name!r} is decided while the job runs, so its subtasks are not "
            "known; set a parallelism to see them"
        )


class ExecutionVertex(NamedTuple):
    """One subtask."""

    subtask: int
    name: str
    """As a task manager shows it: ``Map (1/2)``."""
    key_groups: tuple[int, int]
    """The first and the last key group that it owns."""


class ConsumedPartitions(NamedTuple):
    """What one subtask reads of one input: these subpartitions of each of these partitions."""

    partitions: range
    subpartitions: range


class ExecutionJobVertex(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """All subtasks of a job vertex."""

    id: str
    name: str
    parallelism: int
    """-1: the adaptive batch scheduler decides it when the inputs are known."""
    max_parallelism: int
    max_parallelism_derived: bool
    """Whether the program sets none, so that Flink takes one from the parallelism."""
    inputs: tuple[int, ...]
    """Positions in ``ExecutionGraph.edges``."""
    results: tuple[int, ...]
    """Positions in ``ExecutionGraph.results``."""

    @property
    def decided(self) -> bool:
        """Whether the parallelism is known before the job runs."""
        return self.parallelism > 0

    def subtask(self, number: int) -> ExecutionVertex:
        """The subtask of this number, from 0; raises ``IndexError`` where there is none."""
        if not self.decided:
            raise UndecidedParallelismError(self.name)
        if not 0 <= number < self.parallelism:
            msg = f"{self.name!r} has subtasks 0 to {self.parallelism - 1}, not {number}"
            raise IndexError(msg)
        return ExecutionVertex(
            number,
            f"{self.name} ({number + 1}/{self.parallelism})",
            key_group_range(number, self.max_parallelism, self.parallelism),
        )

    def subtasks(self) -> Iterator[ExecutionVertex]:
        """All subtasks, one at a time."""
        if not self.decided:
            raise UndecidedParallelismError(self.name)
        return map(self.subtask, range(self.parallelism))


class IntermediateResult(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A data set: a partition for each subtask of its producer."""

    producer: int
    """Position in ``ExecutionGraph.vertices``."""
    number: int
    """The position among the producer's data sets."""
    result_type: str
    partitions: int
    """-1: as many as the producer will have subtasks."""
    consumers: tuple[int, ...]
    """Positions in ``ExecutionGraph.edges``; all read it in the same way."""


class ExecutionEdges(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One job edge between subtasks; each consumer has a channel for each partition it reads."""

    job_edge: int
    """Position in ``JobGraph.edges``."""
    source: int
    """Position in ``ExecutionGraph.vertices``."""
    target: int
    input: int
    result: int
    """Position in ``ExecutionGraph.results``."""
    producers: int
    """The parallelism of the source; -1: undecided."""
    consumers: int
    most_consumers: int
    """What a dynamic graph cuts its partitions for: the target's parallelism, else its maximum."""
    pointwise: bool
    broadcast: bool
    dynamic: bool
    """Whether the job's scheduler may still decide a vertex's parallelism."""
    floats: bool
    """Whether the release's point-wise rule divides in single precision."""

    @property
    def decided(self) -> bool:
        """Whether both parallelisms are known before the job runs."""
        return self.producers > 0 and self.consumers > 0

    @property
    def count(self) -> int | None:
        """How many pairs of a partition and its consumer there are; None: not known yet."""
        if not self.decided:
            return None
        ends = self.producers, self.consumers
        return max(ends) if self.pointwise else ends[0] * ends[1]

    def consumed(self, consumer: int) -> ConsumedPartitions:
        """What the target's subtask of this number reads."""
        self._check_decided()
        if not self.pointwise:
            subpartitions = self._shared_out(consumer, self.consumers, 0)
            return ConsumedPartitions(range(self.producers), subpartitions)
        ends = self.producers, self.consumers
        partitions = consumed_partitions(*ends, consumer, floats=self.floats)
        place = consumed_subpartition(*ends, consumer, floats=self.floats)
        group = len(self.consumers_of(partitions.start))
        return ConsumedPartitions(partitions, self._shared_out(place, group, partitions.start))

    def consumers_of(self, partition: int) -> range:
        """The target's subtasks that read this partition."""
        self._check_decided()
        if not self.pointwise:
            return range(self.consumers)
        return consumers_of(self.producers, self.consumers, partition, floats=self.floats)

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Every partition with every subtask that reads it, by consumer."""
        for consumer in range(self.consumers):
            for partition in self.consumed(consumer).partitions:
                yield partition, consumer

    def subpartitions(self, partition: int) -> int | None:
        """Into how many subpartitions a partition is cut; None: not known yet."""
        if self.dynamic:
            return self._dynamic_subpartitions()
        return len(self.consumers_of(partition))

    @property
    def all_subpartitions(self) -> int | None:
        """The subpartitions of all partitions; None: not known yet."""
        if self.dynamic:
            each = self._dynamic_subpartitions()
            return None if each is None or self.producers < 0 else each * self.producers
        return self.count

    def _dynamic_subpartitions(self) -> int | None:
        """``computeNumberOfMaxPossiblePartitionConsumers``; a broadcast writes one for all."""
        if self.broadcast:
            return 1
        if not self.pointwise:
            return self.most_consumers
        return None if self.producers < 0 else -(-self.most_consumers // self.producers)

    def _shared_out(self, place: int, group: int, partition: int) -> range:
        """The subpartitions of the consumer at ``place`` in a group of ``group``."""
        if not self.dynamic:
            return range(place, place + 1)
        cut = self.subpartitions(partition) or 0
        if self.broadcast:
            return range(1)
        return range(place * cut // group, (place + 1) * cut // group)

    def _check_decided(self) -> None:
        if not self.decided:
            raise UndecidedParallelismError(name=f"edge {self.job_edge}")


class ExecutionCounts(NamedTuple):
    """How large the graph is; what is not decided yet is left out of the sums and counted apart."""

    subtasks: int
    partitions: int
    subpartitions: int
    edges: int
    undecided_vertices: int
    undecided_edges: int


class ExecutionGraph(msgspec.Struct, frozen=True, kw_only=True):
    """All vertices in the order of the JobGraph, all results, all edges."""

    vertices: tuple[ExecutionJobVertex, ...]
    results: tuple[IntermediateResult, ...]
    edges: tuple[ExecutionEdges, ...]

    @property
    def counts(self) -> ExecutionCounts:
        """The exact size, from formulas."""
        sizes = [edge.count for edge in self.edges]
        cuts = [self.edges[result.consumers[0]].all_subpartitions for result in self.results]
        return ExecutionCounts(
            subtasks=sum(vertex.parallelism for vertex in self.vertices if vertex.decided),
            partitions=sum(result.partitions for result in self.results if result.partitions > 0),
            subpartitions=sum(cut for cut in cuts if cut is not None),
            edges=sum(size for size in sizes if size is not None),
            undecided_vertices=sum(not vertex.decided for vertex in self.vertices),
            undecided_edges=sizes.count(None),
        )
