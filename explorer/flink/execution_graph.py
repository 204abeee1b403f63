"""The execution graph: the subtasks of a vertex, the partitions of a result and their consumers.

Mirrors ``ExecutionGraph``, ``ExecutionJobVertex``, ``IntermediateResult`` and the edges between
their parts. Nothing is stored per subtask or edge: all-to-all between 10,000 and 10,000 subtasks
is 100,000,000 edges. Numbers come from formulas, and members are made when they are asked for.
"""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from explorer.flink.key_groups import key_group_range
from explorer.flink.subtask_wiring import SubtaskWiring, UndecidedParallelismError


class ExecutionVertex(NamedTuple):
    """One subtask."""

    subtask: int
    name: str
    """As a task manager shows it: ``Map (1/2)``."""
    key_groups: tuple[int, int]
    """The first and the last key group that it owns."""


class ExecutionJobVertex(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """All subtasks of a job vertex."""

    id: str
    name: str
    parallelism: int
    """-1: the adaptive batch scheduler decides it when the inputs are known."""
    max_parallelism: int
    max_parallelism_derived: bool
    """Whether the program sets none, so that Flink derives one from the parallelism."""
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
            # ``TaskInfoImpl`` counts from 1 in a name and from 0 everywhere else: logs and metrics
            # of one subtask differ by one.
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
    """Positions in ``ExecutionGraph.edges``; all consumers read it alike."""


class ExecutionEdges(SubtaskWiring, frozen=True, kw_only=True, gc=False):
    """One job edge between subtasks, with the positions of its ends in the graph."""

    source: int
    """Position in ``ExecutionGraph.vertices``."""
    target: int
    input: int
    result: int
    """Position in ``ExecutionGraph.results``."""


class ExecutionCounts(NamedTuple):
    """Size of the graph; undecided vertices and edges are counted apart from the sums."""

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
