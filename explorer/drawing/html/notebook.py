"""Representations of a compilation in a notebook: text, drawing, page in a frame.

A notebook picks the richest that it knows. Nothing is written, no server is started, nothing is
asked of the network.
"""

from html import escape
from typing import Final

from explorer.drawing.html.page_facts import operator_cells, operator_heads
from explorer.drawing.html.standalone import to_html
from explorer.drawing.layout.captions import facts
from explorer.drawing.svg.both_graphs import to_svg
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.one_line import one_line, shortened
from explorer.flink.compiler import Compilation

LARGE: Final = 200
"""Operators beyond which each chain is drawn as one card."""
MOST_EDGES: Final = 2_000
"""Edges beyond which a notebook shows text: each adds four kilobytes to the page."""
GRAPHS: Final = (340, 460)
"""The least and the greatest height of the graphs in the page's frame, in pixels."""
AROUND: Final = 150
"""Height of the page's title and of the table's heads, in pixels."""
ROW, MOST_ROWS = 34, 12
"""Height of a row of the table, in pixels, and the rows that are shown without scrolling."""
WIDEST: Final = 40
"""Characters of a cell of the table."""


def mime_bundle(compilation: Compilation, view: GraphView, name: str) -> dict[str, str]:
    """Map MIME types to the compilation as text, drawing and page; text alone if it is huge."""
    if len(view.bundled.edges) > MOST_EDGES:
        return {"text/plain": to_text(view, name)}
    folded = len(view.nodes) > LARGE
    page = to_html(compilation, view, name, folded=folded)
    operators, (minimum, maximum) = len(view.nodes), GRAPHS
    graphs = max(minimum, min(maximum, 70 * operators))
    return {
        "text/plain": to_text(view, name),
        "image/svg+xml": to_svg(view, name, folded=folded),
        "text/html": framed(page, name, height=AROUND + graphs + ROW * min(operators, MOST_ROWS)),
    }


def framed(page: str, name: str, *, height: int) -> str:
    """Return a page in a frame that shares nothing with the page around it."""
    return (
        f'<iframe title="{escape(shortened(name))}" sandbox="allow-scripts" '
        f'style="width:100%;height:{height}px;border:0;border-radius:8px" '
        f'srcdoc="{escape(page)}"></iframe>'
    )


def to_text(view: GraphView, name: str) -> str:
    """Return a table of all operators, a line each."""
    rows = [operator_heads(view), *(row for _, row in operator_cells(view))]
    cells = [[shortened(cell, WIDEST) for cell in row[:-1]] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in cells)
    return "\n".join((f"{one_line(name)}: {facts(view)}", *lines))
