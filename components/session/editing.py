"""Callbacks of the forms that add, change and delete transformations."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Generic, TypeVar

import streamlit as st

from components.session import session
from components.session.actions import place_of
from components.session.callbacks import attempt, entered, followed, with_document
from components.session.guard import guarded
from components.session.work import Work, edited, selected
from explorer import edits
from explorer.documents import Document, StreamGraphDocument, check_edit
from explorer.drawing.view.selection import TRANSFORMATION
from explorer.edits.edge_partitioners import set_partitioner as set_edge_partitioner
from explorer.edits.stream_graphs import set_edge_partitioner as set_graph_partitioner
from explorer.errors import EditError, ExplorerError
from explorer.model.pipeline import Pipeline, Transformation
from explorer.model.stream_graph import NodeId

Edited = TypeVar("Edited", bound=Document)


@dataclass(frozen=True)
class Editable(Generic[Edited]):
    """The form of a document that an edit changes, and the message for other documents."""

    of: Callable[[Document], Edited | None]
    otherwise: str


PIPELINE: Final = Editable(
    lambda document: document.pipeline,
    "only a pipeline has transformations to edit; open its pipeline document",
)
OPERATORS: Final = Editable(
    lambda document: document.operators,
    "only the operators of a StreamGraph are edited by themselves",
)


def edit(place: str, change: Callable[[Pipeline], Pipeline]) -> None:
    """Change the pipeline; the selection stays on what it stood for."""
    attempt(place, lambda work: followed(work, changed(work, PIPELINE, change), place))


@entered
def set_field(value: Any, id: str, field: str, read: Callable[[Any], Any]) -> None:
    """Give a transformation's field what its widget holds."""
    edit(f"{id}.{field}", lambda pipeline: edits.set_field(pipeline, id, field, read(value)))


@entered
def rename(new: str, id: str) -> None:
    """Give a transformation another id; the node, and so the selection, stays."""

    def step(work: Work) -> Work:
        document = changed(work, PIPELINE, lambda pipeline: edits.rename(pipeline, id, new.strip()))
        selection = work.selection
        if selection == f"{TRANSFORMATION}{id}":
            selection = f"{TRANSFORMATION}{new.strip()}"
        return edited(work, document, selection)

    attempt(f"{id}.id", step)


@entered
def set_environment(value: Any, field: str, read: Callable[[Any], Any]) -> None:
    """Give a setting of the job what its widget holds."""
    edit(
        f"environment.{field}",
        lambda pipeline: edits.set_environment(pipeline, field, read(value)),
    )


@entered
def set_partitioner(chosen: str | None, place: str, source: str, target: str) -> None:
    """Let the stream between two transformations be partitioned otherwise, or as Flink chooses."""
    edit(place, lambda pipeline: set_edge_partitioner(pipeline, source, target, chosen))


@entered
def set_node_field(value: Any, id: NodeId, field: str, read: Callable[[Any], Any]) -> None:
    """Give an operator of a StreamGraph document's field what its widget holds."""
    change_graph(
        f"#{id}.{field}", lambda document: edits.set_node_field(document, id, field, read(value))
    )


@entered
def set_synthetic(value: Any, id: NodeId, field: str, read: Callable[[Any], Any]) -> None:
    """Give what a trial runs in place of an operator what its widget holds."""
    place = f"#{id}.synthetic.{field}"
    change_graph(place, lambda document: edits.set_synthetic(document, id, field, read(value)))


@entered
def set_stream_partitioner(chosen: str | None, place: str, edge: int) -> None:
    """Let an edge of a StreamGraph document be partitioned otherwise."""
    if chosen is not None:
        change_graph(place, lambda document: set_graph_partitioner(document, edge, chosen))


def keep_id(node: NodeId, transformation: str | None, hash: str) -> None:
    """Let an operator answer to the ID that it had before: a uid hash."""

    def step(work: Work) -> Work:
        old_document = work.document
        new_document = edits.set_operator_field(
            old_document, node, transformation, "uid_hash", hash
        )
        check_edit(new_document, old_document)
        return followed(work, new_document)

    attempt("keep", step)


def change_graph(place: str, change: Callable[[StreamGraphDocument], StreamGraphDocument]) -> None:
    """Change a StreamGraph document; the selection stays on what it stood for."""
    attempt(place, lambda work: followed(work, changed(work, OPERATORS, change), place))


def fix(pipeline: Pipeline) -> None:
    """Put a fixed pipeline in place of the one at hand."""
    attempt("top", lambda work: with_document(work, pipeline))


def delete(id: str) -> None:
    """Delete a transformation; what read from it reads from its input."""
    edit(f"{id}.delete", lambda pipeline: edits.delete_transformation(pipeline, id))


def duplicate(id: str) -> None:
    """Put a copy behind a transformation."""
    edit(f"{id}.delete", lambda pipeline: edits.duplicate(pipeline, id))


@guarded
def insert(source: str, reader: str, widget: str) -> None:
    """Put a transformation of the chosen type into a stream."""
    type = str(st.session_state[widget])

    def change(pipeline: Pipeline) -> Pipeline:
        id = edits.new_id({transformation.id for transformation in pipeline.transformations}, type)
        return edits.insert_between(pipeline, source, reader, Transformation(id=id, type=type))

    edit(INSERT, change)


INSERT: Final = "insert"
"""The place of its messages."""
BULK: Final = "bulk"
"""The place of messages about edits of all operators."""


@guarded
def connect_picked(widget: str) -> None:
    """Let the operator to which a stream was dragged read the one from which it was."""
    ends = st.session_state[widget]["connected"]
    if ends is None:
        return

    def step(work: Work) -> Work:
        view = session.compiled(work.document).view
        nodes = [view.node_of.get(str(ends[end])) if view else None for end in ("source", "target")]
        source, reader = (node.transformation if node else None for node in nodes)
        if source is None or reader is None:
            msg = "only operators that come from a transformation can be connected"
            raise EditError(msg)
        connect = partial(edits.connect, source=source, reader=reader)
        return with_document(work, changed(work, PIPELINE, connect))

    attempt("top", step)


@guarded
def set_all_parallelisms(widget: str) -> None:
    """Set one parallelism for all operators."""
    chosen = int(st.session_state[widget])
    _replace(lambda pipeline: edits.set_parallelism_of_all(pipeline, chosen))


@guarded
def give_uids(ids: tuple[str, ...]) -> None:
    """Give each of these operators a uid."""
    _replace(lambda pipeline: edits.give_uids(pipeline, ids))


def _replace(change: Callable[[Pipeline], Pipeline]) -> None:
    """Change the pipeline, and redraw all widgets, since others show the changed values too."""
    attempt(BULK, lambda work: with_document(work, changed(work, PIPELINE, change)))


def add(values: Mapping[str, Any]) -> bool:
    """Add a transformation and select it."""

    def step(work: Work) -> Work:
        document = changed(
            work, PIPELINE, lambda pipeline: edits.add_transformation(pipeline, values)
        )
        new_work = edited(work, document, None)
        return selected(new_work, place_of(new_work, f"{TRANSFORMATION}{values['id']}"))

    return attempt("add", step)


def changed(work: Work, editable: Editable[Edited], change: Callable[[Edited], Edited]) -> Edited:
    """Return the changed document; raise ``ExplorerError`` for another kind or a bad result."""
    old_edited = editable.of(work.document)
    if old_edited is None:
        raise ExplorerError(editable.otherwise)
    new_edited = change(old_edited)
    check_edit(new_edited, old_edited)
    return new_edited
