"""Positions of edge labels that cover no other label and no box.

A label stands right of its edge, in the free band below the source or above the target; where edges
lead to the right, above or below its edge. Places are tried in order; an edge that finds none shows
its label when it is selected.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from math import hypot, inf
from operator import itemgetter
from typing import Final, Literal, TypeAlias

import msgspec

from explorer.drawing.layout.layers import Point
from explorer.drawing.view.one_line import extent

FONT_SIZE: Final = 11.0
"""How high labels are drawn."""
SPACE: Final = 8.0
LINE: Final = 15.0
ASIDE: Final = 9.0
"""Between an edge and its label."""
INSET: Final = 3.0
"""Between a level edge and its label."""
ROOM: Final = 12.0
"""Between the ends of a level edge and its label: a card's badge reaches beyond its border."""
TURNS: Final = (0.5, 0.35, 0.65, 0.2, 0.8, 0.1, 0.9)
"""Where on the edge a label is tried."""
CELL: Final = (96.0, 40.0)
SAMPLE: Final = 3.5
"""How far apart the points of a curve are that a label must not cover: less than a line is high."""
STRAIGHT: Final = 12.0
"""The same on a straight line: any label over it is higher and wider."""
WIDEST: Final = 3000.0
"""Wider edges have no more of these points than one of this width: a fan would have millions."""
MOST_POINTS: Final = 100_000
"""Points of all edges of a drawing, about: beyond, they are farther apart."""
Cell: TypeAlias = tuple[int, int]
Weights: TypeAlias = tuple[float, float, float, float, float]
Rectangle: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and foot."""


class Label(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The lines of text at an edge."""

    lines: tuple[str, ...]
    near_target: bool = False
    tip: str = ""
    """What is shown while the pointer is on the label."""

    @cached_property
    def width(self) -> float:
        """About how wide it is drawn, with a space behind it."""
        return max((extent(line, FONT_SIZE) for line in self.lines), default=0.0) + SPACE


class _Ground:
    """What the drawing already holds, in the cells of a coarse grid."""

    def __init__(
        self, routes: Iterable[Sequence[Point]], boxes: Iterable[Rectangle], *, across: bool
    ) -> None:
        self.across = across
        """Whether edges lead to the right."""
        self.taken: dict[Cell, list[Rectangle]] = defaultdict(list)
        """Boxes and labels, which no label may cover."""
        self.points: dict[Cell, list[Point]] = defaultdict(list)
        for box in boxes:
            self.take(box)
        segments = [segment for route in routes for segment in pairwise(route)]
        apart = SAMPLE * max(1.0, sum(map(_length, segments)) / SAMPLE / MOST_POINTS)
        for start, end in segments:
            is_straight = start[across] == end[across]
            distance = max(apart, STRAIGHT) if is_straight else apart
            self._add_points(sample_points(start, end, distance, across=across))

    def _add_points(self, points: Iterable[Point]) -> None:
        """Store the points of an edge, of which many in a row are in one cell."""
        (width, height), left, top = CELL, inf, inf
        for x, y in points:
            if not (left <= x < left + width and top <= y < top + height):
                column, row = x // width, y // height
                left, top = column * width, row * height
                in_cell = self.points[int(column), int(row)]
            in_cell.append((x, y))

    def spot(self, route: Sequence[Point], label: Label) -> Rectangle | None:
        """The best place for an edge's label: free of lines too, if there is one."""
        second = None
        for place in (_level_places if self.across else _places)(route, label):
            covered = self._find_covered(place)
            if not covered:
                return place
            if covered == "a line":
                second = second or place
        return second

    def _find_covered(self, place: Rectangle) -> Literal["a box", "a line", ""]:
        """Return what a label would cover here; a box counts more, and a label as one."""
        # Loops: a generator for `any` costs more than the comparisons, of which there are millions.
        left, top, right, foot = place
        cells = _cells(place)
        for cell in cells:
            for start, head, end, bottom in self.taken.get(cell, ()):
                if left < end and start < right and top < bottom and head < foot:
                    return "a box"
        for cell in cells:
            for x, y in self.points.get(cell, ()):
                if left <= x <= right and top <= y <= foot:
                    return "a line"
        return ""

    def take(self, place: Rectangle) -> None:
        """Keep this place."""
        for cell in _cells(place):
            self.taken[cell].append(place)


def label_area(label: Label, place: Point) -> Rectangle:
    """Return what a label covers, by its left end at half its height."""
    (x, y), half = place, LINE * len(label.lines) / 2
    return x, y - half, x + label.width, y + half


def place_labels(
    routes: Mapping[str, Sequence[Point]],
    labels: Mapping[str, Label],
    boxes: Iterable[Rectangle],
    unlabelled: Iterable[Sequence[Point]] = (),
    *,
    across: bool = False,
) -> dict[str, Point]:
    """Map edges to the left end of their label at half its height; those without space are out.

    ``unlabelled``: the routes of further edges, which labels should not cover; ``across``: edges
    lead to the right.
    """
    if routes.keys().isdisjoint(labels):
        return {}
    ground = _Ground((*routes.values(), *unlabelled), boxes, across=across)
    result: dict[str, Point] = {}
    for key, route in routes.items():
        label = labels.get(key)
        if label is None:
            continue
        spot = ground.spot(route, label)
        if spot:
            result[key] = spot[0], (spot[1] + spot[3]) / 2
            ground.take(spot)
    return result


def reach(
    width: float, places: Mapping[str, Point], labels: Mapping[str, Label]
) -> tuple[float, float]:
    """Return the left and right ends of boxes of that width and their labels.

    >>> reach(20.0, {"e0": (8.0, 0.0)}, {"e0": Label(lines=("HASH",))})
    (-10.0, 48.45)
    """
    left, right = -width / 2, width / 2
    for key, (x, _) in places.items():
        left, right = min(left, x), max(right, x + labels[key].width)
    return left, right


def _places(route: Sequence[Point], label: Label) -> Iterator[Rectangle]:
    """Yield places along the edge's free stretches, right of it and left, the best first.

    At the points of ``TURNS`` first; then, for an edge that runs aslant, where all of the edge that
    is as high as the label is on one side of it.
    """
    stretches = [(route[0], route[1]), (route[-2], route[-1])]
    if label.near_target:
        stretches.reverse()
    paths = list(dict.fromkeys(stretches))
    for path in paths:
        for x, middle in _candidate_points(path, label):
            yield from _label_rectangles((x, x), middle, label)
    aslant = [path for path in paths if path[0][0] != path[1][0]]
    for path in aslant:
        curve = sorted(sample_points(*path), key=itemgetter(1))
        for _, middle in _candidate_points(path, label):
            half = LINE * len(label.lines) / 2
            # A curve moves to one side only, so the ends of this part are its outermost points.
            first = bisect_left(curve, middle - half, key=itemgetter(1))
            last = bisect_right(curve, middle + half, key=itemgetter(1)) - 1
            left, right = sorted((curve[first][0], curve[last][0]))
            yield from _label_rectangles((left, right), middle, label)


def _level_places(route: Sequence[Point], label: Label) -> Iterator[Rectangle]:
    """Yield places above and below the free stretches of an edge that leads to the right.

    In the middle of a stretch, at its start and at its end: as far from the edge as all of it that
    is as wide as the label allows, on that side first on which it is the nearest to the edge.
    """
    stretches = [(route[0], route[1]), (route[-2], route[-1])]
    if label.near_target:
        stretches.reverse()
    width, height = label.width, LINE * len(label.lines)
    for start, end in dict.fromkeys(stretches):
        curve = sample_points(start, end, across=True)
        lefts = (
            max((start[0] + end[0] - width + SPACE) / 2, start[0] + ROOM),
            start[0] + ROOM,
            end[0] - ROOM - width + SPACE,
        )
        for left in dict.fromkeys(lefts):
            ys = [y for x, y in curve if left - SAMPLE <= x <= left + width + SAMPLE]
            if not ys:
                continue
            tops = [min(ys) - INSET - height, max(ys) + INSET]
            for top in tops if end[1] <= start[1] else reversed(tops):
                yield left, top, left + width, top + height


def _candidate_points(path: tuple[Point, Point], label: Label) -> list[Point]:
    """Return points of the edge, each once, at which a label stays between the ends' boxes."""
    (_, top), (_, foot) = path
    half = LINE * len(label.lines) / 2
    points = on_curve(*path, TURNS)
    return list(dict.fromkeys((x, max(min(y, foot - half), top + half)) for x, y in points))


def _label_rectangles(spread: tuple[float, float], middle: float, label: Label) -> list[Rectangle]:
    """Return the places to the right and left of the ``spread`` of an edge."""
    width, half = label.width, LINE * len(label.lines) / 2
    starts = spread[1] + ASIDE, spread[0] - ASIDE - width
    return [(left, middle - half, left + width, middle + half) for left in starts]


def _cells(place: Rectangle) -> list[Cell]:
    left, top, right, foot = place
    across = range(int(left // CELL[0]), int(right // CELL[0]) + 1)
    down = range(int(top // CELL[1]), int(foot // CELL[1]) + 1)
    return [(x, y) for x in across for y in down]


def _length(segment: tuple[Point, Point]) -> float:
    (left, top), (right, foot) = segment
    return hypot(min(abs(right - left), WIDEST), foot - top)


def sample_points(
    start: Point, end: Point, apart: float = SAMPLE, *, across: bool = False
) -> list[Point]:
    """Return the points of an edge that no label must cover, about so far ``apart``.

    ``across``: it leaves and arrives level, and not upright.
    """
    weights = _even_weights(2 + int(_length((start, end)) / apart))
    if across:
        return exchanged(_weighed(start[::-1], end[::-1], weights))
    return _weighed(start, end, weights)


def exchanged(points: Iterable[Point]) -> list[Point]:
    """Exchange x and y: a level curve becomes an upright one.

    >>> exchanged([(1.0, 2.0)])
    [(2.0, 1.0)]
    """
    return [(y, x) for x, y in points]


def on_curve(start: Point, end: Point, turns: Iterable[float]) -> list[Point]:
    """Return points of the curve that leaves and arrives upright, each turn from 0 to 1.

    >>> on_curve((0.0, 0.0), (10.0, 40.0), [0.5])
    [(5.0, 20.0)]
    """
    return _weighed(start, end, _weights(tuple(turns)))


def _weighed(start: Point, end: Point, weights: Sequence[Weights]) -> list[Point]:
    """Return the points of the curve with these weights of its ends."""
    (left, top), (right, foot) = start, end
    middle = (top + foot) / 2
    return [
        (at_start * left + at_end * right, first * top + between * middle + last * foot)
        for at_start, at_end, first, between, last in weights
    ]


@lru_cache(maxsize=64)
def _even_weights(steps: int) -> tuple[Weights, ...]:
    """Return the weights of points at even turns: many edges of a graph are equally long."""
    return _weights(tuple(turn / steps for turn in range(steps + 1)))


@lru_cache(maxsize=8)
def _weights(turns: tuple[float, ...]) -> tuple[Weights, ...]:
    """Return the weights of start and end in x, and of start, middle and end in y, by turn."""
    result = []
    for turn in turns:
        remainder = 1 - turn
        first, second = remainder**3, 3 * remainder**2 * turn
        third, last = 3 * remainder * turn**2, turn**3
        result.append((first + second, third + last, first, second + third, last))
    return tuple(result)


def fans(ends: Iterable[tuple[str, str]]) -> list[bool]:
    """Whether each edge has fewer neighbours at its target than at its source."""
    pairs = list(ends)
    leaving = Counter(source for source, _ in pairs)
    entering = Counter(target for _, target in pairs)
    return [leaving[source] > entering[target] for source, target in pairs]
