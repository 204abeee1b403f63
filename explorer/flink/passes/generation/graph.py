"""The StreamGraph while it is being made.

Mirrors the mutable side of Flink's ``StreamGraph``: ``addNode``, ``addEdge``, the sources.
"""

from collections.abc import Sequence
from typing import Final

from explorer.flink.kinds import KINDS
from explorer.flink.passes.generation.streams import Stream, make_edge
from explorer.model.pipeline import Pipeline
from explorer.model.stream_graph import NodeId, StreamEdge, StreamGraph, StreamNode


def number(pipeline: Pipeline) -> tuple[dict[str, NodeId], int]:
    """Number the transformations; the second value is the last number taken."""
    ids: dict[str, NodeId] = {}
    last = 0
    for transformation in pipeline.transformations:
        kind = KINDS[transformation.type]
        if kind.numbered:
            last += len(kind.hidden) + 1
            ids[transformation.id] = NodeId(last)
    return ids, last


_NUMBERED: Final = frozenset(
    {"TwoInputStreamTask", "TwoInputSelectableStreamTask", "MultipleInputStreamTask"}
)
"""The tasks whose inputs have numbers, from 1 on."""

Inputs = Sequence[tuple[Stream, ...]]
"""By input of a transformation, the streams that reach it."""


class GrowingGraph:
    """Nodes and edges so far, in the order in which they were added."""

    def __init__(self, *, dynamic: bool) -> None:
        self.dynamic = dynamic
        self.nodes: dict[NodeId, StreamNode] = {}
        self.edges: list[StreamEdge] = []
        self.sources: list[NodeId] = []
        self.between: dict[tuple[NodeId, NodeId], int] = {}

    def add(self, node: StreamNode, inputs: Inputs) -> tuple[Stream, ...]:
        """Add a node and the edges of its inputs; the value is the stream that it makes."""
        self.nodes[node.id] = node
        if not inputs:
            self.sources.append(node.id)
        numbered = node.vertex_class in _NUMBERED
        for position, streams in enumerate(inputs, start=1):
            for stream in streams:
                self.add_edge(stream, node, position if numbered else 0)
        return (Stream(node=node.id),)

    def add_edge(self, stream: Stream, node: StreamNode, type_number: int) -> None:
        """Add an edge from a stream to a node."""
        ends = (stream.node, node.id)
        unique_id = self.between.get(ends, 0)
        self.between[ends] = unique_id + 1
        source = self.nodes[stream.node]
        self.edges.append(
            make_edge(stream, source, node, type_number, dynamic=self.dynamic, unique_id=unique_id)
        )

    def common_group(self, inputs: Inputs) -> str:
        """``determineSlotSharingGroup``: that of all inputs where they agree, else default."""
        common: str | None = None
        for streams in inputs:
            for stream in streams:
                group = self.nodes[stream.node].slot_sharing_group
                if common is None:
                    common = group
                elif common != group:
                    return "default"
        return common or "default"

    def finished(self, *, chaining_enabled: bool) -> StreamGraph:
        """The StreamGraph, its nodes in the order of their numbers."""
        return StreamGraph.of(
            tuple(self.nodes[id] for id in sorted(self.nodes)),
            tuple(self.edges),
            tuple(self.sources),
            chaining_enabled=chaining_enabled,
        )
