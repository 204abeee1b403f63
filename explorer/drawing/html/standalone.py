"""One standalone HTML page with StreamGraph and JobGraph, one of them, or the ExecutionGraph.

The page holds everything: it asks nothing of any other place, and its policy forbids it to. What
users named reaches it as escaped text or as JSON, never as markup; no script runs but its own.
"""

import base64
import json
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from typing import Final, Literal

from explorer.drawing.html.linked_modules import link_modules
from explorer.drawing.html.page_facts import (
    OPERATOR_HEADS,
    Json,
    execution_facts,
    operator_cells,
    operator_heads,
    page_facts,
)
from explorer.drawing.layout.captions import facts
from explorer.drawing.svg.both_graphs import Drawn, Folded, Levels, draw_largest
from explorer.drawing.svg.execution_pane import execution_pane
from explorer.drawing.svg.execution_svg import draw_execution
from explorer.drawing.svg.palette import HUES, hue_number, light_dark, properties
from explorer.drawing.svg.svg_style import MONO, SANS, Theme, board_sheet
from explorer.drawing.svg.svg_text import at
from explorer.drawing.view.annotations import BARE, Annotations
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.one_line import one_line, shortened
from explorer.flink.compiler import Compilation
from explorer.locations import browser_folder
from explorer.wording import without_turning

ASSETS: Final = browser_folder() / "page"
MARGIN: Final = 24.0
ABOVE: Final = 6.0
SPACE: Final = (1120.0, 620.0)
"""Width and height of both graphs on a page in a window of 1440 by 900."""
MONOSPACED: Final = frozenset({"operator ID", "task ID"})


def to_html(
    compilation: Compilation,
    view: GraphView,
    name: str,
    levels: Levels = "both",
    *,
    folded: Folded = False,
    theme: Theme = "auto",
    added: Annotations = BARE,
) -> str:
    """Return a page with the graphs, details of the selection, and a table of the operators.

    ``added``: a run's figures and what ``check`` found, in drawings of StreamGraph and JobGraph.
    Edges lead down, or to the right where that shows the graphs larger.
    Raises ``ExplorerError`` for the ExecutionGraph of a program that has none.
    """
    view = view.bundled
    if levels == "execution":
        laid = execution_pane(compilation, view)
        graphs, values = [draw_execution(view, laid)], execution_facts(compilation, view, laid)
    else:
        graphs = draw_largest(view, levels, SPACE, folded=folded, added=added)
        values = page_facts(compilation, view)
    style = "\n".join((*_colours(theme), board_sheet("sg"), _asset("page.css")))
    script = link_modules(ASSETS / "page.js")
    digest = base64.b64encode(sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    lines = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(shortened(name))}</title>",
        f"<style>\n{style}</style></head>",
        '<body class="sheet">',
        f"<header><h1>{escape(one_line(name))}</h1><p>{facts(view)}</p></header>",
        f'<main class="{arrangement(graphs)}">',
        *(line for graph in graphs for line in pane_lines(graph)),
        '<aside aria-live="polite"><h2>Details</h2>',
        '<p class="hint">Select an operator, a chain, a task or an edge.</p></aside></main>',
        *_table(view),
        f'<script type="application/json" id="facts">{_json(values)}</script>',
        f'<script type="module">{script}</script></body></html>',
    ]
    return "\n".join(lines) + "\n"


def arrangement(graphs: Sequence[Drawn]) -> Literal["one", "side", "stacked"]:
    """Return how graphs share their space, as a class of their ``main``."""
    if len(graphs) == 1:
        return "one"
    return "stacked" if graphs[0].across else "side"


def pane_lines(graph: Drawn) -> Iterator[str]:
    """One graph below its title, as lines of markup."""
    left, width = -graph.width / 2 - MARGIN, graph.width + 2 * MARGIN
    box = f"{at(left)} {at(-ABOVE)} {at(width)} {at(graph.height + ABOVE + MARGIN)}"
    yield f'<section class="pane"><div class="bar"><h2>{graph.title}</h2></div>'
    across = " data-across" * graph.across
    yield f'<div class="stage" data-graph="{graph.level}"{across} aria-label="{graph.title}">'
    yield f'<svg class="sg" viewBox="{box}" preserveAspectRatio="xMidYMin meet">'
    yield from (part.svg for part in graph.parts)
    yield "</svg></div></section>"


def _table(view: GraphView) -> Iterator[str]:
    heads = "".join(f'<th scope="col">{head}</th>' for head in operator_heads(view))
    yield '<section class="operators"><h2>Operators</h2>'
    yield f"<table><thead><tr>{heads}</tr></thead><tbody>"
    for node, row in operator_cells(view):
        chain = hue_number(view.vertex_of[node.vertex].colour)
        cells = []
        for head, words in zip(OPERATOR_HEADS, row, strict=True):
            content = escape(without_turning(words))
            if head == "operator":
                content = f'<button type="button">{content}</button>'
            if head == "chain":
                content = f'<i class="chain c{chain}"></i>{content}'
            cells.append(f"<td{' class=mono' if head in MONOSPACED else ''}>{content}</td>")
        yield f'<tr data-key="{node.key}">{"".join(cells)}</tr>'
    yield "</tbody></table></section>"


def _colours(theme: Theme) -> Iterator[str]:
    """Yield the page's own colours as properties, and those of the chains."""
    schemes = {"auto": "light dark"}.get(theme, theme)
    colours = properties("--x-")
    yield f":root{{color-scheme:{schemes};--sans:{SANS};--mono:{MONO};{colours}}}"
    yield from (f".c{number}{{background:{light_dark(pair)}}}" for number, pair in enumerate(HUES))


def _json(value: Json) -> str:
    """Return JSON in which nothing can end the element that holds it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


@cache
def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")
