"""Positions of the boxes of a directed graph, rank by rank, without overlaps.

The layered method of Sugiyama, Tagawa and Toda: longest-path ranks, dummies on long links, median
sweeps against crossings, then the x coordinates that are nearest to each box's neighbours. The same
input gives the same drawing, and the time grows with the number of boxes and links.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

import msgspec

from explorer.drawing.layout.crossings import order_layers
from explorer.drawing.layout.x_positions import nearest_positions
from explorer.flink.regions import producers_first

Point: TypeAlias = tuple[float, float]
Size: TypeAlias = tuple[float, float]
Gaps: TypeAlias = tuple[float, float]
"""Between two boxes of a rank, and between two ranks."""

MOST_CACHED: Final = 2_000
"""Drawings of more boxes are not cached: each needs some 200 bytes a box."""
LONGEST: Final = 40
"""Links that pass more ranks are drawn straight: their dummies would outnumber the boxes."""
DUMMY: Final = 10.0
PORT_STEP: Final = 22.0


class Link(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A link between two boxes, by their positions in the list of boxes."""

    source: int
    target: int
    out_at: float = 0.0
    """Where it leaves the source, counted from the box's centre."""
    in_at: float = 0.0
    space: float = 120.0
    """How wide the links that share a place may spread there."""


class Placed(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A drawing: ``x`` is counted from its middle, ``y`` from its top."""

    centres: tuple[Point, ...]
    """By box."""
    routes: tuple[tuple[Point, ...], ...]
    """By link: from the source's lower rim to the target's upper one."""
    width: float
    height: float


def ranks_of(count: int, links: Sequence[Link]) -> list[int]:
    """Give each box its longest distance from a source, sources as near to their targets as can be.

    >>> ranks_of(4, [Link(source=0, target=1), Link(source=1, target=2), Link(source=3, target=2)])
    [0, 1, 2, 1]
    """
    targets: list[list[int]] = [[] for _ in range(count)]
    for link in links:
        targets[link.source].append(link.target)
    ranks = [0] * count
    for box in producers_first(range(count), [(link.source, link.target) for link in links]):
        for target in targets[box]:
            ranks[target] = max(ranks[target], ranks[box] + 1)
    entered = {link.target for link in links}
    for box in range(count):
        if targets[box] and box not in entered:
            ranks[box] = max(0, min(ranks[target] for target in targets[box]) - 1)
    return ranks


def narrow_ranks(
    ranks: Sequence[int], sizes: Sequence[Size], links: Sequence[Link], widest: float
) -> list[int]:
    """Move boxes down to later ranks, so that no rank with several boxes is wider than ``widest``.

    Boxes that others follow stay where they are before those that end a route.

    >>> narrow_ranks([0, 0], [(80.0, 10.0), (80.0, 10.0)], [], 100.0)
    [0, 1]
    """
    previous: list[list[int]] = [[] for _ in sizes]
    follows = [0] * len(sizes)
    for link in links:
        previous[link.target].append(link.source)
        follows[link.source] = 1
    result = list(ranks)
    used: dict[int, float] = defaultdict(float)
    for box in sorted(range(len(sizes)), key=lambda box: (ranks[box], -follows[box], box)):
        rank = max([ranks[box], *(result[predecessor] + 1 for predecessor in previous[box])])
        while used[rank] and used[rank] + sizes[box][0] > widest:
            rank += 1
        used[rank] += sizes[box][0]
        result[box] = rank
    return result


class _Grid:
    """Boxes and dummies by rank, and the segments between neighbouring ranks."""

    def __init__(self, sizes: Sequence[Size], links: Sequence[Link], ranks: Sequence[int]) -> None:
        self.ranks = list(ranks)
        self.widths = [width for width, _ in sizes]
        self.real = len(sizes)
        self.segments: list[tuple[int, int]] = []
        self.paths = [self._path(link) for link in links]

    def _path(self, link: Link) -> list[int]:
        """Return the items from the link's source to its target, a dummy on each rank between."""
        low, high = self.ranks[link.source], self.ranks[link.target]
        between = range(low + 1, high) if 1 < high - low <= LONGEST else range(0)
        path = [link.source]
        for rank in between:
            path.append(len(self.ranks))
            self.ranks.append(rank)
            self.widths.append(DUMMY)
        path.append(link.target)
        self.segments += [(a, b) for a, b in pairwise(path) if self.ranks[b] == self.ranks[a] + 1]
        return path


def place_layers(
    sizes: Sequence[Size],
    links: Sequence[Link],
    gaps: Gaps,
    ranks: Sequence[int],
) -> Placed:
    """Place boxes of the given sizes, each on its rank.

    Parts that look the same, of one drawing or of the drawings before it, are laid out once.
    """
    if not sizes:
        return Placed(centres=(), routes=(), width=0.0, height=0.0)
    place = _place_in_layers if len(sizes) <= MOST_CACHED else _place_in_layers.__wrapped__
    return place(tuple(sizes), tuple(links), tuple(ranks), gaps)


@lru_cache(maxsize=256)
def _place_in_layers(
    sizes: tuple[Size, ...],
    links: tuple[Link, ...],
    ranks: tuple[int, ...],
    gaps: Gaps,
) -> Placed:
    grid = _Grid(sizes, links, ranks)
    layers = order_layers(grid.ranks, grid.segments, grid.real)
    ports = _ports(
        links, grid.paths, {item: place for layer in layers for place, item in enumerate(layer)}
    )
    above: list[list[tuple[int, float, float]]] = [[] for _ in grid.ranks]
    below: list[list[tuple[int, float, float]]] = [[] for _ in grid.ranks]
    for path, (out, into) in zip(grid.paths, ports, strict=True):
        for a, b in pairwise(path):
            if grid.ranks[b] != grid.ranks[a] + 1:
                continue
            shift = (out if a == path[0] else 0.0) - (into if b == path[-1] else 0.0)
            dummies = (a >= grid.real) + (b >= grid.real)
            weight = (1.0, 2.0, 8.0)[dummies]
            below[a].append((b, -shift, weight))
            above[b].append((a, shift, weight))
    xs = nearest_positions(layers, grid.widths, grid.real, (above, below), gaps[0])
    return _drawing(sizes, grid, ports, xs, _bands(sizes, grid.ranks, len(layers), gaps[1]))


def _ports(
    links: Sequence[Link], paths: Sequence[list[int]], place: dict[int, int]
) -> list[tuple[float, float]]:
    """Return where each link leaves and enters, from the centres: neighbours spread in order."""
    leaving: dict[tuple[int, float], list[int]] = defaultdict(list)
    entering: dict[tuple[int, float], list[int]] = defaultdict(list)
    for index, link in enumerate(links):
        leaving[link.source, link.out_at].append(index)
        entering[link.target, link.in_at].append(index)
    outs, ins = [link.out_at for link in links], [link.in_at for link in links]
    for groups, shifts, far in ((leaving, outs, 1), (entering, ins, -2)):
        for group in groups.values():
            if len(group) > 1:
                group.sort(key=lambda index: (place[paths[index][far]], index))
                step = min(PORT_STEP, links[group[0]].space / len(group))
                for turn, index in enumerate(group):
                    shifts[index] += (turn - (len(group) - 1) / 2) * step
    return list(zip(outs, ins, strict=True))


def _bands(
    sizes: Sequence[Size], ranks: Sequence[int], count: int, gap_y: float
) -> tuple[list[float], list[float]]:
    """The upper and the lower rim of every rank."""
    heights = [0.0] * count
    for (_, height), rank in zip(sizes, ranks, strict=False):
        heights[rank] = max(heights[rank], height)
    tops, y = [], 0.0
    for height in heights:
        tops.append(y)
        y += height + gap_y
    return tops, [top + height for top, height in zip(tops, heights, strict=True)]


def _drawing(
    sizes: Sequence[Size],
    grid: _Grid,
    ports: Sequence[tuple[float, float]],
    xs: Sequence[float],
    bands: tuple[list[float], list[float]],
) -> Placed:
    tops, bottoms = bands
    left = min(x - width / 2 for x, width in zip(xs, grid.widths, strict=True))
    right = max(x + width / 2 for x, width in zip(xs, grid.widths, strict=True))
    middle = (left + right) / 2
    centres = tuple(
        (xs[box] - middle, tops[grid.ranks[box]] + height / 2)
        for box, (_, height) in enumerate(sizes)
    )
    routes = tuple(
        _route(path, port, grid, (xs, middle), (sizes, tops, bottoms))
        for path, port in zip(grid.paths, ports, strict=True)
    )
    return Placed(centres=centres, routes=routes, width=right - left, height=bottoms[-1])


def _route(
    path: Sequence[int],
    port: tuple[float, float],
    grid: _Grid,
    across: tuple[Sequence[float], float],
    down: tuple[Sequence[Size], Sequence[float], Sequence[float]],
) -> tuple[Point, ...]:
    """Return points from rim to rim, two for a dummy: a link stays vertical along a tall box."""
    (xs, middle), (sizes, tops, bottoms) = across, down
    first, last = path[0], path[-1]
    foot = tops[grid.ranks[first]] + sizes[first][1]
    points = [(xs[first] - middle + port[0], foot)]
    if bottoms[grid.ranks[first]] > foot:
        points.append((points[0][0], bottoms[grid.ranks[first]]))
    for item in path[1:-1]:
        rank, x = grid.ranks[item], xs[item] - middle
        points += [(x, tops[rank]), (x, bottoms[rank])]
    points.append((xs[last] - middle + port[1], tops[grid.ranks[last]]))
    return tuple(points)
