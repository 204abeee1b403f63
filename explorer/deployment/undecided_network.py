"""Network buffers of a BATCH job with parallelism that is decided while the job runs.

Subtasks are not known, but what each subtask requires is: a sorted blocking result needs the same
buffers however many subpartitions it has. One subtask alone may already ask for more than a task
manager has; how many of them run side by side there, up to its slots, decides the rest.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from explorer.deployment.buffers import gate_buffers, partition_pool
from explorer.deployment.network import insufficient
from explorer.deployment.network_options import NetworkOptions
from explorer.flink.execution_graph import ExecutionGraph
from explorer.flink.releases import Release


class VertexBuffers(msgspec.Struct, frozen=True, kw_only=True):
    """The network buffers of each subtask of a job vertex."""

    vertex: int
    """Position in ``ExecutionGraph.vertices``."""
    required: int
    """Buffers without which a subtask does not start; a lower bound."""
    pools: tuple[int, ...]
    """The same by pool, in the order in which a subtask asks for them."""
    subtasks: int
    """Subtasks that run in a task manager at most: its slots, or the parallelism if known."""


class UndecidedNetwork(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the network buffers before the scheduler decides the parallelism."""

    options: NetworkOptions
    slots: int
    """Slots of a task manager."""
    vertices: tuple[VertexBuffers, ...]
    """In the order of the execution graph."""

    @property
    def required(self) -> int:
        """Buffers that one subtask of the most demanding vertex requires."""
        return max((vertex.required for vertex in self.vertices), default=0)

    @property
    def most_required(self) -> int:
        """Buffers that a task manager needs if its slots are full of that vertex's subtasks."""
        return max((vertex.required * vertex.subtasks for vertex in self.vertices), default=0)

    @property
    def refusal(self) -> str | None:
        """Flink's sentence if a single subtask cannot have its buffers; None otherwise."""
        return self._find_refusal(full=False)

    @property
    def possible_refusal(self) -> str | None:
        """Flink's sentence if the subtasks that fit into the slots cannot all have theirs."""
        return self._find_refusal(full=True)

    @property
    def subtasks_at_once(self) -> int:
        """Subtasks of the most demanding vertex that can run in a task manager side by side."""
        return self.options.buffers // self.required if self.required else self.slots

    def _find_refusal(self, *, full: bool) -> str | None:
        for vertex in sorted(self.vertices, key=lambda buffers: -buffers.required):
            pools = vertex.pools * (vertex.subtasks if full else 1)
            if text := insufficient(pools, self.options):
                return text
        return None

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members; numbers are buffers."""
        return {
            "slots": self.slots,
            "required": self.required,
            "most_required": self.most_required,
            "subtasks_at_once": self.subtasks_at_once,
            "refusal": self.refusal,
            "possible_refusal": self.possible_refusal,
            "vertices": msgspec.to_builtins(self.vertices),
        }


def undecided_network(
    graph: ExecutionGraph, slots: int, options: NetworkOptions, release: Release
) -> UndecidedNetwork:
    """Return the buffers of each subtask; ``slots``: those that a task manager offers."""
    vertices = []
    for position, vertex in enumerate(graph.vertices):
        pools = tuple(_pools(graph, position, options, release))
        subtasks = min(slots, vertex.parallelism) if vertex.decided else slots
        vertices.append(
            VertexBuffers(vertex=position, required=sum(pools), pools=pools, subtasks=subtasks)
        )
    return UndecidedNetwork(options=options, slots=slots, vertices=tuple(vertices))


def _pools(
    graph: ExecutionGraph, position: int, options: NetworkOptions, release: Release
) -> Iterator[int]:
    """The pools of one subtask, in the order of ``Task.setupPartitionsAndGates``.

    A gate has one channel at least. Its exclusive buffers are left out: they are requested for
    remote channels alone, and a producer may yet run in the same task manager.
    """
    vertex = graph.vertices[position]
    for result in vertex.results:
        intermediate_result = graph.results[result]
        # Where the cut is not known yet there is one subpartition at least; a sorted blocking
        # result, the usual one, requires the same buffers for any number.
        cut = graph.edges[intermediate_result.consumers[0]].subpartitions(0) or 1
        yield partition_pool(intermediate_result.result_type, cut, options, release).required
    for edge in vertex.inputs:
        kind = graph.results[graph.edges[edge].result].result_type
        yield gate_buffers(kind, 1, options, release).floating.required
