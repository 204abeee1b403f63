"""What is a graph in DOT, the language of Graphviz?"""

from collections.abc import Collection, Iterator
from typing import Final

from explorer.drawing.captions import job_caption, spread, stream_caption, unsigned
from explorer.drawing.elements import drawn_edges
from explorer.drawing.graph_view import GraphView, VertexView
from explorer.drawing.one_line import shortened
from explorer.drawing.palette import PARTS, hue

_HEAD: Final = (
    'graph [fontname="sans-serif", fontsize=11, ranksep=0.5];',
    'node [shape=box, style=rounded, fontname="sans-serif", fontsize=12];',
    'edge [fontname="sans-serif", fontsize=10];',
)


def stream_dot(view: GraphView, folded: Collection[str] = ()) -> str:
    """The StreamGraph, a cluster a chain; streams that cross tasks are dashed.

    ``folded``: the keys of the chains that are one box each.
    """
    lines = ["digraph stream_graph {", *(f"  {line}" for line in _HEAD)]
    for vertex in view.vertices:
        lines += [_task(vertex)] if vertex.key in folded else _chain(view, vertex)
    for edge, source, target in drawn_edges(view, folded):
        looks = f' [label={quoted(stream_caption(edge))}, style=dashed, color="{PARTS["cut"][0]}"]'
        lines.append(f"  {unsigned(source)} -> {unsigned(target)}{'' if edge.chained else looks};")
    return "\n".join([*lines, "}"]) + "\n"


def _chain(view: GraphView, vertex: VertexView) -> Iterator[str]:
    yield f"  subgraph cluster_{vertex.key} {{"
    yield f'    label="chain {vertex.number}"; style="rounded,dashed"; labeljust=l;'
    yield f'    color="{hue(vertex.number)[0]}";'
    for key in vertex.nodes:
        node = view.node_of[key]
        label = quoted(f"{shortened(node.name)} {spread(node.parallelism)}")
        yield f"    {unsigned(key)} [label={label}];"
    yield "  }"


def job_dot(view: GraphView) -> str:
    """The JobGraph."""
    lines = ["digraph job_graph {", *(f"  {line}" for line in _HEAD)]
    lines += map(_task, view.vertices)
    lines += [
        f"  {edge.source} -> {edge.target} [label={quoted(job_caption(edge))}];"
        for edge in view.job_edges
    ]
    return "\n".join([*lines, "}"]) + "\n"


def _task(vertex: VertexView) -> str:
    label = quoted(f"{shortened(vertex.name)} {spread(vertex.parallelism)}")
    return f'  {vertex.key} [label={label}, color="{hue(vertex.number)[0]}"];'


def quoted(text: str) -> str:
    r"""A line of text as a label: Graphviz reads escapes and HTML entities in one.

    >>> print(quoted('a\\N "b" &lt;'))
    "a\\N \"b\" &amp;lt;"
    """
    text = text.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'
