"""Identifies the same operator in two versions of a document.

Nothing in Flink mirrors this: a savepoint knows operators by their IDs, which are compared here.
Node numbers shift when a transformation is added; so an operator is identified by its
transformation and its position among that one's operators, else by its number.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from itertools import count
from typing import TypeAlias, TypeVar

from explorer.model.stream_graph import NodeId, StreamGraph

Origin: TypeAlias = str | NodeId
"""The id of a transformation; or the number of an operator that comes from none."""
Identity: TypeAlias = tuple[Origin, int]
"""An operator: its origin, and its position among the operators of that origin."""
EdgeIdentity: TypeAlias = tuple[tuple[Identity, Identity, int, str | None], int]
"""An edge: its ends, the target's input, the side output, and its position among those."""
Name = TypeVar("Name", bound=Hashable)


def operator_identities(graph: StreamGraph) -> dict[NodeId, Identity]:
    """Map each node to its operator's identity."""
    origins = (
        node.id if node.transformation is None else node.transformation for node in graph.nodes
    )
    return {node.id: pair for node, pair in zip(graph.nodes, count_earlier(origins), strict=True)}


def edge_identities(graph: StreamGraph) -> tuple[EdgeIdentity, ...]:
    """Return the identity of each edge, in the order of ``graph.edges``."""
    pairs = operator_identities(graph)
    return count_earlier(
        (pairs[edge.source], pairs[edge.target], edge.type_number, edge.side_output)
        for edge in graph.edges
    )


def count_earlier(names: Iterable[Name]) -> tuple[tuple[Name, int], ...]:
    """Return each name with the number of its earlier occurrences."""
    counters: defaultdict[Name, Iterator[int]] = defaultdict(count)
    return tuple((name, next(counters[name])) for name in names)
