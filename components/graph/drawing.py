"""Plain JSON with which the browser shows the graphs: their SVG in parts, and their sizes."""

import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Any, Final

import msgspec

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
from explorer.drawing.layout.captions import (
    job_labels,
    labels_for,
    partitioner_labels,
    stream_labels,
)
from explorer.drawing.layout.labels import Label
from explorer.drawing.layout.orientation import (
    DENSE_DOWN,
    DENSE_RIGHT,
    DOWN,
    RIGHT,
    SINGLE_LINE_DOWN,
    TURNED_OPERATORS,
    EdgeDirection,
    Orientation,
)
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
WAYS: Final = (DOWN, RIGHT)
DENSE: Final = (DENSE_DOWN, DENSE_RIGHT)
"""The ways of edges where space is scarce."""
SINGLE_LINE: Final = (SINGLE_LINE_DOWN, DENSE_RIGHT)
"""The same with cards of one line."""
SPOKEN: Final = "the table below shows the same"


@collector_paused()
def drawing(
    view: GraphView,
    *,
    added: Annotations,
    folded: Collection[str],
    operators: int | None = None,
    unread: Collection[UnreadTransformation] = (),
    asks: bool = False,
    direction: EdgeDirection = "down",
) -> Json:
    """Everything that is drawn, the same for all sessions: see ``of_document``.

    ``folded``: the chains that are one card each; ``operators``: how many there are where not all
    of them are drawn; ``unread``: transformations beside the graph; ``asks``: whether a question
    may hide the chains. Of a small graph the browser draws ``compact``, ``dense`` and
    ``unchained_lines`` where names would be too small otherwise: a chain is one card; tasks, too,
    need less space; an operator's card without chains has one line. ``direction`` is
    that of a graph that is too large to be drawn in both.
    """
    view, words = view.bundled, view.words
    part = _part(view, operators)
    small = len(view.nodes) <= OVERVIEW
    overview = len(view.nodes) >= OVERVIEW
    scene = _Scene(view=view, added=added, unread=unread, direction=direction)
    return {
        "counterparts": view.counterparts,
        "folded": [
            vertex.key for vertex in view.vertices if vertex.key in folded and len(vertex.nodes) > 1
        ],
        "unchained": {"document": f"{part}-unchained", **scene.both_ways(_draw_unchained, DENSE)}
        if asks
        else None,
        "unchained_lines": {
            "document": f"{part}-unchained",
            **scene.both_ways(partial(_draw_unchained, single_line=True), SINGLE_LINE),
        }
        if asks and small
        else None,
        "compact": {
            "document": f"{part}-compact",
            **scene.both_ways(partial(_draw_stream, folded=view.vertex_of), DENSE),
        }
        if small
        else None,
        "dense": {"document": f"{part}-dense", **scene.both_ways(_draw_job, DENSE)}
        if small
        else None,
        "stream": {
            "title": words.stream,
            "note": _note(len(view.nodes), operators),
            "spoken": f"{words.stream}, {counted(len(view.nodes), 'operator')}; {SPOKEN}",
            "overview": overview,
            "document": f"{part}-folded" if len(folded) == len(view.vertices) else part,
            **scene.both_ways(partial(_draw_stream, folded=folded)),
        },
        "job": {
            "title": words.job,
            "note": counted(len(view.vertices), "task"),
            "spoken": f"{words.job}, {counted(len(view.vertices), 'task')}; {SPOKEN}",
            "overview": overview,
            "document": part,
            **scene.both_ways(_draw_job),
        },
    }


def pack(graphs: Json) -> bytes:
    """Return a drawing in the form in which sessions retain it: a thirteenth of its memory."""
    return zlib.compress(msgspec.json.encode(graphs), 1)


def of_document(graphs: Json, document: str) -> Json:
    """Return a drawing with its graphs named for a document: its text changes with each opened."""
    return {
        name: {**graph, "document": f"{document}{graph['document']}"}
        if isinstance(graph, dict) and "document" in graph
        else graph
        for name, graph in graphs.items()
    }


@lru_cache(maxsize=2)
def unpack(packed: bytes) -> Json:
    """Return a drawing; a user who is alone does not wait for a large graph at each click."""
    graphs: Json = msgspec.json.decode(zlib.decompress(packed))
    return graphs


class _Scene(msgspec.Struct, frozen=True, kw_only=True):
    """What is drawn, whichever way its edges lead."""

    view: GraphView
    added: Annotations
    unread: Collection[UnreadTransformation]
    direction: EdgeDirection

    def both_ways(
        self,
        draw: Callable[["_Scene", Orientation], Json],
        ways: tuple[Orientation, Orientation] = WAYS,
    ) -> Json:
        """Draw a graph top-down and from left to right, a large one in its direction alone."""
        down, right = (partial(draw, self, way) for way in ways)
        return _both_ways(down, right, self.direction, small=is_turned(len(self.view.nodes)))


def is_turned(cards: int) -> bool:
    """Whether a graph is drawn in both directions, so that the browser chooses."""
    return cards <= TURNED_OPERATORS


def _both_ways(
    down: Callable[[], Json], right: Callable[[], Json], direction: EdgeDirection, *, small: bool
) -> Json:
    """Join both drawings of a graph; ``across`` is the second one, or true where it is the only."""
    if small:
        return down() | {"across": right()}
    return right() | {"across": True} if direction == "right" else down() | {"across": None}


def _draw_stream(scene: _Scene, orientation: Orientation, *, folded: Collection[str]) -> Json:
    """Draw the StreamGraph; ``folded``: the chains that are one card each."""
    view, unread = scene.view, scene.unread
    cut = labels_for(orientation, stream_labels(view))
    # The label of an edge within a chain is its partitioner alone.
    labels = {**labels_for(orientation, partitioner_labels(view)), **cut}
    pane = label_chained_edges(view, stream_pane(view, cut, folded, unread, orientation), labels)
    parts = (*stream_parts(view, pane, labels, scene.added), *unread_parts(view, pane, unread))
    return {**_pane(pane, parts, labels), "names": _names(view, pane, unread)}


def _draw_unchained(scene: _Scene, orientation: Orientation, *, single_line: bool = False) -> Json:
    """Draw the StreamGraph without chains, with the strategies and partitioners that rules read."""
    view, labels = scene.view, partitioner_labels(scene.view)
    pane = unchained_pane(view, labels, orientation, single_line=single_line)
    parts = unchained_parts(view, pane, labels, scene.added, single_line=single_line)
    return {**_pane(pane, parts, {}), "names": _names(view, pane)}


def _draw_job(scene: _Scene, orientation: Orientation) -> Json:
    view, added = scene.view, scene.added
    labels = labels_for(orientation, job_labels(view, added.figures.edges))
    pane = job_pane(view, labels, figures=bool(added.figures.bars), orientation=orientation)
    parts = job_parts(view, pane, labels, added)
    return {**_pane(pane, parts, labels), "names": _names(view, pane)}


def execution_drawing(
    compilation: Compilation | None,
    view: GraphView,
    *,
    document: str,
    direction: EdgeDirection = "down",
) -> Json:
    """Return the drawing of the ExecutionGraph, or the reason why there is none.

    ``direction`` is that of a graph that is too large to be drawn in both.
    """
    if compilation is None:
        return _no_execution(document, "No ExecutionGraph: the document does not compile.")
    try:
        counts = compilation.execution_graph.counts
        small = is_turned(counts.subtasks)
        down, right = (partial(_draw_execution, compilation, view.bundled, way) for way in WAYS)
        graph = _both_ways(down, right, direction, small=small)
    except ExplorerError as error:
        return _no_execution(document, str(error))
    later = f", {counts.undecided_vertices:,} tasks decided later" * bool(counts.undecided_vertices)
    note = f"{counted(counts.subtasks, 'subtask')} · {counted(counts.edges, 'channel')}{later}"
    return {
        **_execution_texts(document, note),
        **graph,
        "overview": len(graph["names"]) >= OVERVIEW,
    }


def _draw_execution(compilation: Compilation, view: GraphView, orientation: Orientation) -> Json:
    laid = execution_pane(compilation, view, orientation)
    names = {shape.key: laid.cards[shape.key].title for shape in laid.pane.shapes}
    return {**_pane(laid.pane, _of_tasks(view, laid), {}), "names": names}


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
        "across": _pane(empty, (), {}),
        "overview": False,
        "problem": cut(problem),
    }


def _note(cards: int, operators: int | None) -> str:
    every = counted(operators or cards, "operator")
    return every if operators in {None, cards} else f"{cards:,} of {every}"


def _part(view: GraphView, operators: int | None) -> str:
    """Identify the drawn part, since another part is shown from its top."""
    if operators in {None, len(view.nodes)}:
        return ""
    return f"-{zlib.crc32(repr([node.identity for node in view.nodes]).encode())}"


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
