"""Graphs in Mermaid, for a README or a wiki."""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from explorer.drawing.layout.captions import job_caption, spread, stream_caption, unsigned
from explorer.drawing.svg.execution_pane import execution_pane
from explorer.drawing.svg.palette import PARTS, hue
from explorer.drawing.view.annotations import BARE, Annotations, job_notes, stream_notes
from explorer.drawing.view.elements import GraphView, VertexView, drawn_edges
from explorer.drawing.view.one_line import shortened
from explorer.flink.compiler import Compilation

_SPECIAL: Final = re.compile("[!-'*+.:-@\\[-`{-~ﬂ°¶ß-]")
"""What Mermaid, Markdown or HTML may read as more than itself, and what Mermaid's own decoder of
entities looks for."""


def stream_mermaid(view: GraphView, folded: Collection[str] = (), added: Annotations = BARE) -> str:
    """The StreamGraph as a flowchart, a subgraph a chain; streams that cross tasks are dotted.

    ``folded``: the keys of the chains that are one box each. ``added``: what further lines say.
    """
    lines = ["flowchart TD"]
    for vertex in view.vertices:
        if vertex.key in folded:
            lines += _task(vertex, stream_notes(added, vertex.key))
        else:
            lines += _chain(view, vertex, added)
    cut = []
    for number, (edge, source, target) in enumerate(drawn_edges(view, folded)):
        wording = stream_notes(added, edge.key)
        label = _label("" if edge.chained else escaped(stream_caption(edge)), wording)
        arrow = "-->" if edge.chained else "-.->"
        between = arrow if edge.chained and not wording else f"{arrow}|{label}|"
        lines.append(f"  {unsigned(source)} {between} {unsigned(target)}")
        if not edge.chained:
            cut.append(str(number))
    if cut:
        lines.append(f"  linkStyle {','.join(cut)} stroke:{PARTS['cut'][0]}")
    return "\n".join(lines) + "\n"


def _chain(view: GraphView, vertex: VertexView, added: Annotations) -> Iterator[str]:
    yield f'  subgraph {vertex.key}["{view.words.chain} {vertex.number}"]'
    for key in vertex.nodes:
        node = view.node_of[key]
        words = f"{escaped(node.name)} {spread(node.parallelism)}"
        label = _label(words, stream_notes(added, key))
        yield f"    {unsigned(key)}[{label}]"
    yield "  end"
    yield f"  style {vertex.key} fill:none,stroke:{hue(vertex.colour)[0]},stroke-dasharray:4 4"


def job_mermaid(view: GraphView, added: Annotations = BARE) -> str:
    """The JobGraph as a flowchart; ``added``: what further lines say."""
    lines = ["flowchart TD"]
    for vertex in view.vertices:
        lines += _task(vertex, job_notes(added, vertex.key))
    for edge in view.job_edges:
        label = _label(escaped(job_caption(edge)), job_notes(added, edge.key))
        lines.append(f"  {edge.source} -->|{label}| {edge.target}")
    return "\n".join(lines) + "\n"


def execution_mermaid(compilation: Compilation, view: GraphView, added: Annotations = BARE) -> str:
    """The ExecutionGraph as a flowchart: a subgraph a task, a box for its subtasks.

    As in the drawing, subtasks of a wide task share boxes; an edge for all channels of a job edge
    joins the first boxes. Raises ``ExplorerError`` for a program without an ExecutionGraph.
    """
    view = view.bundled
    laid = execution_pane(compilation, view)
    names = {key: key.replace(":", "_") for key in laid.cards}
    lines = ["flowchart TD"]
    for vertex in view.vertices:
        words = f"{escaped(vertex.name)} {spread(vertex.parallelism)}"
        lines.append(f"  subgraph {vertex.key}[{_label(words, job_notes(added, vertex.key))}]")
        for key, card in laid.cards.items():
            if card.task == vertex.key:
                lines.append(f"    {names[key]}[{_label(escaped(card.title), (card.line,))}]")
        lines += ["  end", f"  style {vertex.key} fill:none,stroke:{hue(vertex.colour)[0]}"]
    for line in laid.pane.lines:
        source, target = laid.ends[line.key]
        caption = _label("", laid.labels[laid.edges[line.key]].lines)
        between = f"-->|{caption}|" if line.label else "-->"
        lines.append(f"  {names[source]} {between} {names[target]}")
    return "\n".join(lines) + "\n"


def _task(vertex: VertexView, below: Iterable[str]) -> Iterator[str]:
    words = f"{escaped(vertex.name)} {spread(vertex.parallelism)}"
    yield f"  {vertex.key}[{_label(words, below)}]"
    yield f"  style {vertex.key} stroke:{hue(vertex.colour)[0]},stroke-width:2px"


def _label(first: str, below: Iterable[str]) -> str:
    """Lines as one label, of which the first is escaped."""
    return f'"{"<br/>".join(line for line in (first, *map(escaped, below)) if line)}"'


def escaped(text: str) -> str:
    """A user's text for a quoted label: every sign that could mean something is an entity.

    >>> escaped('a -> "b"')
    'a #45;#62; #34;b#34;'
    """
    return _SPECIAL.sub(lambda match: f"#{ord(match[0])};", shortened(text))
