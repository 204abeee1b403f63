"""Arrangement of unconnected parts of a graph in one drawing.

Each part is laid out alone; the parts then are arranged in rows, in the order of the boxes, so that
a job of a thousand separate branches is about as wide as high.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Final

from msgspec.structs import replace

from explorer.drawing.layout.layers import (
    Gaps,
    Link,
    Placed,
    Point,
    Size,
    narrow_ranks,
    place_layers,
    ranks_of,
)
from explorer.drawing.layout.orientation import DOWN, Orientation
from explorer.flink.regions import regions

WIDEST: Final = (860.0, 660.0, 500.0)
"""How narrow a small graph may be made, where that lets it be drawn larger."""
PANE: Final = (380.0, 500.0)
"""Width and height of the pane that drawings are made for."""
GAIN: Final = 1.15
"""A narrower drawing must be this much larger on the screen: links get longer by it."""
SMALL: Final = 100
"""Boxes of a small graph; on a large one the longer links would cover everything."""
APART: Final = 2.5
"""Extra space between two rows, compared with two ranks: so no reader mistakes the parts on the
lower one for successors."""


def place_parts(
    sizes: Sequence[Size],
    links: Sequence[Link],
    gaps: Gaps,
    labels: Sequence[float],
    orientation: Orientation = DOWN,
) -> Placed:
    """Place boxes as ``place_layers`` does, the unconnected parts in rows.

    ``labels``: by link, how far its label reaches to the right of it; parts leave space for that.
    """
    parts = components(len(sizes), links)
    if len(parts) <= 1:
        return _fitting(sizes, links, gaps)
    part_links = _links_of(parts, links)
    drawings = []
    for boxes, own in zip(parts, part_links, strict=True):
        at = {box: turn for turn, box in enumerate(boxes)}
        inner = [
            replace(links[link], source=at[links[link].source], target=at[links[link].target])
            for link in own
        ]
        drawings.append(_fitting([sizes[box] for box in boxes], inner, gaps))
    apart = [
        max(gaps[0] * 2, _beyond(drawing, [labels[link] for link in own]))
        for drawing, own in zip(drawings, part_links, strict=True)
    ]
    corners, width, height = _rows_of_parts(drawings, apart, gaps[1], orientation)
    centres: list[Point] = [(0.0, 0.0)] * len(sizes)
    routes: list[tuple[Point, ...]] = [()] * len(links)
    placed = zip(parts, part_links, drawings, corners, strict=True)
    for boxes, own, drawing, (left, top) in placed:
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


def _links_of(parts: Sequence[list[int]], links: Sequence[Link]) -> list[list[int]]:
    """Return the positions of the links of each part."""
    part_of = {box: turn for turn, part in enumerate(parts) for box in part}
    own: list[list[int]] = [[] for _ in parts]
    for index, link in enumerate(links):
        own[part_of[link.source]].append(index)
    return own


def _fitting(sizes: Sequence[Size], links: Sequence[Link], gaps: Gaps) -> Placed:
    """Return the drawing of a connected part that a pane shows the largest."""
    ranks = ranks_of(len(sizes), links)
    best = place_layers(sizes, links, gaps, ranks)
    if len(sizes) > SMALL:
        return best
    for widest in WIDEST:
        if best.width <= PANE[0]:
            break
        tighter = narrow_ranks(ranks, sizes, links, widest)
        drawing = place_layers(sizes, links, gaps, tighter)
        # Scales at which the pane shows the two; 1 is a drawing's own size.
        scale, reached = (
            min(1.0, PANE[0] / placed.width, PANE[1] / placed.height) for placed in (drawing, best)
        )
        if scale > GAIN * reached:
            best = drawing
    return best


def _beyond(drawing: Placed, labels: Sequence[float]) -> float:
    """Return how far labels reach past the drawing's right side."""
    ends = [
        (start[0] + end[0]) / 2 + label
        for route, label in zip(drawing.routes, labels, strict=True)
        for start, end in (route[:2], route[-2:])
    ]
    return max(ends, default=0.0) - drawing.width / 2


def _rows_of_parts(
    drawings: Sequence[Placed], gaps: Sequence[float], gap_y: float, orientation: Orientation
) -> tuple[list[Point], float, float]:
    """Return each drawing's upper left corner and the size of all; ``gaps``: right of each."""
    spaced = list(zip(drawings, gaps, strict=True))
    between = gap_y * APART
    area = sum((item.width + gap) * (item.height + between) for item, gap in spaced)
    limit = max(
        sqrt(area * orientation.aspect), orientation.abreast, *(item.width for item in drawings)
    )
    corners: list[Point] = []
    x = y = row_height = width = 0.0
    for placed, gap in spaced:
        if x and x + placed.width > limit:
            x, y, row_height = 0.0, y + row_height + between, 0.0
        corners.append((x, y))
        width, row_height = max(width, x + placed.width), max(row_height, placed.height)
        x += placed.width + gap
    return corners, width, y + row_height
