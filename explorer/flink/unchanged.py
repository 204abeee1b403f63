"""What of an earlier compilation still holds? A pass whose input is the same is not run again.

Nothing in Flink mirrors this. Each predicate looks at all that its pass reads, and at nothing else.
"""

from collections.abc import Sequence

from explorer.model.stream_graph import StreamGraph

Chained = tuple[StreamGraph, Sequence[bool]]
"""A graph and, by edge, whether the hasher takes it as chained."""
Judged = tuple[StreamGraph, Sequence[int]]
"""A graph and its edges' verdicts."""


def same_hashing(now: Chained, then: Chained) -> bool:
    """Whether two graphs get the same operator IDs."""
    return (
        now[1] == then[1]
        and _same_shape(now[0], then[0])
        and [node.uid for node in now[0].nodes] == [node.uid for node in then[0].nodes]
    )


def same_chaining(now: Judged, then: Judged) -> bool:
    """Whether two graphs are cut into the same chains under one release."""
    return (
        now[1] == then[1]
        and _same_shape(now[0], then[0])
        and [(node.chaining_strategy, node.vertex_class) for node in now[0].nodes]
        == [(node.chaining_strategy, node.vertex_class) for node in then[0].nodes]
    )


def _same_shape(a: StreamGraph, b: StreamGraph) -> bool:
    """Whether the same nodes hang together by the same edges; each edge is in one list of both."""
    return (
        a.sources == b.sources
        and list(a.by_id) == list(b.by_id)
        and a.out_edges == b.out_edges
        and a.in_edges == b.in_edges
    )
