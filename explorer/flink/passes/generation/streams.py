"""Where a stream comes from, and how its edges are added.

Mirrors ``StreamGraph.addVirtualPartitionNode``, ``addVirtualSideOutputNode``, ``addEdgeInternal``
and ``createActualEdge``. A virtual node is kept as a ``Stream``: the operator behind it and what
the virtual nodes on the way say of the edge.
"""

from typing import TypeAlias

import msgspec

from explorer.errors import FlinkRefusalError
from explorer.flink.partitioners import CALLING, FORWARD_UNSPECIFIED, PARTITIONER_CLASSES
from explorer.model.pipeline import ExchangeMode
from explorer.model.stream_graph import NodeId, StreamEdge, StreamNode

Way: TypeAlias = tuple["Way", str] | None
"""The virtual transformations passed, last one first: a long line of them is kept once."""


class Stream(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One input id of a transformation, virtual nodes unwrapped."""

    node: NodeId
    partitioner: str | None = None
    """The partitioner nearest to the consumer: the last one set wins."""
    exchange_mode: ExchangeMode | None = None
    """The exchange mode furthest upstream: the first one set wins."""
    side_output: str | None = None
    keys: tuple[str, ...] | None = None
    selector: str | None = None
    way: Way = None


def partitioned(
    stream: Stream,
    id: str,
    partitioner: str,
    exchange_mode: ExchangeMode = "UNDEFINED",
    keys: tuple[str, ...] | None = None,
    selector: str | None = None,
) -> Stream:
    """The stream behind a partition node: nearest partitioner wins, farthest exchange mode wins.

    ``selector``: the transformation whose key selector is taken over; without one, its own.
    """
    return Stream(
        node=stream.node,
        partitioner=partitioner,
        exchange_mode=stream.exchange_mode or exchange_mode,
        side_output=stream.side_output,
        keys=keys,
        selector=selector or id if partitioner in CALLING else None,
        way=(stream.way, id),
    )


def tagged(stream: Stream, id: str, tag: str) -> Stream:
    """The stream behind a side output node; a tag nearer to the consumer does not exist."""
    return msgspec.structs.replace(stream, side_output=tag, way=(stream.way, id))


def make_edge(
    stream: Stream,
    source: StreamNode,
    target: StreamNode,
    type_number: int,
    *,
    dynamic: bool,
    unique_id: int,
) -> StreamEdge:
    """Add an edge as ``createActualEdge`` does; raises where FORWARD meets two parallelisms."""
    partitioner = stream.partitioner
    same = source.parallelism == target.parallelism
    if partitioner is None:
        partitioner = "FORWARD" if same else "REBALANCE"
        unspecified = same and dynamic
    else:
        unspecified = False
        if partitioner == "FORWARD" and not same:
            raise _forward_refusal(source, target)
    return StreamEdge(
        source=source.id,
        target=target.id,
        type_number=type_number,
        partitioner=partitioner,
        partitioner_class=FORWARD_UNSPECIFIED if unspecified else PARTITIONER_CLASSES[partitioner],
        exchange_mode=stream.exchange_mode or "UNDEFINED",
        side_output=stream.side_output,
        buffer_timeout=source.buffer_timeout,
        unique_id=unique_id,
        keys=stream.keys,
        selector=stream.selector,
        via=_passed(stream.way),
    )


def _passed(way: Way) -> tuple[str, ...]:
    ids = []
    while way is not None:
        way, id = way
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
