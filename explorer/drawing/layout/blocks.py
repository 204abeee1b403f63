"""Layout of both graphs, with chains as blocks.

The job graph's shape is laid out first, each vertex as large as its chain; then the operators
of each. So the borders of two chains never touch.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.drawing.layout.cards import (
    folded_card,
    operator_card,
    single_line_card,
    task_card,
    task_lines,
    unread_card,
)
from explorer.drawing.layout.chain_layout import ChainLayout, CrossingEdge, chain_layout
from explorer.drawing.layout.labels import (
    ASIDE,
    ROOM,
    SPACE,
    Label,
    Rectangle,
    label_area,
    place_labels,
    reach,
)
from explorer.drawing.layout.layers import Gaps, Link, Placed, Point, Size
from explorer.drawing.layout.orientation import DOWN, Orientation, turned
from explorer.drawing.layout.separate_parts import place_parts
from explorer.drawing.view.elements import (
    Edges,
    GraphView,
    card_of,
)
from explorer.drawing.view.unread import UnreadTransformation

BEND: Final = 44.0
"""Length of the part of an edge to the right in which it bends; its label has the rest."""
SHORTEST: Final = 56.0
"""Least length of an edge to the right between two ranks."""


class Shape(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A box by its centre."""

    key: str
    x: float
    y: float
    width: float
    height: float
    lines: tuple[str, ...] = ()
    """Of a task's card: those in which its name stands."""


class EdgeLine(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An edge from rim to rim; ``label`` is its label's left end, if there is space for one."""

    key: str
    points: tuple[Point, ...]
    label: Point | None = None
    across: bool = False
    """Whether it leaves and arrives level, and not upright."""


class Pane(msgspec.Struct, frozen=True, kw_only=True):
    """One drawing: ``x`` is counted from its boxes' middle, ``y`` from its top."""

    shapes: tuple[Shape, ...]
    boxes: tuple[Shape, ...]
    """The chains' borders."""
    lines: tuple[EdgeLine, ...]
    left: float
    """Where boxes and labels begin; ``right``: where they end."""
    right: float
    height: float
    across: bool = False
    """Whether edges lead to the right."""


def job_pane(
    view: GraphView,
    labels: Mapping[str, Label],
    *,
    figures: bool = False,
    orientation: Orientation = DOWN,
) -> Pane:
    """Lay out the job graph; ``labels`` by key, ``figures`` leaves space for a trial's."""
    card = orientation.task
    names = {vertex.key: task_lines(vertex.name, card) for vertex in view.vertices}
    sizes = {key: task_card(lines, card, figures=figures) for key, lines in names.items()}
    return _cards(sizes, view.job_edges, labels, names, orientation)


def unchained_pane(
    view: GraphView,
    labels: Mapping[str, Label],
    orientation: Orientation = DOWN,
    *,
    single_line: bool = False,
) -> Pane:
    """Lay out the stream graph as if nothing were known of chains: every edge is as any other.

    ``single_line``: a card has the operator's name and its strategy in one line.
    """
    cards = {
        node.key: single_line_card(node.title)
        if single_line
        else operator_card(node.title, node.default_name)
        for node in view.nodes
    }
    return _cards(cards, view.edges, labels, {}, orientation)


def reaches(
    edges: Sequence[str], labels: Mapping[str, Label], orientation: Orientation = DOWN
) -> list[float]:
    """Return how far the label of each edge reaches to the right of one that leads down."""
    if orientation.across:
        return [0.0] * len(edges)
    return [ASIDE + labels[key].width if key in labels else 0.0 for key in edges]


def rank_gaps(
    gaps: Gaps, links: Sequence[Link], labels: Iterable[Label], orientation: Orientation
) -> Gaps:
    """Return ``gaps`` with the second one, along the edges, as short as level labels allow."""
    if not orientation.across:
        return gaps
    longest = max((label.width for label in labels), default=0.0)
    starts, ends = ({getattr(link, end) for link in links} for end in ("source", "target"))
    is_line = len(starts) == len(ends) == len(links)
    return gaps[0], min(
        gaps[1], max(SHORTEST, longest - SPACE + 2 * ROOM + (0 if is_line else BEND))
    )


def _cards(
    sizes: Mapping[str, Size],
    edges: Edges,
    labels: Mapping[str, Label],
    names: Mapping[str, tuple[str, ...]],
    orientation: Orientation,
) -> Pane:
    """Lay out cards and the edges between them, with no borders around."""
    place = {key: turn for turn, key in enumerate(sizes)}
    links = [
        Link(source=place[edge.source], target=place[edge.target], space=orientation.fan)
        for edge in edges
    ]
    keys = [edge.key for edge in edges]
    extents = list(map(orientation.size, sizes.values()))
    placed = place_parts(
        extents,
        links,
        rank_gaps(orientation.job_gaps, links, labels.values(), orientation),
        reaches(keys, labels, orientation),
        orientation,
    )
    shapes = (
        Shape(key=key, x=x, y=y, width=size[0], height=size[1], lines=names.get(key, ()))
        for (key, size), (x, y) in zip(sizes.items(), centres_of(placed, orientation), strict=True)
    )
    routes = _bent_routes(keys, placed, labels, orientation)
    cards = tuple(shapes)
    return assemble_pane(
        placed, (cards, ()), routes, routes, labels, orientation, map(outline, cards)
    )


def _bent_routes(
    keys: Sequence[str], placed: Placed, labels: Mapping[str, Label], orientation: Orientation
) -> dict[str, tuple[Point, ...]]:
    """Map edges to their routes; level ones run straight where their label stands."""
    routes = dict(zip(keys, placed.routes, strict=True))
    if not orientation.across:
        return routes
    near = {key for key in keys if key in labels and labels[key].near_target}
    return {key: _bend(route, near_target=key in near) for key, route in routes.items()}


def _bend(route: tuple[Point, ...], *, near_target: bool) -> tuple[Point, ...]:
    """Let a route run straight to its target, or from its source, as far as it can."""
    (x, y), (u, v) = route[-2:] if near_target else route[:2]
    if x == u or v - y <= BEND:
        return route
    if near_target:
        return (*route[:-1], (u, y + BEND), route[-1])
    return (route[0], (x, v - BEND), *route[1:])


def centres_of(placed: Placed, orientation: Orientation) -> tuple[Point, ...]:
    """Return the middles of the boxes in the drawing."""
    return turned(placed.centres, orientation, placed.width, placed.height)


def assemble_pane(
    placed: Placed,
    boxes: tuple[tuple[Shape, ...], tuple[Shape, ...]],
    routes: Mapping[str, Sequence[Point]],
    labelled: Mapping[str, Sequence[Point]],
    labels: Mapping[str, Label],
    orientation: Orientation,
    taken: Iterable[Rectangle],
) -> Pane:
    """Map routes to the drawing, and place the labels of those that are ``labelled``.

    ``boxes``: the cards and the borders, turned already, as is ``taken``, which labels leave free.
    """
    width, height = orientation.size((placed.width, placed.height))

    def turn(points: Sequence[Point]) -> tuple[Point, ...]:
        return turned(points, orientation, placed.width, placed.height)

    shapes, borders = boxes
    outer = {key: turn(route) for key, route in labelled.items()}
    at = place_labels(outer, labels, taken, across=orientation.across)
    left, right = reach(width, at, labels)
    return Pane(
        shapes=shapes,
        boxes=borders,
        lines=tuple(
            EdgeLine(key=key, points=turn(route), label=at.get(key), across=orientation.across)
            for key, route in routes.items()
        ),
        left=left,
        right=right,
        height=height,
        across=orientation.across,
    )


def stream_pane(
    view: GraphView,
    labels: Mapping[str, Label],
    folded: Collection[str] = (),
    unread: Collection[UnreadTransformation] = (),
    orientation: Orientation = DOWN,
) -> Pane:
    """Lay out the stream graph with a border around each chain.

    ``folded``: the keys of the chains that are drawn as one card each; that of a chain with one
    operator is the operator's. ``unread``: the transformations beside the graph.
    """
    edges = {edge.key: edge for edge in view.edges}
    cards = {node.key: operator_card(node.title, node.default_name) for node in view.nodes}
    vertex_of = {node.key: node.vertex for node in view.nodes}
    vertex_of |= {transformation.key: transformation.key for transformation in unread}
    cut: list[CrossingEdge] = [edge for edge in view.edges if not edge.chained]
    cut += [edge for transformation in unread for edge in transformation.edges]
    crossing: dict[str, list[CrossingEdge]] = defaultdict(list)
    for edge in cut:
        crossing[vertex_of[edge.source]].append(edge)
        crossing[vertex_of[edge.target]].append(edge)
    single_cards = {
        vertex.key: folded_card(vertex.name) if len(vertex.nodes) > 1 else cards[vertex.nodes[0]]
        for vertex in view.vertices
        if vertex.key in folded
    }
    single_cards |= {
        transformation.key: unread_card(transformation.id) for transformation in unread
    }
    chains = {
        key: _one_card(key, orientation.size(single_cards[key]), vertex_of, crossing[key])
        if key in single_cards
        else chain_layout(view.vertex_of[key], cards, edges, crossing[key], orientation)
        for key in {**view.vertex_of, **single_cards}
    }
    links = _links(cut, chains, vertex_of, orientation)
    sizes = [(chain.width, chain.height) for chain in chains.values()]
    label_reaches = reaches([edge.key for edge in cut], labels, orientation)
    gaps = rank_gaps(orientation.outer_gaps, links, labels.values(), orientation)
    placed = place_parts(sizes, links, gaps, label_reaches, orientation)
    card_keys = {
        vertex.key: card_of(view, vertex.nodes[0], folded)
        for vertex in view.vertices
        if vertex.key in folded
    }
    card_keys |= {transformation.key: transformation.key for transformation in unread}
    return _join_chains(chains, cut, vertex_of, placed, labels, card_keys, orientation)


def _links(
    cut: Sequence[CrossingEdge],
    chains: Mapping[str, ChainLayout],
    vertex_of: Mapping[str, str],
    orientation: Orientation,
) -> list[Link]:
    """Return the edges between chains as links, from and to their places at the borders."""
    place = {key: turn for turn, key in enumerate(chains)}
    return [
        Link(
            source=place[source],
            target=place[target],
            out_at=chains[source].tails[edge.key][-1][0],
            in_at=chains[target].heads[edge.key][0][0],
            space=orientation.fan,
        )
        for edge in cut
        for source, target in ((vertex_of[edge.source], vertex_of[edge.target]),)
    ]


def _one_card(
    key: str, size: Size, vertex_of: Mapping[str, str], crossing: Sequence[CrossingEdge]
) -> ChainLayout:
    """Lay out what is one card: all edges enter or leave at its middle."""
    width, height = size
    return ChainLayout(
        width=width,
        height=height,
        centres={},
        sizes=(),
        lines={},
        heads={edge.key: ((0.0, 0.0),) for edge in crossing if vertex_of[edge.target] == key},
        tails={edge.key: ((0.0, height),) for edge in crossing if vertex_of[edge.source] == key},
    )


def _join_chains(
    chains: Mapping[str, ChainLayout],
    cut: Sequence[CrossingEdge],
    vertex_of: Mapping[str, str],
    placed: Placed,
    labels: Mapping[str, Label],
    folded: Mapping[str, str],
    orientation: Orientation,
) -> Pane:
    """Join the chains; ``folded``: by key of a folded chain, the key of its card."""
    corner = {
        key: (x, y - chain.height / 2)
        for (key, chain), (x, y) in zip(chains.items(), placed.centres, strict=True)
    }
    frames = [
        Shape(key=key, x=x, y=y, width=width, height=height)
        for (key, chain), (x, y) in zip(
            chains.items(), centres_of(placed, orientation), strict=True
        )
        for width, height in (orientation.size((chain.width, chain.height)),)
    ]
    outer = _bent_routes([edge.key for edge in cut], placed, labels, orientation)
    routes = {
        key: _move_points(points, corner[chain_key])
        for chain_key, chain in chains.items()
        for key, points in chain.lines.items()
    }
    routes |= {edge.key: _between(edge, chains, corner, vertex_of, outer[edge.key]) for edge in cut}
    shapes = (
        *(
            operator
            for key, chain in chains.items()
            for operator in _operators(chain, corner[key], placed, orientation)
        ),
        *(replace(frame, key=folded[frame.key]) for frame in frames if frame.key in folded),
    )
    borders = tuple(frame for frame in frames if frame.key not in folded)
    return assemble_pane(
        placed, (shapes, borders), routes, outer, labels, orientation, map(outline, frames)
    )


def label_chained_edges(view: GraphView, pane: Pane, labels: Mapping[str, Label]) -> Pane:
    """Return the pane with the labels of edges within chains, where these cover nothing else."""
    chained = {
        line.key: line.points
        for line in pane.lines
        if line.key in view.edge_of and view.edge_of[line.key].chained
    }
    placed = [(labels[line.key], line.label) for line in pane.lines if line.label is not None]
    boxes = [*map(outline, pane.shapes), *(label_area(*label) for label in placed)]
    others = [line.points for line in pane.lines if line.key not in chained]
    at = place_labels(chained, labels, boxes, others, across=pane.across)
    lines = tuple(
        replace(line, label=at.get(line.key)) if line.key in chained else line
        for line in pane.lines
    )
    return replace(pane, lines=lines)


def outline(shape: Shape) -> Rectangle:
    """Return the left, top, right and lower end of a box."""
    wide, high = shape.width / 2, shape.height / 2
    return shape.x - wide, shape.y - high, shape.x + wide, shape.y + high


def _operators(
    chain: ChainLayout, corner: Point, placed: Placed, orientation: Orientation
) -> list[Shape]:
    """Return the cards of a chain that begins at ``corner``."""
    centres = _move_points(tuple(chain.centres.values()), corner)
    turned_centres = turned(centres, orientation, placed.width, placed.height)
    return [
        Shape(key=key, x=x, y=y, width=size[0], height=size[1])
        for key, (x, y), size in zip(chain.centres, turned_centres, chain.sizes, strict=True)
    ]


def _between(
    edge: CrossingEdge,
    chains: Mapping[str, ChainLayout],
    corner: Mapping[str, Point],
    vertex_of: Mapping[str, str],
    route: Sequence[Point],
) -> tuple[Point, ...]:
    """Join the parts of an edge between chains: to the border, its route, from the border."""
    source, target = vertex_of[edge.source], vertex_of[edge.target]
    out = _move_points(chains[source].tails[edge.key], corner[source])
    into = _move_points(chains[target].heads[edge.key], corner[target])
    # Where links share an operator's rim, each bends to its own place.
    points = (*out[:-1], *route, *into[1:])
    return tuple(p for turn, p in enumerate(points) if not turn or p != points[turn - 1])


def _move_points(points: Sequence[Point], by: Point) -> tuple[Point, ...]:
    return tuple((x + by[0], y + by[1]) for x, y in points)
