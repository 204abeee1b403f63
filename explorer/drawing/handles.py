"""What makes an operator of one compilation the same as one of another?

Node ids shift when a transformation is added; so an operator is known by its transformation and its
turn among that one's operators, and without a document by its number.
"""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from explorer.drawing.graph_view import EdgeView, GraphView, NodeView

Handle: TypeAlias = tuple[object, int]


def node_handles(nodes: Iterable[NodeView]) -> Iterator[tuple[Handle, NodeView]]:
    """Each node with its handle."""
    seen: dict[object, int] = {}
    for node in nodes:
        name = _origin(node)
        turn = seen[name] = seen.get(name, -1) + 1
        yield (name, turn), node


def edge_handles(view: GraphView) -> Iterator[tuple[Handle, EdgeView]]:
    """Each edge with its handle: its ends, its input and its turn among those."""
    seen: dict[object, int] = {}
    for edge in view.edges:
        source, target = view.node_of[edge.source], view.node_of[edge.target]
        name = (_origin(source), _origin(target), edge.input, edge.side_output)
        turn = seen[name] = seen.get(name, -1) + 1
        yield (name, turn), edge


def _origin(node: NodeView) -> object:
    return node.id if node.transformation is None else node.transformation
