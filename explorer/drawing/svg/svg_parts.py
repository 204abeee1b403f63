"""SVG of the parts of a graph: cards, chain borders, edges, labels, badges.

Every part carries its key, so that a board can highlight it, and a title, which shows on pointing.
The attributes ``data-card``, ``data-chain``, ``data-edge-label``, ``data-badge`` and ``data-name``
name the kinds of elements for style sheets and tests of others.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import Final, NamedTuple

from explorer.drawing.layout.blocks import EdgeLine, Pane, Shape, outline
from explorer.drawing.layout.captions import spread
from explorer.drawing.layout.cards import (
    CARD_MARGIN,
    LONGEST_STRATEGY,
    SIDES,
    SPACE,
    UNREAD,
    folded_lines,
)
from explorer.drawing.layout.cards import LINE as NAME_LINE
from explorer.drawing.layout.labels import (
    ASIDE,
    LINE,
    Label,
    Rectangle,
    exchanged,
    label_area,
)
from explorer.drawing.layout.layers import Point
from explorer.drawing.layout.looks import RADII, SIZES
from explorer.drawing.layout.orientation import DOWN
from explorer.drawing.svg.annotated_svg import badge, bar, figure, halfway, load
from explorer.drawing.svg.palette import hue_number
from explorer.drawing.svg.svg_text import at, text, xml
from explorer.drawing.view.annotations import Annotations, Mark
from explorer.drawing.view.elements import EdgeView, GraphView, JobEdgeView, NodeView
from explorer.drawing.view.one_line import extent, fitted, shortened
from explorer.drawing.view.unread import UnreadTransformation
from explorer.wording import counted

UPRIGHT: Final = 0.5
"""A line that moves less than this to the side is drawn straight."""

SHORTEST: Final = 20.0
"""Least space in which Flink's default name is drawn."""


class DrawnPart(NamedTuple):
    """One element of a drawing."""

    id: str
    """Distinguishes it from the other parts of its drawing, and begins with its kind."""
    key: str
    """Channels have the key of their edge."""
    area: Rectangle
    svg: str


def stream_parts(
    view: GraphView, pane: Pane, labels: Mapping[str, Label], added: Annotations
) -> Iterator[DrawnPart]:
    """The StreamGraph's parts, those that lie below first."""
    for shape in pane.boxes:
        vertex = view.vertex_of[shape.key]
        left, top = shape.x - shape.width / 2, shape.y - shape.height / 2
        content = text(f"{view.words.chain} {vertex.number}", (left + 11, top + 17), "small mute")
        yield group(shape, f"box k{hue_number(vertex.colour)}", shortened(vertex.name), content)
    for edge, line in ((view.edge_of.get(line.key), line) for line in pane.lines):
        if edge is None:
            continue
        colour = view.vertex_of[view.node_of[edge.source].vertex].colour
        looks = f"edge k{hue_number(colour)}" if edge.chained else "edge cut"
        yield edge_part(edge, line, looks, added.marks.get(line.key))
    yield from label_parts(pane, labels)
    bordered = {shape.key for shape in pane.boxes}
    for shape in pane.shapes:
        if shape.key in view.vertex_of:
            yield _draw_folded(view, shape, added)
        elif shape.key in view.node_of:
            vertex = view.vertex_of[view.node_of[shape.key].vertex]
            hue = "" if vertex.key in bordered else f" k{hue_number(vertex.colour)}"
            yield _operator(view, shape, added, looks=f"card{hue}")
    yield from badge_parts(pane, added.marks)


def unread_parts(
    view: GraphView, pane: Pane, unread: Collection[UnreadTransformation]
) -> Iterator[DrawnPart]:
    """The transformations that nothing reads, and the streams to them."""
    shapes = {shape.key: shape for shape in pane.shapes}
    lines = {line.key: line for line in pane.lines}
    names = {node.key: node.title for node in view.nodes}
    names |= {transformation.key: transformation.id for transformation in unread}
    for transformation in unread:
        for edge in transformation.edges:
            title = f"{shortened(names[edge.source])} → {shortened(transformation.id)}"
            yield line_part(transformation.key, lines[edge.key], "edge unread", title)
        left, top, right = _rim(shapes[transformation.key], CARD_MARGIN)
        content = name(fitted(transformation.id, right - left, SIZES["name"]), (left, top + 18))
        content += text(UNREAD, (left, top + 33), "small mute")
        title = f"{shortened(transformation.id)} ({transformation.type}): {UNREAD}"
        yield group(shapes[transformation.key], "card unread", title, content)


def job_parts(
    view: GraphView, pane: Pane, labels: Mapping[str, Label], added: Annotations
) -> Iterator[DrawnPart]:
    """The JobGraph's parts, those that lie below first."""
    for line in pane.lines:
        yield edge_part(view.job_edge_of[line.key], line, "edge")
    yield from label_parts(pane, labels)
    for shape in pane.shapes:
        yield _task(view, shape, added)


def unchained_parts(
    view: GraphView,
    pane: Pane,
    labels: Mapping[str, Label],
    added: Annotations,
    *,
    single_line: bool = False,
) -> Iterator[DrawnPart]:
    """The StreamGraph's parts without chains: what is known before chaining was decided.

    ``single_line``: a card has the operator's name and its strategy in one line, and no figures.
    """
    for line in pane.lines:
        yield edge_part(view.edge_of[line.key], line, "edge")
        if line.label is not None:
            yield label_part(line.key, labels[line.key], line.label, "label unchained")
    for shape in pane.shapes:
        if single_line:
            yield _single_line_operator(view, shape)
        else:
            yield _operator(view, shape, added, strategy=view.node_of[shape.key].strategy_words)


def _single_line_operator(view: GraphView, shape: Shape) -> DrawnPart:
    node = view.node_of[shape.key]
    left, top, right = _rim(shape, CARD_MARGIN)
    facts = f"{node.strategy_words} {spread(node.parallelism)}"
    space = right - left - extent(LONGEST_STRATEGY, SIZES["small"])
    content = _operator_name(node, (left, top + 17), space)
    content += text(facts, (right, top + 17), "small mute end")
    return group(shape, "card", shortened(node.name), content)


def _operator(
    view: GraphView,
    shape: Shape,
    added: Annotations,
    *,
    strategy: str = "",
    looks: str = "card",
) -> DrawnPart:
    """Return an operator's card, with its ``strategy`` in place of its ID where there is one."""
    node = view.node_of[shape.key]
    left, top, right = _rim(shape, CARD_MARGIN)
    counted_rows = added.figures.operators.get(shape.key)
    busy = added.figures.loads.get(shape.key)
    line = f"strategy {strategy}" if strategy else ""
    is_long = extent(line, SIZES["small"]) > shape.width - SIDES
    # What was counted, or a long strategy, stands where the parallelism does, which moves up.
    raised = counted_rows is not None or is_long
    space = shape.width - SIDES if raised else right - left
    content = _operator_name(node, (left, top + 18), space)
    second = (strategy if is_long else line, "small mute")
    second = second if strategy else (node.hash[:8], "mono mute")
    content += text(second[0], (left, top + 33), second[1])
    level = top + (18 if raised else 33)
    content += text(spread(node.parallelism), (right, level), "mono mute end")
    if counted_rows is not None:
        content += figure(counted_rows, (right, top + 33), right - left)
    content += load(busy, (left, top + shape.height), right)
    title = shortened(f"{node.title} ({node.default_name})" if node.default_name else node.name)
    title += "" if strategy else f"\n{node.hash}"
    title += f"\nbusy for {busy[1]}" if busy else ""
    return group(shape, looks, title, content, added.marks.get(shape.key))


def _operator_name(node: NodeView, place: Point, space: float) -> str:
    """Return an operator's name in a ``space``, with Flink's default name behind it in grey."""
    title = fitted(node.title, space, SIZES["name"])
    x = place[0] + extent(title, SIZES["name"]) + SPACE
    rest = place[0] + space - x
    drawn = name(title, place)
    if node.default_name and rest > SHORTEST:
        drawn += text(fitted(node.default_name, rest, SIZES["small"]), (x, place[1]), "small mute")
    return drawn


def _draw_folded(view: GraphView, shape: Shape, added: Annotations) -> DrawnPart:
    vertex = view.vertex_of[shape.key]
    left, top, right = _rim(shape, CARD_MARGIN)
    about = f"{view.words.chain} {vertex.number} · {counted(len(vertex.nodes), 'operator')}"
    lines = folded_lines(vertex.name)
    rows = [(line, top + 18 + turn * NAME_LINE) for turn, line in enumerate(lines)]
    content = "".join(name(line, (left, y)) for line, y in rows)
    below = rows[-1][1] + 15
    content += text(about, (left, below), "small mute")
    content += text(spread(vertex.parallelism), (right, below), "mono mute end")
    looks = f"card k{hue_number(vertex.colour)}"
    return group(shape, looks, shortened(vertex.name), content, added.marks.get(shape.key))


def _task(view: GraphView, shape: Shape, added: Annotations) -> DrawnPart:
    vertex = view.vertex_of[shape.key]
    left, top, right = _rim(shape, 15)
    # A narrow card has no space for the whole ID.
    dense = shape.width < DOWN.task[0]
    first = 18 if dense else 24
    rows = [(line, top + first + turn * NAME_LINE) for turn, line in enumerate(shape.lines)]
    content = "".join(name(line, (left, y)) for line, y in rows)
    top = rows[-1][1] - first
    if dense:
        content += text(vertex.id[:8], (left, top + 33), "mono mute")
        content += text(spread(vertex.parallelism), (right, top + 33), "mono mute end")
    else:
        invokable = f"{vertex.invokable} · {spread(vertex.parallelism)}"
        content += text(vertex.id, (left, top + 42), "mono mute")
        below = fitted(invokable, right - left, SIZES["small"])
        content += text(below, (left, top + 60), "small mute")
    reported = added.figures.bars.get(shape.key)
    content += bar(reported, (left, top + (41 if dense else 75)), right) if reported else ""
    title = f"{shortened(vertex.name)}\n{vertex.id}" if dense else shortened(vertex.name)
    title += f"\n{reported[1]}" if reported and reported[1] else ""
    return group(shape, f"card task k{hue_number(vertex.colour)}", title, content)


def _rim(shape: Shape, margin: float) -> tuple[float, float, float]:
    """Return the left end of text, the upper rim, and the right end of text."""
    half = shape.width / 2 - margin
    return shape.x - half, shape.y - shape.height / 2, shape.x + half


def name(words: str, place: Point) -> str:
    """The text that names a card."""
    return text(words, place, "name", attributes=' data-name=""')


def group(
    shape: Shape, looks: str, title: str, content: str, mark: Mark | None = None
) -> DrawnPart:
    """Return a card or a border with its ``content``; ``looks``: classes of style."""
    left, top, right, foot = outline(shape)
    radius = next(RADII[name] for name in ("box", "task", "card") if name in looks.split())
    kind, contract = ("box", "chain") if looks.startswith("box") else ("card", "card")
    key = escape(shape.key)
    svg = (
        f'<g class="{looks}" data-key="{key}" data-{contract}="{key}">'
        f'{_title(title, mark)}<rect x="{at(left)}" y="{at(top)}" width="{at(shape.width)}" '
        f'height="{at(shape.height)}" rx="{radius:g}"/>{content}</g>'
    )
    return DrawnPart(f"{kind}:{shape.key}", shape.key, (left, top, right, foot), svg)


def badge_parts(pane: Pane, marks: Mapping[str, Mark]) -> Iterator[DrawnPart]:
    """Yield the badges of findings: at the upper right corner of a card, halfway on an edge.

    On a level edge they hang below it, since its label stands on it.
    """
    for shape in pane.shapes:
        _, top, right, _ = outline(shape)
        if shape.key in marks:
            yield _badge(shape.key, marks[shape.key], (right - 1, top + 1))
    for line in pane.lines:
        if line.key in marks:
            x, y = _middle(line)
            drop = RADII["mark"] if line.across else 0
            yield _badge(line.key, marks[line.key], (x, y + drop))


def _badge(key: str, mark: Mark, place: Point) -> DrawnPart:
    (x, y), reach = place, RADII["mark"]
    area = (x - reach, y - reach, x + reach, y + reach)
    return DrawnPart(f"badge:{key}", key, area, badge(key, mark, place))


def _title(title: str, mark: Mark | None) -> str:
    words = "\n".join([title, mark.line] if mark else [title])
    return f"<title>{xml(words)}</title>"


def edge_part(
    edge: EdgeView | JobEdgeView, line: EdgeLine, looks: str, mark: Mark | None = None
) -> DrawnPart:
    """Return an edge's line and tip; ``looks``: classes of style."""
    title = f"{shortened(edge.source_name)} → {shortened(edge.target_name)}"
    return line_part(edge.key, line, looks, title, mark)


def line_part(
    key: str, line: EdgeLine, looks: str, title: str, mark: Mark | None = None
) -> DrawnPart:
    """Return a line and its tip, with the key of what it belongs to."""
    x, y = line.points[-1]
    tip = f"M{at(x)} {at(y)}{'l-7.5 -4v8z' if line.across else 'l-4 -7.5h8z'}"
    route = path_through(_stops(line), across=line.across)
    xs, ys = zip(*line.points, strict=True)
    svg = (
        f'<g class="{looks}" data-key="{escape(key)}">{_title(title, mark)}'
        f'<path class="route" d="{route}"/><path class="tip" d="{tip}"/></g>'
    )
    return DrawnPart(f"edge:{line.key}", key, (min(xs), min(ys), max(xs), max(ys)), svg)


def _stops(line: EdgeLine) -> list[Point]:
    """Return the points of an edge up to the start of its tip."""
    x, y = line.points[-1]
    return [*line.points[:-1], (x - 5, y) if line.across else (x, y - 5)]


def _middle(line: EdgeLine) -> Point:
    """Return the middle of an edge's line."""
    stops = _stops(line)
    if not line.across:
        return halfway(stops)
    y, x = halfway(exchanged(stops))
    return x, y


def path_through(stops: Sequence[Point], *, across: bool = False) -> str:
    """Draw the line through all points, upright at each, up to the start of its tip.

    ``across``: level at each.
    """
    steps = [f"M{at(stops[0][0])} {at(stops[0][1])}"]
    for (x0, y0), (x1, y1) in pairwise(stops):
        if across and abs(y1 - y0) < UPRIGHT:
            steps.append(f"H{at(x1)}")
        elif across:
            middle = at((x0 + x1) / 2)
            steps.append(f"C{middle} {at(y0)} {middle} {at(y1)} {at(x1)} {at(y1)}")
        elif abs(x1 - x0) < UPRIGHT:
            steps.append(f"V{at(y1)}")
        else:
            middle = at((y0 + y1) / 2)
            steps.append(f"C{at(x0)} {middle} {at(x1)} {middle} {at(x1)} {at(y1)}")
    return "".join(steps)


def label_parts(pane: Pane, labels: Mapping[str, Label]) -> Iterator[DrawnPart]:
    """Yield the labels of the lines that have space for one, in the order of the lines."""
    for line in pane.lines:
        label = labels.get(line.key)
        if label is not None and line.label is not None:
            yield label_part(line.key, label, line.label, "label")


def loose_label_parts(pane: Pane, labels: Mapping[str, Label]) -> Iterator[DrawnPart]:
    """Yield the labels without a space of their own, which a board shows with the selection."""
    for line in pane.lines:
        label = labels.get(line.key)
        if label is not None and line.label is None:
            yield label_part(line.key, label, _loose_place(line, label), "label loose")


def _loose_place(line: EdgeLine, label: Label) -> Point:
    x, y = _middle(line)
    if line.across:
        return x - label.width / 2, y - LINE * len(label.lines) / 2
    return x + ASIDE, y


def label_part(key: str, label: Label, place: Point, looks: str) -> DrawnPart:
    """Return a label that begins at a place, at half its height."""
    x, area = place[0], label_area(label, place)
    first = area[1] + LINE / 2 + 4
    rows = "".join(
        text(row, (x, first + turn * LINE), "small mute") for turn, row in enumerate(label.lines)
    )
    tip = f"<title>{xml(label.tip)}</title>" if label.tip else ""
    svg = f'<g class="{looks}" data-key="{key}" data-edge-label="{key}">{tip}{rows}</g>'
    return DrawnPart(f"label:{key}", key, area, svg)
