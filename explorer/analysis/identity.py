"""Rules by which an operator of one document is the same as one of another.

Nothing in Flink mirrors this: a savepoint knows operators by their IDs, and the IDs are what is
compared here. Numbers shift when a transformation is added; so an operator is known by its
transformation and its turn among that one's operators, and by its number only where no
transformation is known.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from itertools import count
from typing import TypeAlias, TypeVar

from explorer.model.stream_graph import NodeId, StreamGraph

Origin: TypeAlias = str | NodeId
"""The id of a transformation; or the number of an operator that comes from none."""
Identity: TypeAlias = tuple[Origin, int]
"""An operator: its origin, and its turn among the operators of that origin."""
EdgeIdentity: TypeAlias = tuple[tuple[Identity, Identity, int, str | None], int]
"""An edge: its ends, the target's input, the side output, and its turn among those."""
Name = TypeVar("Name", bound=Hashable)


def operator_identities(graph: StreamGraph) -> dict[NodeId, Identity]:
    """By node, which operator it is."""
    origins = (
        node.id if node.transformation is None else node.transformation for node in graph.nodes
    )
    return {node.id: known for node, known in zip(graph.nodes, turns(origins), strict=True)}


def edge_identities(graph: StreamGraph) -> tuple[EdgeIdentity, ...]:
    """By position in ``graph.edges``, which edge it is."""
    known = operator_identities(graph)
    return turns(
        (known[edge.source], known[edge.target], edge.type_number, edge.side_output)
        for edge in graph.edges
    )


def turns(names: Iterable[Name]) -> tuple[tuple[Name, int], ...]:
    """Each name with how often it occurred before."""
    visited: defaultdict[Name, Iterator[int]] = defaultdict(count)
    return tuple((name, next(visited[name])) for name in names)
