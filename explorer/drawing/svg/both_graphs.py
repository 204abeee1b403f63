"""Both graphs as one SVG, without a library and without external files.

The text depends on the graph alone: the same graph gives the same drawing. Its rules of style hold
for a class of its own, so that drawings share a page without disturbing one another.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import blake2s
from typing import Final, Literal, TypeAlias

import msgspec

from explorer.drawing.layout.blocks import Pane, job_pane, stream_pane
from explorer.drawing.layout.captions import facts, job_labels, labels_for, stream_labels
from explorer.drawing.layout.layers import Size
from explorer.drawing.layout.orientation import DOWN, RIGHT, TURNED_OPERATORS, Orientation
from explorer.drawing.svg.highlights import highlighted_parts
from explorer.drawing.svg.svg_parts import DrawnPart, job_parts, stream_parts
from explorer.drawing.svg.svg_style import Theme, style_sheet
from explorer.drawing.svg.svg_text import at, text, xml
from explorer.drawing.view.annotations import BARE, Annotations
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.one_line import fitted, shortened

Which: TypeAlias = Literal["both", "stream", "job"]
"""Which graph is drawn."""
Levels: TypeAlias = Which | Literal["execution"]
"""A drawing of StreamGraph, JobGraph or both, or of the ExecutionGraph."""
Level: TypeAlias = Literal["stream", "job", "execution"]
"""The graph of one drawing."""
Lights: TypeAlias = Mapping[str, Collection[str]]
Folded: TypeAlias = bool | Collection[str]
"""Which chains are drawn as one card each: all, none, or those with these keys."""

TITLES: Final[Mapping[Which, str]] = {"stream": "StreamGraph", "job": "JobGraph"}
MARGIN: Final = 24.0
HEAD: Final = 62.0
"""Height of the title, the facts and the rule below them."""
CAPTION: Final = 40.0
"""Height of a graph's own title."""
NARROWEST: Final = 300.0
LARGEST: Final = 1.4
"""Scale up to which a board enlarges a graph."""
GAIN: Final = 1.15
"""Factor by which graphs from left to right must be larger than top-down ones."""


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """One graph as SVG parts, ``x`` from its boxes' middle, ``y`` from its top."""

    level: Level
    title: str
    parts: tuple[DrawnPart, ...]
    width: float
    height: float
    across: bool = False
    """Whether edges lead to the right."""


def draw_graphs(
    view: GraphView,
    which: Which = "both",
    *,
    folded: Folded = False,
    added: Annotations = BARE,
    orientation: Orientation = DOWN,
) -> list[Drawn]:
    """Draw each graph alone, with the annotations ``added`` to it."""
    drawns, view = [], view.bundled
    cards = folded if not isinstance(folded, bool) else view.vertex_of if folded else ()
    if which != "job":
        labels = labels_for(orientation, stream_labels(view))
        pane = stream_pane(view, labels, cards, orientation=orientation)
        parts = stream_parts(view, pane, labels, added)
        drawns.append(drawing_of("stream", view.words.stream, pane, parts, orientation))
    if which != "stream":
        labels = labels_for(orientation, job_labels(view, added.figures.edges))
        pane = job_pane(view, labels, figures=bool(added.figures.bars), orientation=orientation)
        parts = job_parts(view, pane, labels, added)
        drawns.append(drawing_of("job", view.words.job, pane, parts, orientation))
    return drawns


def draw_largest(
    view: GraphView,
    which: Which,
    space: Size,
    *,
    folded: Folded = False,
    added: Annotations = BARE,
) -> list[Drawn]:
    """Draw each graph alone, in the direction that shows all of them larger in ``space``.

    Top-down graphs stand side by side there, those from left to right one above the other.
    """
    down = draw_graphs(view, which, folded=folded, added=added)
    if len(view.nodes) > TURNED_OPERATORS:
        return down
    right = draw_graphs(view, which, folded=folded, added=added, orientation=RIGHT)
    return right if scale_in(space, right) > GAIN * scale_in(space, down) else down


def scale_in(space: Size, graphs: Sequence[Drawn]) -> float:
    """Return the scale at which a board shows all of the graphs whole."""
    width, height = space
    if graphs[0].across:
        height /= len(graphs)
    else:
        width /= len(graphs)
    return min(
        LARGEST,
        *(min(width / max(graph.width, 1), height / max(graph.height, 1)) for graph in graphs),
    )


def drawing_of(
    level: Level,
    title: str,
    pane: Pane,
    parts: Iterator[DrawnPart],
    orientation: Orientation = DOWN,
) -> Drawn:
    """Return a graph as SVG parts with the size of its layout."""
    return Drawn(
        level=level,
        title=title,
        parts=tuple(parts),
        width=2 * max(-pane.left, pane.right),
        height=pane.height,
        across=orientation.across,
    )


def to_svg(
    view: GraphView,
    name: str,
    which: Which = "both",
    *,
    folded: Folded = False,
    theme: Theme = "auto",
    lights: Lights | None = None,
    added: Annotations = BARE,
    orientation: Orientation = DOWN,
) -> str:
    """Both graphs side by side, or one of them, below the name and what there is of everything.

    ``lights``: highlights by key; see ``highlights.py``. ``added``: figures of a run and findings
    of ``check``. Graphs with edges to the right stand one above the other.
    """
    graphs = draw_graphs(view, which, folded=folded, added=added, orientation=orientation)
    annotated = added != BARE
    return graphs_svg(
        view,
        name,
        graphs,
        theme=theme,
        lights=lights,
        annotated=annotated,
        stacked=orientation.across,
    )


def graphs_svg(
    view: GraphView,
    name: str,
    graphs: Sequence[Drawn],
    *,
    theme: Theme,
    lights: Lights | None = None,
    annotated: bool = False,
    stacked: bool = False,
) -> str:
    """Return drawn graphs side by side below the name; ``annotated``: with figures and marks.

    ``stacked``: one above the other.
    """
    widths = [max(graph.width, NARROWEST) + 2 * MARGIN for graph in graphs]
    heights = [CAPTION + graph.height + MARGIN for graph in graphs]
    width = max(widths) if stacked else sum(widths)
    height = HEAD + (sum(heights) if stacked else max(heights))
    lines = [
        f'<rect class="ground" width="{at(width)}" height="{at(height)}" rx="8"/>',
        text(fitted(name, width - 2 * MARGIN, 16), (MARGIN, 28), "title"),
        text(facts(view), (MARGIN, 47), "mute"),
        f'<path class="rule" d="M0 {at(HEAD)}H{at(width)}"/>',
    ]
    left, top = 0.0, HEAD
    for graph, wide, high in zip(graphs, widths, heights, strict=True):
        if left or top > HEAD:
            end = f"M0 {at(top)}H{at(width)}" if stacked else f"M{at(left)} {at(HEAD)}V{at(height)}"
            lines.append(f'<path class="rule" d="{end}"/>')
        lines.append(text(graph.title.upper(), (left + MARGIN, top + 23), "head mute"))
        place = f"{at(left + wide / 2)} {at(top + CAPTION)}"
        parts = highlighted_parts((part.svg for part in graph.parts), lights or {})
        lines += [f'<g transform="translate({place})">', *parts, "</g>"]
        left, top = (0.0, top + high) if stacked else (left + wide, top)
    root = "sg-" + blake2s("\n".join(lines).encode(), digest_size=6).hexdigest()
    style = style_sheet(root, theme, highlighted=bool(lights), annotated=annotated)
    return _document(lines, (width, height), name, root, style)


def _document(lines: list[str], size: tuple[float, float], name: str, root: str, style: str) -> str:
    content = "\n".join(lines)
    width, height = map(at, size)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{root}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img">\n<title>{xml(shortened(name))}</title>\n'
        f"<style>\n{style}\n</style>\n{content}\n</svg>\n"
    )
