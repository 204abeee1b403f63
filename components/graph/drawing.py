"""Plain JSON with which the browser shows the graphs: their SVG in parts, and their sizes."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final
from zlib import crc32

from components.widgets.escaping import cut
from explorer.collector import collector_paused
from explorer.drawing.layout.blocks import (
    Pane,
    Shape,
    job_pane,
    label_chained_edges,
    stream_pane,
    unchained_pane,
)
from explorer.drawing.layout.captions import job_labels, partitioner_labels, stream_labels
from explorer.drawing.layout.labels import Label
from explorer.drawing.svg.execution_pane import ExecutionPane, execution_pane
from explorer.drawing.svg.execution_svg import execution_parts
from explorer.drawing.svg.svg_parts import (
    DrawnPart,
    job_parts,
    loose_label_parts,
    stream_parts,
    unchained_parts,
    unread_parts,
)
from explorer.drawing.view.annotations import Annotations
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.unread import UnreadTransformation
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.wording import counted

Json = dict[str, Any]
OVERVIEW: Final = 100
"""Number of operators from which both graphs have an overview map."""
SPOKEN: Final = "the table below shows the same"


@collector_paused()
def drawing(
    view: GraphView,
    *,
    document: str,
    added: Annotations,
    folded: Collection[str],
    operators: int | None = None,
    unread: Collection[UnreadTransformation] = (),
    asks: bool = False,
) -> Json:
    """Everything that is drawn; ``document`` changes when another document is opened.

    ``folded``: the chains that are one card each; ``operators``: how many there are where not all
    of them are drawn; ``unread``: transformations beside the graph; ``asks``: whether a question
    may hide the chains.
    """
    view, words = view.bundled, view.words
    on_stream, on_job = _stream_labels(view), job_labels(view, added.figures.edges)
    stream = stream_pane(view, stream_labels(view), folded, unread)
    stream = label_chained_edges(view, stream, on_stream)
    job = job_pane(view, on_job, figures=bool(added.figures.bars))
    part = f"{document}{_part(view, operators)}"
    foldable = not folded and len(view.vertices) < len(view.nodes) <= OVERVIEW
    overview = len(view.nodes) >= OVERVIEW
    return {
        "counterparts": view.counterparts,
        "folded": [shape.key for shape in stream.shapes if shape.key in view.vertex_of],
        "unchained": _draw_unchained(view, added, part) if asks else None,
        "compact": _draw_compact(view, added, part, unread) if foldable else None,
        "stream": {
            "title": words.stream,
            "note": _note(len(view.nodes), operators),
            "spoken": f"{words.stream}, {counted(len(view.nodes), 'operator')}; {SPOKEN}",
            "overview": overview,
            "document": f"{part}-folded" if len(folded) == len(view.vertices) else part,
            **_pane(
                stream,
                (
                    *stream_parts(view, stream, on_stream, added),
                    *unread_parts(view, stream, unread),
                ),
                on_stream,
            ),
            "names": _names(view, stream, unread),
        },
        "job": {
            "title": words.job,
            "note": counted(len(view.vertices), "task"),
            "spoken": f"{words.job}, {counted(len(view.vertices), 'task')}; {SPOKEN}",
            "overview": overview,
            "document": part,
            **_pane(job, job_parts(view, job, on_job, added), on_job),
            "names": _names(view, job),
        },
    }


def execution_drawing(compilation: Compilation | None, view: GraphView, *, document: str) -> Json:
    """Return the drawing of the ExecutionGraph, or the reason why there is none."""
    try:
        laid = execution_pane(compilation, view.bundled) if compilation else None
    except ExplorerError as error:
        return _no_execution(document, str(error))
    if compilation is None or laid is None:
        return _no_execution(document, "No ExecutionGraph: the document does not compile.")
    counts = compilation.execution_graph.counts
    later = f", {counts.undecided_vertices:,} tasks decided later" * bool(counts.undecided_vertices)
    note = f"{counted(counts.subtasks, 'subtask')} · {counted(counts.edges, 'channel')}{later}"
    return {
        **_execution_texts(document, note),
        **_pane(laid.pane, _of_tasks(view.bundled, laid), {}),
        "names": {shape.key: laid.cards[shape.key].title for shape in laid.pane.shapes},
        "overview": len(laid.pane.shapes) >= OVERVIEW,
    }


def _of_tasks(view: GraphView, laid: ExecutionPane) -> Iterator[DrawnPart]:
    """Yield the parts of the ExecutionGraph; a click on a subtask selects its task."""
    for part in execution_parts(view, laid):
        card = laid.cards.get(part.key)
        yield part._replace(key=card.task) if card else part


def _execution_texts(document: str, note: str) -> Json:
    spoken = f"ExecutionGraph, {note}; the tab Execution graph lists all of them"
    return {"title": "ExecutionGraph", "note": note, "spoken": spoken, "document": document}


def _no_execution(document: str, problem: str) -> Json:
    empty = Pane(shapes=(), boxes=(), lines=(), left=0.0, right=0.0, height=0.0)
    texts = _execution_texts(f"{document}-none", "")
    return {
        **texts,
        **_pane(empty, (), {}),
        "names": {},
        "overview": False,
        "problem": cut(problem),
    }


def _note(shown: int, operators: int | None) -> str:
    every = counted(operators or shown, "operator")
    return every if operators in {None, shown} else f"{shown:,} of {every}"


def _part(view: GraphView, operators: int | None) -> str:
    """Identify the drawn part, since another part is shown from its top."""
    if operators in {None, len(view.nodes)}:
        return ""
    return f"-{crc32(repr([node.identity for node in view.nodes]).encode())}"


def _stream_labels(view: GraphView) -> dict[str, Label]:
    """Map each edge to its label: the partitioner alone for an edge within a chain."""
    return partitioner_labels(view) | stream_labels(view)


def _draw_compact(
    view: GraphView,
    added: Annotations,
    document: str,
    unread: Collection[UnreadTransformation],
) -> Json:
    """Draw the StreamGraph with one card for each chain, for a pane without space for more."""
    labels = stream_labels(view)
    pane = stream_pane(view, labels, view.vertex_of, unread)
    parts = (*stream_parts(view, pane, labels, added), *unread_parts(view, pane, unread))
    names = _names(view, pane, unread)
    return {"document": f"{document}-compact", **_pane(pane, parts, labels), "names": names}


def _draw_unchained(view: GraphView, added: Annotations, document: str) -> Json:
    """Draw the StreamGraph without chains, with the strategies and partitioners that rules read."""
    labels = partitioner_labels(view)
    pane = unchained_pane(view, labels)
    parts = unchained_parts(view, pane, labels, added)
    names = _names(view, pane)
    return {"document": f"{document}-unchained", **_pane(pane, parts, {}), "names": names}


def _names(
    view: GraphView, pane: Pane, unread: Collection[UnreadTransformation] = ()
) -> dict[str, str]:
    """Map each card to its name as the user wrote it, which a screen reader announces."""
    names = {key: node.title for key, node in view.node_of.items()}
    names |= {transformation.key: transformation.id for transformation in unread}
    names |= {key: vertex.name for key, vertex in view.vertex_of.items()}
    return {shape.key: cut(names[shape.key]) for shape in pane.shapes}


def _pane(pane: Pane, parts: Iterable[DrawnPart], labels: Mapping[str, Label]) -> Json:
    """Return the extent of a drawing, with and without its labels, and its parts."""
    ends = [(shape.x - shape.width / 2, shape.x + shape.width / 2) for shape in _shapes(pane)]
    return {
        "left": round(pane.left, 1),
        "right": round(pane.right, 1),
        "sides": [
            round(min(left for left, _ in ends), 1),
            round(max(right for _, right in ends), 1),
        ]
        if ends
        else [0, 0],
        "height": round(pane.height, 1),
        "parts": [
            (part.id, part.key, [round(side, 1) for side in part.area], part.svg)
            for part in (*parts, *loose_label_parts(pane, labels))
        ],
    }


def _shapes(pane: Pane) -> Iterator[Shape]:
    yield from pane.shapes
    yield from pane.boxes
