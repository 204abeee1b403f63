"""What is a graph in Mermaid's words, for a README or a wiki that draws it?"""

import re
from collections.abc import Collection, Iterator
from typing import Final

from explorer.drawing.captions import job_caption, spread, stream_caption, unsigned
from explorer.drawing.elements import drawn_edges
from explorer.drawing.graph_view import GraphView, VertexView
from explorer.drawing.one_line import shortened
from explorer.drawing.palette import PARTS, hue

_SPECIAL: Final = re.compile("[!-'*+.:-@\\[-`{-~ﬂ°¶ß-]")
"""What Mermaid, Markdown or HTML may read as more than itself, and what Mermaid's own decoder of
entities looks for."""


def stream_mermaid(view: GraphView, folded: Collection[str] = ()) -> str:
    """The StreamGraph as a flowchart, a subgraph a chain; streams that cross tasks are dotted.

    ``folded``: the keys of the chains that are one box each.
    """
    lines = ["flowchart TD"]
    for vertex in view.vertices:
        lines += _task(vertex) if vertex.key in folded else _chain(view, vertex)
    cut = []
    for number, (edge, source, target) in enumerate(drawn_edges(view, folded)):
        arrow = "-->" if edge.chained else f'-.->|"{escaped(stream_caption(edge))}"|'
        lines.append(f"  {unsigned(source)} {arrow} {unsigned(target)}")
        if not edge.chained:
            cut.append(str(number))
    if cut:
        lines.append(f"  linkStyle {','.join(cut)} stroke:{PARTS['cut'][0]}")
    return "\n".join(lines) + "\n"


def _chain(view: GraphView, vertex: VertexView) -> Iterator[str]:
    yield f'  subgraph {vertex.key}["chain {vertex.number}"]'
    for key in vertex.nodes:
        node = view.node_of[key]
        yield f'    {unsigned(key)}["{escaped(node.name)} {spread(node.parallelism)}"]'
    yield "  end"
    yield f"  style {vertex.key} fill:none,stroke:{hue(vertex.number)[0]},stroke-dasharray:4 4"


def job_mermaid(view: GraphView) -> str:
    """The JobGraph as a flowchart."""
    lines = ["flowchart TD"]
    for vertex in view.vertices:
        lines += _task(vertex)
    lines += [
        f'  {edge.source} -->|"{escaped(job_caption(edge))}"| {edge.target}'
        for edge in view.job_edges
    ]
    return "\n".join(lines) + "\n"


def _task(vertex: VertexView) -> Iterator[str]:
    yield f'  {vertex.key}["{escaped(vertex.name)} {spread(vertex.parallelism)}"]'
    yield f"  style {vertex.key} stroke:{hue(vertex.number)[0]},stroke-width:2px"


def escaped(text: str) -> str:
    """A user's text for a quoted label: every sign that could mean something is an entity.

    >>> escaped('a -> "b"')
    'a #45;#62; #34;b#34;'
    """
    return _SPECIAL.sub(lambda match: f"#{ord(match[0])};", shortened(text))
