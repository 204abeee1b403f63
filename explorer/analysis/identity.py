"""What makes an operator of one document the same as one of another?

Nothing in Flink mirrors this: a savepoint knows operators by their IDs, and the IDs are what is
compared here. Numbers shift when a transformation is added; so an operator is known by its
transformation and its turn among that one's operators, and by its number only where no
transformation is known.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from typing import TypeAlias, TypeVar

from explorer.model.stream_graph import NodeId, StreamGraph, StreamNode

Origin: TypeAlias = str | NodeId
"""The id of a transformation; or the number of an operator that comes from none."""
Identity: TypeAlias = tuple[Origin, int]
"""An operator: its origin, and its turn among the operators of that origin."""
EdgeIdentity: TypeAlias = tuple[tuple[Identity, Identity, int, str | None], int]
"""An edge: its ends, the target's input, the side output, and its turn among those."""
Name = TypeVar("Name", bound=Hashable)


def operator_identities(graph: StreamGraph) -> dict[NodeId, Identity]:
    """By node, which operator it is."""
    origins = map(_origin, graph.nodes)
    return {node.id: known for node, known in zip(graph.nodes, turns(origins), strict=True)}


def edge_identities(graph: StreamGraph) -> tuple[EdgeIdentity, ...]:
    """By position in ``graph.edges``, which edge it is."""
    known = operator_identities(graph)
    return tuple(
        turns(
            (known[edge.source], known[edge.target], edge.type_number, edge.side_output)
            for edge in graph.edges
        )
    )


def _origin(node: StreamNode) -> Origin:
    return node.id if node.transformation is None else node.transformation


def turns(names: Iterable[Name]) -> Iterator[tuple[Name, int]]:
    """Each name with how often it occurred before."""
    seen: Counter[Name] = Counter()
    for name in names:
        yield name, seen[name]
        seen[name] += 1
