"""The StreamGraph under construction, and the streams between its nodes.

Mirrors the mutable side of Flink's ``StreamGraph``: ``addNode``, ``addEdge``, the virtual nodes.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias, cast

import msgspec

from explorer.errors import FlinkRefusalError
from explorer.flink.kinds import KINDS
from explorer.flink.partitioners import (
    CALLING_PARTITIONERS,
    FORWARD_UNSPECIFIED,
    PARTITIONER_CLASSES,
)
from explorer.model.pipeline import ExchangeMode, Transformation
from explorer.model.stream_graph import NodeId, StreamEdge, StreamGraph, StreamNode

Lineage: TypeAlias = tuple["Lineage", str] | None
"""The virtual transformations passed, last one first: a long line of them is stored once."""


class Stream(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One input id of a transformation, virtual nodes unwrapped."""

    node: NodeId
    partitioner: str | None = None
    """The partitioner nearest to the consumer: the last one set wins."""
    exchange_mode: ExchangeMode | None = None
    """The exchange mode furthest upstream: the first one set wins."""
    side_output: str | None = None
    selected_names: tuple[str, ...] = ()
    """The names nearest to the consumer: selections downstream override earlier ones."""
    keys: tuple[str, ...] | None = None
    selector: str | None = None
    data_set: str | None = None
    """The data set of a cache that its reader fills."""
    route: Lineage = None


def partitioned(
    stream: Stream,
    id: str,
    partitioner: str,
    exchange_mode: ExchangeMode = "UNDEFINED",
    keys: tuple[str, ...] | None = None,
    selector: str | None = None,
) -> Stream:
    """The stream behind a partition node: nearest partitioner wins, farthest exchange mode wins.

    ``selector``: the transformation with the key selector to copy; without one, its own.
    """
    return msgspec.structs.replace(
        stream,
        partitioner=partitioner,
        # ``StreamGraph.addEdgeInternal`` unwraps virtual nodes from the reader upwards: it keeps
        # the first partitioner and overwrites the exchange mode, so the two are won by opposite
        # ends.
        exchange_mode=stream.exchange_mode or exchange_mode,
        keys=keys,
        selector=selector or id if partitioner in CALLING_PARTITIONERS else None,
        route=(stream.route, id),
    )


def tagged(stream: Stream, id: str, tag: str) -> Stream:
    """The stream behind a side output node, which has no other tag downstream."""
    return msgspec.structs.replace(stream, side_output=tag, route=(stream.route, id))


def selected(stream: Stream, id: str, names: tuple[str, ...]) -> Stream:
    """The stream behind a select node; one without names leaves the selection upstream."""
    chosen = names or stream.selected_names
    return msgspec.structs.replace(stream, selected_names=chosen, route=(stream.route, id))


def _list_route(route: Lineage) -> tuple[str, ...]:
    ids = []
    while route is not None:
        route, id = route
        ids.append(id)
    return tuple(reversed(ids))


def _forward_refusal(source: StreamNode, target: StreamNode) -> FlinkRefusalError:
    msg = (
        "Forward partitioning does not allow change of parallelism. "
        f"Upstream operation: {source.name}-{source.id} parallelism: {source.parallelism}, "
        f"downstream operation: {target.name}-{target.id} parallelism: {target.parallelism} "
        "You must use another partitioning strategy, such as broadcast, rebalance, shuffle or "
        "global."
    )
    ends = [end.transformation for end in (source, target) if end.transformation is not None]
    return FlinkRefusalError(msg, exception="UnsupportedOperationException", transformations=ends)


def partitioner_between(
    program: str | None, source: StreamNode, target: StreamNode, *, dynamic: bool
) -> tuple[str, str]:
    """Name and class of an edge's partitioner; ``program``: what it sets, None: Flink chooses.

    Raises ``FlinkRefusalError`` where FORWARD meets two parallelisms.
    """
    same = source.parallelism == target.parallelism
    if program == "FORWARD" and not same:
        raise _forward_refusal(source, target)
    if program is None and same and dynamic:
        # ``StreamGraph.createActualEdge``: the scheduler may yet give the two another parallelism,
        # for which a ``ForwardPartitioner`` of the program would be refused.
        return "FORWARD", FORWARD_UNSPECIFIED
    text = program or ("FORWARD" if same else "REBALANCE")
    return text, PARTITIONER_CLASSES[text]


def number(transformations: Iterable[Transformation]) -> tuple[dict[str, NodeId], int]:
    """Number the transformations; the second value is the last number given.

    Flink numbers them as they are constructed, whatever they are; a call that declares a partition
    of its own constructs that one first.
    """
    ids: dict[str, int] = {}
    last = 0
    for transformation in transformations:
        kind = KINDS[transformation.type]
        if kind.numbered:
            last += len(kind.hidden) + 1
            # ``Transformation.getNewNodeId`` is one counter for all: a partition, a union or a side
            # output takes a number too, and node numbers that ignore it match no real plan.
            ids[transformation.id] = last
    return cast("dict[str, NodeId]", ids), last


_NUMBERED: Final = frozenset(
    {"TwoInputStreamTask", "TwoInputSelectableStreamTask", "MultipleInputStreamTask"}
)
"""The tasks with numbered inputs, from 1 on."""

Inputs = Sequence[tuple[Stream, ...]]
"""By input of a transformation, the streams that reach it."""


class GrowingGraph:
    """Nodes and edges so far, in the order in which they were added."""

    def __init__(self, *, dynamic: bool) -> None:
        self.dynamic = dynamic
        self.nodes: dict[NodeId, StreamNode] = {}
        self.edges: list[StreamEdge] = []
        self.sources: list[NodeId] = []

    def add(self, node: StreamNode, inputs: Inputs) -> None:
        """Add a node and the edges of its inputs."""
        self.nodes[node.id] = node
        if not inputs:
            self.sources.append(node.id)
        numbered = node.vertex_class in _NUMBERED
        for position, streams in enumerate(inputs, start=1):
            for stream in streams:
                # ``OneInputTransformationTranslator`` gives every edge the type number 0, all of a
                # union: the chaining rule for unions compares these numbers.
                self.add_edge(stream, node, position if numbered else 0)

    def add_edge(self, stream: Stream, target: StreamNode, type_number: int) -> None:
        """Add an edge as ``createActualEdge`` does; raises where FORWARD meets two parallelisms."""
        source = self.nodes[stream.node]
        partitioner, class_name = partitioner_between(
            stream.partitioner, source, target, dynamic=self.dynamic
        )
        self.edges.append(
            StreamEdge(
                source=source.id,
                target=target.id,
                type_number=type_number,
                partitioner=partitioner,
                partitioner_class=class_name,
                exchange_mode=stream.exchange_mode or "UNDEFINED",
                side_output=stream.side_output,
                selected_names=stream.selected_names,
                # ``StreamEdge`` reads its source's timeout: the writer flushes, so a timeout set at
                # the reader changes nothing on this edge.
                buffer_timeout=source.buffer_timeout,
                intermediate_data_set=stream.data_set,
                keys=stream.keys,
                selector=stream.selector,
                via=_list_route(stream.route) if stream.route else (),
            )
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
        graph = StreamGraph.of(
            tuple([self.nodes[id] for id in sorted(self.nodes)]),
            tuple(self.edges),
            tuple(self.sources),
            chaining_enabled=chaining_enabled,
        )
        repeated = _repeated_edges(graph)
        if not repeated:
            return graph
        edges = tuple([repeated.get(i, edge) for i, edge in enumerate(graph.edges)])
        return msgspec.structs.replace(graph, edges=edges)


def _repeated_edges(graph: StreamGraph) -> dict[int, StreamEdge]:
    """By position, the edges behind the first between their two nodes, numbered from 1 on."""
    # ``StreamGraph.createActualEdge`` counts the edges between two nodes: the number is part of
    # what ``StreamEdge.equals`` compares, and without it a stream united with itself has one edge
    # for two.
    repeated = {}
    for positions in graph.in_edges.values():
        if len(positions) > 1:
            earlier: Counter[NodeId] = Counter()
            for position in positions:
                edge = graph.edges[position]
                if earlier[edge.source]:
                    unique_id = earlier[edge.source]
                    repeated[position] = msgspec.structs.replace(edge, unique_id=unique_id)
                earlier[edge.source] += 1
    return repeated
