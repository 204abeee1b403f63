"""Graphs in DOT, the language of Graphviz."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from explorer.drawing.layout.captions import job_caption, spread, stream_caption, unsigned
from explorer.drawing.svg.execution_pane import execution_pane
from explorer.drawing.svg.palette import PARTS, hue
from explorer.drawing.view.annotations import BARE, Annotations, job_notes, stream_notes
from explorer.drawing.view.elements import GraphView, VertexView, drawn_edges
from explorer.drawing.view.one_line import shortened
from explorer.flink.compiler import Compilation

_HEAD: Final = (
    'graph [fontname="sans-serif", fontsize=11, ranksep=0.5];',
    'node [shape=box, style=rounded, fontname="sans-serif", fontsize=12];',
    'edge [fontname="sans-serif", fontsize=10];',
)


def stream_dot(view: GraphView, folded: Collection[str] = (), added: Annotations = BARE) -> str:
    """The StreamGraph, a cluster a chain; streams that cross tasks are dashed.

    ``folded``: the keys of the chains that are one box each. ``added``: what further lines say.
    """
    lines = ["digraph stream_graph {", *(f"  {line}" for line in _HEAD)]
    for vertex in view.vertices:
        if vertex.key in folded:
            lines.append(_task(vertex, stream_notes(added, vertex.key)))
        else:
            lines += _chain(view, vertex, added)
    for edge, source, target in drawn_edges(view, folded):
        wording = stream_notes(added, edge.key)
        label = _label("" if edge.chained else stream_caption(edge), wording)
        cut = "" if edge.chained else f', style=dashed, color="{PARTS["cut"][0]}"'
        looks = f" [label={label}{cut}]" if cut or wording else ""
        lines.append(f"  {unsigned(source)} -> {unsigned(target)}{looks};")
    return "\n".join([*lines, "}"]) + "\n"


def _chain(view: GraphView, vertex: VertexView, added: Annotations) -> Iterator[str]:
    yield f"  subgraph cluster_{vertex.key} {{"
    yield f'    label="{view.words.chain} {vertex.number}"; style="rounded,dashed"; labeljust=l;'
    yield f'    color="{hue(vertex.colour)[0]}";'
    for key in vertex.nodes:
        node = view.node_of[key]
        words = f"{shortened(node.name)} {spread(node.parallelism)}"
        label = _label(words, stream_notes(added, key))
        yield f"    {unsigned(key)} [label={label}];"
    yield "  }"


def job_dot(view: GraphView, added: Annotations = BARE) -> str:
    """The JobGraph; ``added``: what further lines say."""
    lines = ["digraph job_graph {", *(f"  {line}" for line in _HEAD)]
    lines += [_task(vertex, job_notes(added, vertex.key)) for vertex in view.vertices]
    for edge in view.job_edges:
        label = _label(job_caption(edge), job_notes(added, edge.key))
        lines.append(f"  {edge.source} -> {edge.target} [label={label}];")
    return "\n".join([*lines, "}"]) + "\n"


def execution_dot(compilation: Compilation, view: GraphView, added: Annotations = BARE) -> str:
    """The ExecutionGraph: a cluster a task, a box for its subtasks, an edge a channel.

    As in the drawing, subtasks of a wide task share boxes; an edge for all channels of a job edge
    joins the first boxes. Raises ``ExplorerError`` for a program without an ExecutionGraph.
    """
    view = view.bundled
    laid = execution_pane(compilation, view)
    # A colon would name a port of a box.
    names = {key: key.replace(":", "_") for key in laid.cards}
    lines = ["digraph execution_graph {", *(f"  {line}" for line in _HEAD)]
    for vertex in view.vertices:
        words = f"{shortened(vertex.name)} {spread(vertex.parallelism)}"
        lines += [
            f"  subgraph cluster_{vertex.key} {{",
            f'    label={_label(words, job_notes(added, vertex.key))}; style="rounded,dashed";',
            f'    color="{hue(vertex.colour)[0]}";',
            *(
                f"    {names[key]} [label={_label(card.title, (card.line,))}];"
                for key, card in laid.cards.items()
                if card.task == vertex.key
            ),
            "  }",
        ]
    for line in laid.pane.lines:
        source, target = laid.ends[line.key]
        caption = _label("", laid.labels[laid.edges[line.key]].lines) if line.label else ""
        label = f" [label={caption}]" if caption else ""
        lines.append(f"  {names[source]} -> {names[target]}{label};")
    return "\n".join([*lines, "}"]) + "\n"


def _task(vertex: VertexView, below: Iterable[str]) -> str:
    words = f"{shortened(vertex.name)} {spread(vertex.parallelism)}"
    label = _label(words, below)
    return f'  {vertex.key} [label={label}, color="{hue(vertex.colour)[0]}"];'


def _label(first: str, below: Iterable[str]) -> str:
    """Lines as one label, which breaks where Graphviz reads a backslash and an n."""
    lines = [escaped(line) for line in (first, *map(shortened, below)) if line]
    return '"' + "\\n".join(lines) + '"'


def escaped(text: str) -> str:
    r"""A line of text for a quoted label: Graphviz reads escapes and HTML entities in one.

    >>> print(escaped('a\\N "b" &lt;'))
    a\\N \"b\" &amp;lt;
    """
    return text.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
