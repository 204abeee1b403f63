"""The record that a widget shows, and the pure steps from one record to the next."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import msgspec

from explorer import edits
from explorer.datastream.compiled import CompiledGraph
from explorer.documents import Document, check_edit
from explorer.drawing.html.notebook import MOST_EDGES
from explorer.drawing.view.elements import EdgeView, GraphView, JobEdgeView, NodeView, VertexView
from explorer.drawing.view.selection import exists, matching_selection
from explorer.edits.history import History
from explorer.errors import EditError, ExplorerError
from explorer.flink.compiler import Compilation, compile_program
from explorer.lookup.edge_lookup import edges_between, edges_called, operator_called
from explorer.model.pipeline import Pipeline
from explorer.model.stream_graph import NodeId
from explorer.wording import quoted

PARTITIONER: Final = "partitioner"
"""The one field of an edge."""
Part: TypeAlias = NodeView | EdgeView | VertexView | JobEdgeView
"""An element that can be selected: an operator, an edge, a task, a job edge."""
ElementName: TypeAlias = Part | str | int | tuple[str | int, str | int] | None
"""A name of an element; see ``find_element``."""


class WidgetGraph(msgspec.Struct, frozen=True, kw_only=True):
    """A document, what it compiles to, and what of it is selected."""

    document: Document
    compiled: CompiledGraph
    picked: str | None = None
    """A key of ``explorer.drawing.view.elements``."""
    history: History[tuple[Document, str | None]] = History()
    """Documents and selections that can be undone and redone."""

    @property
    def part(self) -> Part | None:
        """The selected element."""
        return None if self.picked is None else _parts(self.compiled.view).get(self.picked)


def _parts(view: GraphView) -> Mapping[str, Part]:
    return {**view.node_of, **view.edge_of, **view.vertex_of, **view.job_edge_of}


def show_document(document: Document, *, before: Compilation | None = None) -> WidgetGraph:
    """Start on a document; raises ``ExplorerError`` where it does not compile or is too large."""
    compiled_graph = CompiledGraph.of(compile_program(document, previous=before))
    edges = len(compiled_graph.view.bundled.edges)
    if edges > MOST_EDGES:
        msg = (
            f"a widget draws at most {MOST_EDGES:,} edges, and this graph has {edges:,}; print the "
            "compilation, or draw it with to_html(folded=True)"
        )
        raise ExplorerError(msg)
    return WidgetGraph(document=document, compiled=compiled_graph)


def replace_document(current: WidgetGraph, document: Document) -> WidgetGraph:
    """Put a changed document in place of the one that is shown; the selection stays on its part."""
    if document == current.document:
        return current
    check_edit(document, current.document)
    new_widget_graph = show_document(document, before=current.compiled)
    picked = matching_selection(
        current.picked, current.compiled.view, new_widget_graph.compiled.view
    )
    history = current.history.changed((current.document, current.picked))
    return msgspec.structs.replace(new_widget_graph, picked=picked, history=history)


def undo_change(current: WidgetGraph) -> WidgetGraph:
    """Undo the latest change, if there is one."""
    if not current.history.past:
        return current
    return _show_state(current, *current.history.undo((current.document, current.picked)))


def redo_change(current: WidgetGraph) -> WidgetGraph:
    """Redo the change that was undone last, if there is one."""
    if not current.history.future:
        return current
    return _show_state(current, *current.history.redo((current.document, current.picked)))


def _show_state(
    current: WidgetGraph,
    state: tuple[Document, str | None],
    history: History[tuple[Document, str | None]],
) -> WidgetGraph:
    document, picked = state
    new_widget_graph = show_document(document, before=current.compiled)
    return msgspec.structs.replace(new_widget_graph, picked=picked, history=history)


def select_element(current: WidgetGraph, name: ElementName) -> WidgetGraph:
    """Select a part; raises ``ExplorerError`` where there is no such one."""
    return msgspec.structs.replace(current, picked=find_element(current, name))


def change_field(current: WidgetGraph, key: str, field: str, value: object) -> WidgetGraph:
    """Set a field of an operator, or the partitioner of an edge; raises ``EditError``."""
    view, document = current.compiled.view, current.document
    if key in view.node_of:
        node = view.node_of[key]
        number = NodeId(node.id)
        changed = edits.set_operator_field(document, number, node.transformation, field, value)
        return replace_document(current, changed)
    stream_edge = view.job_edge_of[key].edge if key in view.job_edge_of else key
    if stream_edge not in view.edge_of:
        msg = "a task has nothing to set: select one of its operators, or an edge"
        raise EditError(msg)
    if field != PARTITIONER:
        msg = f"an edge has no field {quoted(field)} that can be set; choose {PARTITIONER}"
        raise EditError(msg)
    name = None if value is None else str(value)
    return replace_document(current, _with_partitioner(current, view.edge_of[stream_edge], name))


def _with_partitioner(widget_graph: WidgetGraph, edge: EdgeView, name: str | None) -> Document:
    document, nodes = widget_graph.document, widget_graph.compiled.view.node_of
    if (operators := document.operators) is not None:
        # Flink has chosen already: that choice is what is reset.
        return edits.set_edge_partitioner(operators, edge.index, name) if name else operators
    source, target = nodes[edge.source].transformation, nodes[edge.target].transformation
    if not isinstance(document, Pipeline) or source is None or target is None or source == target:
        msg = "this edge is within what one transformation became: its partitioner is Flink's"
        raise EditError(msg)
    return edits.set_partitioner(document, source, target, name)


def find_element(current: WidgetGraph, name: ElementName) -> str | None:
    """Return the key of a named element; raises ``ExplorerError`` where there is no such part.

    An operator is its id in the document, its name, its node number or its operator ID, an edge its
    two ends, as a pair or as ``A->B``. A record of ``part`` is itself, and every part its key: that
    names a task, with its first operator's ID.
    """
    if name is None:
        return None
    if isinstance(name, Part):
        return name.key if exists(current.compiled.view, name.key) else None
    if isinstance(name, tuple):
        return f"e{edges_between(current.compiled.stream_graph, *name)[0]}"
    if isinstance(name, str):
        view = current.compiled.view
        keys = {key: key for key in _parts(view)} | {node.hash: node.key for node in view.nodes}
        if name in keys:
            return keys[name]
        if "->" in name or "→" in name:
            return f"e{edges_called(current.compiled.stream_graph, name)[0]}"
    return f"n{operator_called(current.compiled.stream_graph, name)}"


Step: TypeAlias = Callable[[WidgetGraph], WidgetGraph]
"""From one record to the next; raises ``ExplorerError``."""


def requested_step(message: Mapping[str, Any]) -> Step:
    """The step that a browser asks for."""
    match dict(message):
        case {"do": "release", "value": str(version)}:
            return lambda widget_graph: replace_document(
                widget_graph, widget_graph.document.under(version)
            )
        case {"do": "chaining", "value": bool(on)}:
            return lambda graph: replace_document(graph, graph.document.with_chaining(on=on))
        case {"do": "set", "key": str(key), "field": str(field), "value": value}:
            return lambda current_widget_graph: change_field(
                current_widget_graph, key, field, value
            )
        case {"do": "undo"}:
            return undo_change
        case _:
            msg = "the widget asked for something that there is not; run the cell again"
            raise ExplorerError(msg)
