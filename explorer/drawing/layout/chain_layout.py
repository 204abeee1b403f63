"""Positions of a chain's operators, and the points where streams cross its border.

A stream that leaves from the middle of a chain, or enters it next to a chained source, gets a lane
of its own past the other operators.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Protocol

import msgspec

from explorer.drawing.layout.layers import Link, Placed, Point, Size, place_layers, ranks_of
from explorer.drawing.layout.orientation import Orientation
from explorer.drawing.view.elements import EdgeView, VertexView

LANE: Final = 10.0
"""Width of each stream that passes other operators."""


class ChainLayout(msgspec.Struct, frozen=True, kw_only=True):
    """One chain laid out alone, ``x`` from its middle, ``y`` from where its border begins."""

    width: float
    height: float
    centres: Mapping[str, Point]
    """By node."""
    sizes: tuple[Size, ...]
    """The nodes' cards, in the same order: width and height as they are drawn."""
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
    orientation: Orientation,
) -> ChainLayout:
    """Lay out a chain; ``cards``: by node, ``crossing`` are the edges that pass its border."""
    place = {key: turn for turn, key in enumerate(vertex.nodes)}
    chained = [edges[key] for key in vertex.edges]
    links = [
        Link(source=place[edge.source], target=place[edge.target], space=orientation.fan)
        for edge in chained
    ]
    ranks = ranks_of(len(place), links)
    sizes = [orientation.size(cards[key]) for key in place]
    lanes: dict[End, int] = {}
    for end, width in _lanes(crossing, place, ranks).items():
        key, leaves = end
        lanes[end] = lane = len(sizes)
        sizes.append((width, 0.0))
        ranks.append(max(ranks) if leaves else 0)
        ends = (place[key], lane) if leaves else (lane, place[key])
        links.append(Link(source=ends[0], target=ends[1], space=orientation.fan))
    gaps = orientation.gaps if len(set(ranks)) == len(ranks) else orientation.forked_gaps
    inner = place_layers(sizes, links, gaps, ranks)
    return _add_border(vertex, crossing, (place, lanes), inner, sizes[: len(place)], orientation)


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
    sizes: Sequence[Size],
    orientation: Orientation,
) -> ChainLayout:
    """Put the border around the operators, and lead each crossing edge up to it."""
    (place, lanes), (before, behind), (left, right) = places, orientation.ends, orientation.sides
    shift, height = (left - right) / 2, inner.height + before + behind
    routes = [_shift_points(route, shift, before) for route in inner.routes]
    centres = dict(zip(place, _shift_points(inner.centres, shift, before), strict=False))
    half = {key: size[1] / 2 for key, size in zip(place, sizes, strict=True)}
    paths = dict(zip(lanes, routes[len(vertex.edges) :], strict=True))
    heads, tails = {}, {}
    for edge in crossing:
        if edge.target in place:
            x, y = centres[edge.target]
            path = paths.get((edge.target, False), ((x, y - half[edge.target]),))
            heads[edge.key] = ((path[0][0], 0.0), *path)
        if edge.source in place:
            x, y = centres[edge.source]
            path = paths.get((edge.source, True), ((x, y + half[edge.source]),))
            tails[edge.key] = (*path, (path[-1][0], height))
    return ChainLayout(
        width=inner.width + left + right,
        height=height,
        centres=centres,
        sizes=tuple(map(orientation.size, sizes)),
        lines=dict(zip(vertex.edges, routes, strict=False)),
        heads=heads,
        tails=tails,
    )


def _shift_points(points: Iterable[Point], across: float, along: float) -> tuple[Point, ...]:
    return tuple((x + across, y + along) for x, y in points)
