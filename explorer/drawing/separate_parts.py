"""How do the parts of a graph that nothing connects share one drawing?

Each part is laid out alone; the parts then stand on shelves, in the order of the boxes, so that a
job of a thousand separate branches is about as wide as high.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Final

from explorer.drawing.layers import Link, Placed, Point, Size, layered, narrowed, ranks_of
from explorer.flink.regions import regions

WIDEST: Final = (860.0, 660.0, 500.0)
"""How narrow a small graph may be made, where that lets it be drawn larger."""
PANE: Final = (380.0, 500.0)
"""Width and height of the pane that drawings are made for."""
GAIN: Final = 1.15
"""A narrower drawing must be this much larger on the screen: links get longer by it."""
SMALL: Final = 100
"""Boxes of a small graph; on a large one the longer links would cover everything."""
ASPECT: Final = 1.3
"""How much wider than high a drawing of many parts should be."""
ABREAST: Final = 1400.0
"""So wide a drawing of few parts may be, so that all of them stand side by side."""
APART: Final = 2.5
"""How much more room is between two shelves than between two ranks: nobody takes the parts on the
lower one for successors."""


def shelved(
    sizes: Sequence[Size],
    links: Sequence[Link],
    *,
    gap_x: float,
    gap_y: float,
    labels: Sequence[float] | None = None,
) -> Placed:
    """Place boxes as ``layered`` does, the unconnected parts beside and below each other.

    ``labels``: by link, how far its label reaches to the right of it; parts leave room for that.
    """
    parts = components(len(sizes), links)
    if len(parts) <= 1:
        return _fitting(sizes, links, (gap_x, gap_y))
    placed = [_part(part, sizes, links, (gap_x, gap_y)) for part in _with_links(parts, links)]
    reach = labels or [0.0] * len(links)
    gaps = [
        max(gap_x * 2, _beyond(drawing, [reach[link] for link in own]))
        for _, own, drawing in placed
    ]
    corners, width, height = _shelves([drawing for _, _, drawing in placed], gaps, gap_y)
    centres: list[Point] = [(0.0, 0.0)] * len(sizes)
    routes: list[tuple[Point, ...]] = [()] * len(links)
    for (boxes, own, drawing), (left, top) in zip(placed, corners, strict=True):
        dx, dy = left + drawing.width / 2 - width / 2, top
        for box, (x, y) in zip(boxes, drawing.centres, strict=True):
            centres[box] = (x + dx, y + dy)
        for link, route in zip(own, drawing.routes, strict=True):
            routes[link] = tuple((x + dx, y + dy) for x, y in route)
    return Placed(centres=tuple(centres), routes=tuple(routes), width=width, height=height)


def components(count: int, links: Sequence[Link]) -> list[list[int]]:
    """Split the boxes into connected parts, each in order, the parts by their first box.

    >>> components(3, [Link(source=0, target=2)])
    [[0, 2], [1]]
    """
    parts: dict[int, list[int]] = {}
    for box, part in regions(range(count), ((link.source, link.target) for link in links)).items():
        parts.setdefault(part, []).append(box)
    return list(parts.values())


def _with_links(
    parts: Sequence[list[int]], links: Sequence[Link]
) -> list[tuple[list[int], list[int]]]:
    part_of = {box: turn for turn, part in enumerate(parts) for box in part}
    own: list[list[int]] = [[] for _ in parts]
    for index, link in enumerate(links):
        own[part_of[link.source]].append(index)
    return list(zip(parts, own, strict=True))


def _part(
    part: tuple[list[int], list[int]],
    sizes: Sequence[Size],
    links: Sequence[Link],
    gaps: tuple[float, float],
) -> tuple[list[int], list[int], Placed]:
    boxes, own = part
    place = {box: turn for turn, box in enumerate(boxes)}
    inner = [
        Link(
            source=place[links[index].source],
            target=place[links[index].target],
            out_at=links[index].out_at,
            in_at=links[index].in_at,
            room=links[index].room,
        )
        for index in own
    ]
    return boxes, own, _fitting([sizes[box] for box in boxes], inner, gaps)


def _fitting(sizes: Sequence[Size], links: Sequence[Link], gaps: tuple[float, float]) -> Placed:
    """The drawing of a connected part that a pane shows the largest."""
    ranks = ranks_of(len(sizes), links)
    best = layered(sizes, links, gap_x=gaps[0], gap_y=gaps[1], ranks=ranks)
    if len(sizes) > SMALL:
        return best
    for widest in WIDEST:
        if best.width <= PANE[0]:
            break
        tighter = narrowed(ranks, sizes, links, widest)
        drawing = layered(sizes, links, gap_x=gaps[0], gap_y=gaps[1], ranks=tighter)
        if _scale(drawing) > GAIN * _scale(best):
            best = drawing
    return best


def _scale(drawing: Placed) -> float:
    """How large a pane shows a drawing; 1 is life-size."""
    return min(1.0, PANE[0] / drawing.width, PANE[1] / drawing.height)


def _beyond(drawing: Placed, labels: Sequence[float]) -> float:
    """How far labels reach past the drawing's right side."""
    ends = [
        (start[0] + end[0]) / 2 + label
        for route, label in zip(drawing.routes, labels, strict=True)
        for start, end in (route[:2], route[-2:])
    ]
    return max(ends, default=0.0) - drawing.width / 2


def _shelves(
    drawings: Sequence[Placed], gaps: Sequence[float], gap_y: float
) -> tuple[list[Point], float, float]:
    """The upper left corner of each drawing, and the size of them all; ``gaps``: right of each."""
    ways = list(zip(drawings, gaps, strict=True))
    between = gap_y * APART
    area = sum((one.width + gap) * (one.height + between) for one, gap in ways)
    limit = max(sqrt(area * ASPECT), ABREAST, *(one.width for one in drawings))
    corners: list[Point] = []
    x = y = shelf = width = 0.0
    for one, gap in ways:
        if x and x + one.width > limit:
            x, y, shelf = 0.0, y + shelf + between, 0.0
        corners.append((x, y))
        width, shelf = max(width, x + one.width), max(shelf, one.height)
        x += one.width + gap
    return corners, width, y + shelf
