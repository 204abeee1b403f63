"""Plain JSON with which the browser draws both graphs, from a view and a trial's figures."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final
from zlib import crc32

from components.widgets.escaping import cut
from explorer.collector import collector_paused
from explorer.drawing.layout.blocks import (
    EdgeLine,
    Pane,
    Shape,
    job_pane,
    stream_pane,
    unchained_pane,
)
from explorer.drawing.layout.captions import job_labels, partitioner_labels, spread, stream_labels
from explorer.drawing.layout.labels import Label
from explorer.drawing.svg.execution_pane import SubtaskCard, execution_pane
from explorer.drawing.svg.palette import Pair, hue
from explorer.drawing.view.annotations import Annotations, Figures, Mark
from explorer.drawing.view.elements import GraphView
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.wording import counted

Json = dict[str, Any]
Tips = Mapping[str, str]
"""By key of an element, the first line of its tip."""
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
    asks: bool = False,
) -> Json:
    """Everything that is drawn; ``document`` changes when another document is opened.

    ``folded``: the chains that are one card each; ``operators``: how many there are where not all
    of them are drawn; ``asks``: whether a question may hide the chains.
    """
    view, figures = view.bundled, added.figures
    words = view.words
    on_stream, on_job = stream_labels(view), job_labels(view, figures.edges)
    stream = stream_pane(view, on_stream, folded)
    job = job_pane(view, on_job, figures=bool(figures.bars))
    part = f"{document}{_part(view, operators)}"
    tips = _tips(view)
    return {
        "counterparts": view.counterparts,
        "folded": [vertex.key for vertex in view.vertices if vertex.key in folded],
        "unchained": _draw_unchained(view, figures, tips, part) if asks else None,
        "stream": {
            "title": words.stream,
            "note": _note(len(view.nodes), operators),
            "spoken": f"{words.stream}, {counted(len(view.nodes), 'operator')}; {SPOKEN}",
            "overview": len(view.nodes) >= OVERVIEW,
            "document": f"{part}-folded" if len(folded) == len(view.vertices) else part,
            **_mark_elements(_pane(view, stream, on_stream, figures, tips), added.marks),
        },
        "job": {
            "title": words.job,
            "note": counted(len(view.vertices), "task"),
            "spoken": f"{words.job}, {counted(len(view.vertices), 'task')}; {SPOKEN}",
            "overview": len(view.nodes) >= OVERVIEW,
            "document": part,
            **_job(view, job, on_job, figures, tips),
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
    tips = _tips(view.bundled)
    return {
        **_execution_texts(document, note),
        **_extent(laid.pane),
        "overview": len(laid.pane.shapes) >= OVERVIEW,
        "cards": [_subtask(view, shape, laid.cards[shape.key]) for shape in laid.pane.shapes],
        "boxes": [
            _box(view, box) | {"title": tips[box.key], "solid": True} for box in laid.pane.boxes
        ],
        "edges": [
            _edge(line, laid.labels[key].lines if line.label else (), "job", tips[key], None)
            | {"of": key}
            for line in laid.pane.lines
            for key in (laid.edges[line.key],)
        ],
    }


def _execution_texts(document: str, note: str) -> Json:
    spoken = f"ExecutionGraph, {note}; the tab Execution graph lists all of them"
    return {"title": "ExecutionGraph", "note": note, "spoken": spoken, "document": document}


def _no_execution(document: str, problem: str) -> Json:
    extent = {"left": 0, "right": 0, "height": 0, "overview": False}
    none: Json = {"cards": [], "boxes": [], "edges": [], "problem": cut(problem)}
    return {**_execution_texts(f"{document}-none", ""), **extent, **none}


def _subtask(view: GraphView, shape: Shape, card: SubtaskCard) -> Json:
    vertex = view.vertex_of[card.task]
    return {
        **_place(shape),
        "of": card.task,
        "title": card.title,
        "badge": "",
        "lines": [(card.line, 0)] if card.line else [],
        "tip": f"{cut(vertex.name)}\nsubtasks {card.title}\n{card.line}".rstrip(),
        "hue": hue(vertex.number),
    }


def _note(shown: int, operators: int | None) -> str:
    every = counted(operators or shown, "operator")
    return every if operators in {None, shown} else f"{shown:,} of {every}"


def _part(view: GraphView, operators: int | None) -> str:
    """Identify the drawn part, since another part is shown from its top."""
    if operators in {None, len(view.nodes)}:
        return ""
    return f"-{crc32(repr([node.identity for node in view.nodes]).encode())}"


def _tips(view: GraphView) -> dict[str, str]:
    """Map each element to the first line of its tooltip: its name, or an edge's two ends."""
    tips = {node.key: cut(node.name) for node in view.nodes}
    tips |= {vertex.key: cut(vertex.name) for vertex in view.vertices}
    tips |= {edge.key: f"{tips[edge.source]} → {tips[edge.target]}" for edge in view.edges}
    return tips | {
        edge.key: f"{tips[edge.source]} → {tips[edge.target]}" for edge in view.job_edges
    }


def _mark_elements(pane: Json, marks: Mapping[str, Mark]) -> Json:
    """Add marks to the elements of a pane."""
    for element in (*pane["cards"], *pane["edges"]):
        mark = marks.get(element["key"])
        if mark is not None:
            element["mark"] = mark.severity
            element["tip"] += f"\n{mark.line}"
    return pane


def _pane(
    view: GraphView, pane: Pane, labels: Mapping[str, Label], figures: Figures, tips: Tips
) -> Json:
    return {
        **_extent(pane),
        "cards": [_stream_card(view, shape, figures, tips) for shape in pane.shapes],
        "boxes": [_box(view, shape) for shape in pane.boxes],
        "edges": [_stream_edge(view, line, labels, tips) for line in pane.lines],
    }


def _place(shape: Shape) -> Json:
    return {
        "key": shape.key,
        "x": round(shape.x, 1),
        "y": round(shape.y, 1),
        "width": round(shape.width, 1),
        "height": round(shape.height, 1),
    }


def _stream_card(view: GraphView, shape: Shape, figures: Figures, tips: Tips) -> Json:
    name = tips[shape.key]
    if shape.key in view.vertex_of:
        vertex = view.vertex_of[shape.key]
        chain = f"{view.words.chain} {vertex.number}"
        return {
            **_place(shape),
            "title": name,
            "badge": spread(vertex.parallelism),
            "lines": [(f"{chain} · {counted(len(vertex.nodes), 'operator')}", 0)],
            "tip": name,
            "hue": hue(vertex.number),
        }
    node = view.node_of[shape.key]
    return {
        **_place(shape),
        "title": name,
        "badge": spread(node.parallelism),
        "lines": [(node.hash[:8], 1)],
        "figure": figures.operators.get(node.key),
        "load": figures.loads.get(node.key),
        "tip": f"{name}\n{node.hash}",
    }


def _box(view: GraphView, shape: Shape) -> Json:
    vertex = view.vertex_of[shape.key]
    return {
        **_place(shape),
        "title": f"{view.words.chain} {vertex.number}",
        "hue": hue(vertex.number),
    }


def _edge(line: EdgeLine, words: Sequence[str], style: str, tip: str, colour: Pair | None) -> Json:
    return {
        "key": line.key,
        "points": [(round(x, 1), round(y, 1)) for x, y in line.points],
        "label": line.label and (round(line.label[0], 1), round(line.label[1], 1)),
        "lines": words,
        "style": style,
        "hue": colour,
        "tip": tip,
    }


def _stream_edge(view: GraphView, line: EdgeLine, labels: Mapping[str, Label], tips: Tips) -> Json:
    edge = view.edge_of[line.key]
    number = view.vertex_of[view.node_of[edge.source].vertex].number
    words = labels[edge.key].lines if edge.key in labels else (edge.partitioner,)
    if edge.chained:
        return _edge(line, words, "chained", tips[line.key], hue(number))
    return _edge(line, words, "cut", tips[line.key], None)


def _draw_unchained(view: GraphView, figures: Figures, tips: Tips, document: str) -> Json:
    """Draw the StreamGraph without chains, with the strategies and partitioners that rules read."""
    labels = partitioner_labels(view)
    pane = unchained_pane(view, labels)
    return {
        "document": f"{document}-unchained",
        **_extent(pane),
        "cards": [_unchained_card(view, shape, figures, tips) for shape in pane.shapes],
        "boxes": [],
        "edges": [
            _edge(line, labels[line.key].lines, "unchained", tips[line.key], None)
            for line in pane.lines
        ],
    }


def _unchained_card(view: GraphView, shape: Shape, figures: Figures, tips: Tips) -> Json:
    strategy = view.node_of[shape.key].strategy_words
    return {**_stream_card(view, shape, figures, tips), "lines": [(f"strategy {strategy}", 0)]}


def _extent(pane: Pane) -> Json:
    return {"left": pane.left, "right": pane.right, "height": pane.height}


def _job(
    view: GraphView, pane: Pane, labels: Mapping[str, Label], figures: Figures, tips: Tips
) -> Json:
    return {
        **_extent(pane),
        "cards": [_job_card(view, shape, figures, tips) for shape in pane.shapes],
        "boxes": [],
        "edges": [
            _edge(line, labels[line.key].lines, "job", tips[line.key], None) for line in pane.lines
        ],
    }


def _job_card(view: GraphView, shape: Shape, figures: Figures, tips: Tips) -> Json:
    vertex, name = view.vertex_of[shape.key], tips[shape.key]
    return {
        **_place(shape),
        "title": name,
        "names": shape.lines,
        "heavy": True,
        "lines": [(vertex.id, 1), (f"{vertex.invokable} · {spread(vertex.parallelism)}", 0)],
        "hue": hue(vertex.number),
        "bar": figures.bars.get(vertex.key),
        "tip": name,
    }
