"""Colours of chains over an edit: a chain keeps its colour as long as its head is the same."""

from collections.abc import Iterator, Mapping
from itertools import count

from msgspec.structs import replace

from explorer.comparison.identity import Identity
from explorer.drawing.view.elements import GraphView, VertexView


def keep_colours(view: GraphView, old_view: GraphView) -> GraphView:
    """Return the view with the colours that the chains of the same heads have in ``old_view``.

    A chain that is new gets the first colour that no other chain has.
    """
    old_colours = {head: vertex.colour for head, vertex in _heads(old_view)}
    colours = {
        vertex.key: old_colours[head] for head, vertex in _heads(view) if head in old_colours
    }
    free = _free_colours(colours)
    vertices = tuple(
        replace(vertex, colour=colours[vertex.key] if vertex.key in colours else next(free))
        for vertex in view.vertices
    )
    return replace(view, vertices=vertices, vertex_of={vertex.key: vertex for vertex in vertices})


def _heads(view: GraphView) -> Iterator[tuple[Identity, VertexView]]:
    """Yield each chain with the identity of its first operator."""
    for vertex in view.vertices:
        yield view.node_of[vertex.nodes[0]].identity, vertex


def _free_colours(colours: Mapping[str, int]) -> Iterator[int]:
    taken = frozenset(colours.values())
    return (number for number in count(1) if number not in taken)
