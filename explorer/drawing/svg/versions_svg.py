"""Two versions of a StreamGraph next to each other, each operator level with itself.

Both are laid out as one graph with the operators and edges of either; each half shows those that
its version has.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from explorer.drawing.layout.blocks import EdgeLine, Shape, outline
from explorer.drawing.layout.captions import spread
from explorer.drawing.layout.cards import operator_card
from explorer.drawing.layout.labels import ASIDE, Label
from explorer.drawing.layout.layers import Link, Placed
from explorer.drawing.layout.looks import RADII, SIZES, dashed, wide
from explorer.drawing.layout.separate_parts import place_parts
from explorer.drawing.svg.svg_parts import label_part, path_through
from explorer.drawing.svg.svg_style import MONO, adaptive_rules, standalone_svg
from explorer.drawing.svg.svg_text import at, text, xml
from explorer.drawing.view.one_line import fitted, shortened
from explorer.plans.changed_graph import ChangedGraph, ShownEdge, ShownOperator
from explorer.plans.words import short_ids

GAPS: Final = (26.0, 34.0)
MARGIN: Final = 20.0
HEAD: Final = 34.0
"""Height of a half's title."""
SIDES: Final = ("Baseline", "New version")
ABSENT: Final = {"Baseline": "added", "New version": "removed"}
"""By half, the change of the parts that its version does not have."""
COLOURS: Final = (
    ("text", "fill", "ink"),
    (".mute", "fill", "mute"),
    (".card rect", "fill", "card"),
    (".card rect", "stroke", "line"),
    (".route", "stroke", "route"),
    (".tip", "fill", "route"),
    (".label text", "stroke", "panel"),
    (".rule", "stroke", "rule"),
    (".added rect,.added .route", "stroke", "good"),
    (".added .tip,.added .sign", "fill", "good"),
    (".removed rect,.removed .route", "stroke", "bad"),
    (".removed .tip,.removed .sign", "fill", "bad"),
    (".changed rect,.changed .route", "stroke", "warn"),
    (".changed .tip,.changed .sign", "fill", "warn"),
)
SHAPES: Final = (
    f".head,.sign{{font-weight:600}}.name{{font-size:{SIZES['name']:g}px}}.end{{text-anchor:end}}"
    f".mono{{font:{SIZES['mono']:g}px {MONO}}}.card rect{{{wide('card')}}}"
    f".route{{fill:none;{wide('edge')}}}.cut .route{{{dashed('cut')}}}"
    f":is(.added,.removed,.changed) rect{{{wide('card-picked')}}}"
    ".label text{paint-order:stroke;stroke-width:4px;stroke-linejoin:round}"
)


def versions_svg(graph: ChangedGraph) -> str:
    """Both versions as one SVG that stands alone, the baseline on the left.

    The colour and a word mark what was added, removed or changed.
    """
    sizes = [operator_card(_longest(operator)) for operator in graph.operators]
    links = [Link(source=edge.source, target=edge.target) for edge in graph.edges]
    reach = [ASIDE + _label(edge, side).width for edge in graph.edges for side in SIDES[:1]]
    placed = place_parts(sizes, links, GAPS, reach)
    half = placed.width + 2 * MARGIN + max(reach, default=0.0)
    height = HEAD + placed.height + MARGIN
    lines = [f'<path class="rule" d="M{at(half)} 0V{at(height)}"/>']
    for turn, side in enumerate(SIDES):
        left = turn * half
        lines.append(text(side, (left + MARGIN, 20), "head"))
        middle = left + MARGIN + placed.width / 2
        parts = _half(graph, placed, side)
        lines += [f'<g transform="translate({at(middle)} {at(HEAD)})">', *parts, "</g>"]
    style = adaptive_rules(COLOURS) + SHAPES
    return standalone_svg("".join(lines), (2 * half, height), "Before and after", style)


def _half(graph: ChangedGraph, placed: Placed, side: str) -> Iterator[str]:
    routed = zip(graph.edges, placed.routes, strict=True)
    visible = [pair for pair in routed if pair[0].change != ABSENT[side]]
    for edge, points in visible:
        yield _edge(edge, EdgeLine(key="", points=points), side)
    for edge, points in visible:
        if edge.change != "same" or not _is_chained(edge, side):
            (x0, y0), (x1, y1) = points[-2:]
            place = ((x0 + x1) / 2 + ASIDE, (y0 + y1) / 2)
            yield label_part("", _label(edge, side), place, f"label {edge.change}").svg
    for operator, centre in zip(graph.operators, placed.centres, strict=True):
        if operator.change != ABSENT[side]:
            width, height = operator_card(_longest(operator))
            shape = Shape(key="", x=centre[0], y=centre[1], width=width, height=height)
            yield _card(_as_it_was(operator) if side == SIDES[0] else operator, shape)


def _edge(edge: ShownEdge, line: EdgeLine, side: str) -> str:
    x, y = line.points[-1]
    cut = "" if _is_chained(edge, side) else " cut"
    path = path_through([*line.points[:-1], (x, y - 5)])
    tip = f"M{at(x)} {at(y)}l-4 -7.5h8z"
    return (
        f'<g class="{edge.change}{cut}"><path class="route" d="{path}"/>'
        f'<path class="tip" d="{tip}"/></g>'
    )


def _card(operator: ShownOperator, shape: Shape) -> str:
    left, top, right, _ = outline(shape)
    space = shape.width - 24
    title = fitted(shortened(operator.name), space, SIZES["name"])
    content = text(title, (left + 12, top + 18), "name")
    content += text(operator.change.replace("same", ""), (left + 12, top + 33), "sign")
    facts = " ".join(new for _, new in operator.changes if new != operator.name)
    shown = facts if "×" in facts else f"{facts} {spread(operator.parallelism)}"
    content += text(short_ids(shown.strip()), (right - 12, top + 33), "mono mute end")
    return (
        f'<g class="card {operator.change}" data-card="{operator.key}">'
        f"<title>{xml(shortened(operator.name))}</title>"
        f'<rect x="{at(left)}" y="{at(top)}" width="{at(shape.width)}" '
        f'height="{at(shape.height)}" rx="{RADII["card"]:g}"/>{content}</g>'
    )


def _as_it_was(operator: ShownOperator) -> ShownOperator:
    """Return the operator with the name and the changed facts of the baseline."""
    old_values = {new: old for old, new in operator.changes}
    return msgspec.structs.replace(
        operator,
        name=old_values.get(operator.name, operator.name),
        changes=tuple((new, old) for old, new in operator.changes),
    )


def _longest(operator: ShownOperator) -> str:
    return max(operator.name, _as_it_was(operator).name, key=len)


def _is_chained(edge: ShownEdge, side: str) -> bool:
    return edge.was_chained if side == SIDES[0] else edge.chained


def _label(edge: ShownEdge, side: str) -> Label:
    """Return the partitioner, and whether the edge is chained where that changed."""
    partitioner = edge.old_partitioner if side == SIDES[0] else edge.partitioner
    chained = "chained" if _is_chained(edge, side) else "not chained"
    words = f"{partitioner} · {chained}" if edge.chained != edge.was_chained else partitioner
    return Label(lines=(words,))
