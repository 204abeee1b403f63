"""SVG of the parts of a graph: cards, chain borders, edges, labels.

Every part carries its key, so that a page can light it, and a title, which shows on pointing.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from explorer.drawing.layout.blocks import EdgeLine, Pane, Shape
from explorer.drawing.layout.captions import spread
from explorer.drawing.layout.cards import LINE as NAME_LINE
from explorer.drawing.layout.cards import SIDES
from explorer.drawing.layout.labels import LINE, Label
from explorer.drawing.layout.layers import Point
from explorer.drawing.layout.looks import RADII, SIZES
from explorer.drawing.svg.annotated_svg import bar, figure, halfway, load, mark
from explorer.drawing.svg.palette import hue_number
from explorer.drawing.svg.svg_text import at, text, xml
from explorer.drawing.view.annotations import Annotations, Mark
from explorer.drawing.view.elements import EdgeView, GraphView, JobEdgeView
from explorer.drawing.view.one_line import fitted, shortened
from explorer.wording import counted

UPRIGHT: Final = 0.5
"""A line that moves less than this to the side is drawn straight."""


def stream_parts(
    view: GraphView, pane: Pane, labels: Mapping[str, Label], added: Annotations
) -> Iterator[str]:
    """The StreamGraph's parts, those that lie below first."""
    for shape in pane.boxes:
        vertex = view.vertex_of[shape.key]
        left, top = shape.x - shape.width / 2, shape.y - shape.height / 2
        content = text(f"{view.words.chain} {vertex.number}", (left + 11, top + 17), "small mute")
        yield group(shape, f"box k{hue_number(vertex.number)}", shortened(vertex.name), content)
    for line in pane.lines:
        edge = view.edge_of[line.key]
        number = view.vertex_of[view.node_of[edge.source].vertex].number
        looks = f"edge k{hue_number(number)}" if edge.chained else "edge cut"
        yield edge_part(edge, line, looks, added.marks.get(line.key))
    yield from label_parts(pane, labels)
    for shape in pane.shapes:
        yield (_draw_folded if shape.key in view.vertex_of else _operator)(view, shape, added)


def job_parts(
    view: GraphView, pane: Pane, labels: Mapping[str, Label], added: Annotations
) -> Iterator[str]:
    """The JobGraph's parts, those that lie below first."""
    for line in pane.lines:
        yield edge_part(view.job_edge_of[line.key], line, "edge")
    yield from label_parts(pane, labels)
    for shape in pane.shapes:
        yield _task(view, shape, added)


def _operator(view: GraphView, shape: Shape, added: Annotations) -> str:
    node = view.node_of[shape.key]
    left, top, right = _rim(shape, 12)
    counted_rows = added.figures.operators.get(shape.key)
    space = right - left if counted_rows is None else shape.width - SIDES
    content = text(fitted(node.name, space, SIZES["name"]), (left, top + 18), "name")
    content += text(node.hash[:8], (left, top + 33), "mono mute")
    # What was counted stands where the parallelism does, which moves up beside the name.
    level = top + (33 if counted_rows is None else 18)
    content += text(spread(node.parallelism), (right, level), "mono mute end")
    if counted_rows is not None:
        content += figure(counted_rows, (right, top + 33), right - left)
    content += load(added.figures.loads.get(shape.key), (left, top + shape.height), right)
    title = f"{shortened(node.name)} {node.hash}"
    return group(shape, "card", title, content, added.marks.get(shape.key))


def _draw_folded(view: GraphView, shape: Shape, added: Annotations) -> str:
    vertex = view.vertex_of[shape.key]
    left, top, right = _rim(shape, 12)
    about = f"{view.words.chain} {vertex.number} · {counted(len(vertex.nodes), 'operator')}"
    content = text(fitted(vertex.name, right - left, SIZES["name"]), (left, top + 23), "name")
    content += text(about, (left, top + 41), "small mute")
    content += text(spread(vertex.parallelism), (right, top + 41), "mono mute end")
    looks = f"card k{hue_number(vertex.number)}"
    return group(shape, looks, shortened(vertex.name), content, added.marks.get(shape.key))


def _task(view: GraphView, shape: Shape, added: Annotations) -> str:
    vertex = view.vertex_of[shape.key]
    left, top, right = _rim(shape, 15)
    invokable = fitted(
        f"{vertex.invokable} · {spread(vertex.parallelism)}", right - left, SIZES["small"]
    )
    rows = [(line, top + 24 + turn * NAME_LINE) for turn, line in enumerate(shape.lines)]
    content = "".join(text(line, (left, y), "name") for line, y in rows)
    top = rows[-1][1] - 24
    content += text(vertex.id, (left, top + 42), "mono mute")
    content += text(invokable, (left, top + 60), "small mute")
    reported = added.figures.bars.get(shape.key)
    content += bar(reported, (left, top + 75), right) if reported else ""
    looks = f"card task k{hue_number(vertex.number)}"
    return group(shape, looks, shortened(vertex.name), content)


def _rim(shape: Shape, margin: float) -> tuple[float, float, float]:
    """Return the left end of text, the upper rim, and the right end of text."""
    half = shape.width / 2 - margin
    return shape.x - half, shape.y - shape.height / 2, shape.x + half


def group(shape: Shape, looks: str, title: str, content: str, result: Mark | None = None) -> str:
    """Return a card or a border with its ``content``; ``looks``: classes of style."""
    left, top = shape.x - shape.width / 2, shape.y - shape.height / 2
    radius = next(RADII[name] for name in ("box", "task", "card") if name in looks.split())
    return (
        f'<g class="{looks}" data-key="{shape.key}">{_title(title, result)}'
        f'<rect x="{at(left)}" y="{at(top)}" width="{at(shape.width)}" '
        f'height="{at(shape.height)}" rx="{radius:g}"/>{content}'
        f"{mark(result, (left + shape.width - 1, top + 1))}</g>"
    )


def _title(title: str, result: Mark | None) -> str:
    words = "\n".join([title, result.line] if result else [title])
    return f"<title>{xml(words)}</title>"


def edge_part(
    edge: EdgeView | JobEdgeView, line: EdgeLine, looks: str, result: Mark | None = None
) -> str:
    """Return an edge's line and tip; ``looks``: classes of style."""
    title = f"{shortened(edge.source_name)} → {shortened(edge.target_name)}"
    x, y = line.points[-1]
    tip = f"M{at(x)} {at(y)}l-4 -7.5h8z"
    stops = [*line.points[:-1], (x, y - 5)]
    return (
        f'<g class="{looks}" data-key="{line.key}">{_title(title, result)}'
        f'<path class="route" d="{_route(stops)}"/><path class="tip" d="{tip}"/>'
        f"{mark(result, halfway(stops)) if result else ''}</g>"
    )


def _route(stops: Sequence[Point]) -> str:
    """Draw the line through all points, upright at each, up to the start of its tip."""
    steps = [f"M{at(stops[0][0])} {at(stops[0][1])}"]
    for (x0, y0), (x1, y1) in pairwise(stops):
        if abs(x1 - x0) < UPRIGHT:
            steps.append(f"V{at(y1)}")
        else:
            middle = at((y0 + y1) / 2)
            steps.append(f"C{at(x0)} {middle} {at(x1)} {middle} {at(x1)} {at(y1)}")
    return "".join(steps)


def label_parts(pane: Pane, labels: Mapping[str, Label]) -> Iterator[str]:
    """Yield the labels of the lines that have space for one, in the order of the lines."""
    for line in pane.lines:
        label = labels.get(line.key)
        if label is None or line.label is None:
            continue
        x, y = line.label
        first = y - (len(label.lines) - 1) * LINE / 2 + 4
        rows = [
            text(row, (x, first + turn * LINE), "small mute")
            for turn, row in enumerate(label.lines)
        ]
        yield f'<g class="label" data-key="{line.key}">{"".join(rows)}</g>'
