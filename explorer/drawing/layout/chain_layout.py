"""Positions of a chain's operators, and the points where streams cross its border.

A stream that leaves from the middle of a chain, or enters it next to a chained source, gets a lane
of its own past the other operators.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

import msgspec

from explorer.drawing.layout.cards import OPERATOR
from explorer.drawing.layout.layers import Link, Placed, Point, Size, place_layers, ranks_of
from explorer.drawing.view.elements import EdgeView, VertexView

PADDING: Final = (16.0, 24.0, 11.0)
"""A chain's padding: left and right of its operators, above them, below them."""
GAPS: Final = (28.0, 26.0)
FORKED_GAPS: Final = (28.0, 38.0)
"""Between operators of a chain that forks, where edges bend."""
LANE: Final = 10.0
"""Width of each stream that passes other operators."""


class ChainLayout(msgspec.Struct, frozen=True, kw_only=True):
    """One chain laid out alone, ``x`` from its middle, ``y`` from its border's top."""

    width: float
    height: float
    centres: Mapping[str, Point]
    """By node."""
    sizes: tuple[Size, ...]
    """The nodes' cards, in the same order."""
    lines: Mapping[str, tuple[Point, ...]]
    """By chained edge."""
    heads: Mapping[str, tuple[Point, ...]]
    """By edge that enters, the route from the border to the operator."""
    tails: Mapping[str, tuple[Point, ...]]
    """By edge that leaves, the route from the operator to the border."""


class CrossingEdge(Protocol):
    """An edge that passes the border of a chain."""

    @property
    def key(self) -> str:
        """Distinguishes it from the other edges of its graph."""

    @property
    def source(self) -> str:
        """The key of the operator that it leaves."""

    @property
    def target(self) -> str:
        """The key of the operator that it enters."""


End = tuple[str, bool]
"""An operator's key, and whether streams leave it there."""


def chain_layout(
    vertex: VertexView,
    cards: Mapping[str, Size],
    edges: Mapping[str, EdgeView],
    crossing: Sequence[CrossingEdge],
) -> ChainLayout:
    """Lay out a chain; ``cards``: by node, ``crossing`` are the edges that pass its border."""
    place = {key: turn for turn, key in enumerate(vertex.nodes)}
    chained = [edges[key] for key in vertex.edges]
    links = [Link(source=place[edge.source], target=place[edge.target]) for edge in chained]
    ranks = ranks_of(len(place), links)
    sizes = [cards[key] for key in place]
    lanes: dict[End, int] = {}
    for end, width in _lanes(crossing, place, ranks).items():
        key, leaves = end
        lanes[end] = lane = len(sizes)
        sizes.append((width, 0.0))
        ranks.append(max(ranks) if leaves else 0)
        ends = (place[key], lane) if leaves else (lane, place[key])
        links.append(Link(source=ends[0], target=ends[1]))
    gaps = GAPS if len(set(ranks)) == len(ranks) else FORKED_GAPS
    inner = place_layers(sizes, links, gaps, ranks)
    return _add_border(vertex, crossing, (place, lanes), inner, tuple(sizes[: len(place)]))


def _lanes(
    crossing: Sequence[CrossingEdge], place: Mapping[str, int], ranks: Sequence[int]
) -> dict[End, float]:
    """Map each stream's end that other operators block to the width of its lane."""
    ends = Counter(
        end
        for edge in crossing
        for end in ((edge.source, True), (edge.target, False))
        if end[0] in place
    )
    last = max(ranks)
    return {
        (key, leaves): LANE * count
        for (key, leaves), count in ends.items()
        if ranks[place[key]] != (last if leaves else 0)
    }


def _add_border(
    vertex: VertexView,
    crossing: Sequence[CrossingEdge],
    places: tuple[Mapping[str, int], Mapping[End, int]],
    inner: Placed,
    sizes: tuple[Size, ...],
) -> ChainLayout:
    """Put the border around the operators, and lead each crossing edge up to it."""
    (place, lanes), (sides, above, under) = places, PADDING
    height = inner.height + above + under
    centres = {key: (x, y + above) for key, (x, y) in zip(place, inner.centres, strict=False)}
    routes = [tuple((x, y + above) for x, y in route) for route in inner.routes]
    paths = dict(zip(lanes, routes[len(vertex.edges) :], strict=True))
    heads, tails = {}, {}
    for edge in crossing:
        if edge.target in place:
            x, y = centres[edge.target]
            path = paths.get((edge.target, False), ((x, y - OPERATOR[1] / 2),))
            heads[edge.key] = ((path[0][0], 0.0), *path)
        if edge.source in place:
            x, y = centres[edge.source]
            path = paths.get((edge.source, True), ((x, y + OPERATOR[1] / 2),))
            tails[edge.key] = (*path, (path[-1][0], height))
    return ChainLayout(
        width=max(inner.width, OPERATOR[0]) + 2 * sides,
        height=height,
        centres=centres,
        sizes=sizes,
        lines=dict(zip(vertex.edges, routes, strict=False)),
        heads=heads,
        tails=tails,
    )
