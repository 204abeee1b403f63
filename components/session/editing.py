"""Callbacks of the forms that add, change and delete transformations."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Generic, TypeVar

import msgspec
import streamlit as st

from components.session import session
from components.session.actions import place_of
from components.session.callbacks import (
    attempt,
    edited_with_selection,
    with_document,
    with_widget_value,
)
from components.session.guard import guarded
from components.session.work import Work, edited, selected
from explorer import edits
from explorer.documents import Document, StreamGraphDocument, check_edit
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.selection import TRANSFORMATION
from explorer.edits.additions import Place, ProposedAddition, offers
from explorer.edits.edge_partitioners import set_partitioner as set_edge_partitioner
from explorer.edits.stream_graphs import set_edge_partitioner as set_graph_partitioner
from explorer.errors import EditError, ExplorerError
from explorer.model.pipeline import Pipeline
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
    attempt(place, lambda work: edited_with_selection(work, changed(work, PIPELINE, change), place))


@with_widget_value
def set_field(value: Any, id: str, field: str, read: Callable[[Any], Any]) -> None:
    """Give a transformation's field what its widget holds."""
    edit(f"{id}.{field}", lambda pipeline: edits.set_field(pipeline, id, field, read(value)))


@with_widget_value
def rename(new: str, id: str) -> None:
    """Give a transformation another id; the node, and so the selection, stays."""

    def step(work: Work) -> Work:
        document = changed(work, PIPELINE, lambda pipeline: edits.rename(pipeline, id, new.strip()))
        selection = work.selection
        if selection == f"{TRANSFORMATION}{id}":
            selection = f"{TRANSFORMATION}{new.strip()}"
        return edited(work, document, selection)

    attempt(f"{id}.id", step)


@with_widget_value
def set_environment(value: Any, field: str, read: Callable[[Any], Any]) -> None:
    """Give a setting of the job what its widget holds."""
    edit(
        f"environment.{field}",
        lambda pipeline: edits.set_environment(pipeline, field, read(value)),
    )


@with_widget_value
def set_partitioner(chosen: str | None, place: str, source: str, target: str) -> None:
    """Let the stream between two transformations be partitioned otherwise, or as Flink chooses."""
    edit(place, lambda pipeline: set_edge_partitioner(pipeline, source, target, chosen))


@with_widget_value
def set_node_field(value: Any, id: NodeId, field: str, read: Callable[[Any], Any]) -> None:
    """Give an operator of a StreamGraph document's field what its widget holds."""
    change_graph(
        f"#{id}.{field}", lambda document: edits.set_node_field(document, id, field, read(value))
    )


@with_widget_value
def set_synthetic(value: Any, id: NodeId, field: str, read: Callable[[Any], Any]) -> None:
    """Give what a trial runs in place of an operator what its widget holds."""
    place = f"#{id}.synthetic.{field}"
    change_graph(place, lambda document: edits.set_synthetic(document, id, field, read(value)))


@with_widget_value
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
        return edited_with_selection(work, new_document)

    attempt("keep", step)


def change_graph(place: str, change: Callable[[StreamGraphDocument], StreamGraphDocument]) -> None:
    """Change a StreamGraph document; the selection stays on what it stood for."""
    attempt(
        place, lambda work: edited_with_selection(work, changed(work, OPERATORS, change), place)
    )


def fix(document: Document) -> None:
    """Put a fixed document in place of the one at hand."""
    attempt(session.PAGE, lambda work: with_document(work, document))


def delete(id: str) -> None:
    """Delete a transformation; what read from it reads from its input."""
    edit(f"{id}.delete", lambda pipeline: edits.delete_transformation(pipeline, id))


def duplicate(id: str) -> None:
    """Put a copy behind a transformation, and select it."""

    def step(work: Work) -> Work:
        copied = changed(work, PIPELINE, lambda pipeline: edits.duplicate(pipeline, id))
        ids = [transformation.id for transformation in copied.transformations]
        new_work = edited(work, copied, None)
        return selected(new_work, place_of(new_work, f"{TRANSFORMATION}{ids[ids.index(id) + 1]}"))

    attempt(f"{id}.delete", step)


ADD: Final = "add"
"""The place of messages about an addition."""
BULK: Final = "bulk"
"""The place of messages about edits of all operators."""


def set_rows(source: str, rows: Mapping[str, str], place: str) -> None:
    """Let a source read a file of the user's data."""
    edit(place, lambda pipeline: edits.set_field(pipeline, source, "rows", dict(rows)))


def begin(name: str, rows: Mapping[str, str]) -> None:
    """Begin a pipeline with a file: a source that reads it, and a sink."""
    source = re.sub(r"\W+", "-", name.partition(".")[0]).strip("-") or "rows"

    def change(pipeline: Pipeline) -> Pipeline:
        type = next(iter(offers(pipeline, Place())))
        values = {"id": source, "type": type, "rows": dict(rows)}
        sink = edits.new_id({source}, "out")
        longer = edits.add_transformation(pipeline, values)
        return edits.add_transformation(longer, {"id": sink, "type": "sink", "inputs": (source,)})

    attempt(ADD, lambda work: with_document(work, changed(work, PIPELINE, change)))


@with_widget_value
def set_name(value: str) -> None:
    """Give the pipeline the name that its field holds."""
    edit(NAME, lambda pipeline: msgspec.structs.replace(pipeline, name=value.strip() or "pipeline"))


NAME: Final = "pipeline.name"
"""The place of messages about the pipeline's name."""


@guarded
def connect_picked(widget: str) -> None:
    """Let the operator to which a stream was dragged read the one from which it was."""
    ends = st.session_state[widget]["connected"]
    if ends is None:
        return

    def step(work: Work) -> Work:
        view = session.compiled(work.document).view
        source, reader = (_connected(view, str(ends[end])) for end in ("source", "target"))
        if source is None or reader is None:
            msg = "only operators that come from a transformation can be connected"
            raise EditError(msg)
        add_input = partial(edits.add_input, source=source, reader=reader)
        return with_document(work, changed(work, PIPELINE, add_input))

    attempt(session.PAGE, step)


def _connected(view: GraphView | None, key: str) -> str | None:
    """Return the transformation of a card; None for a folded chain."""
    if key.startswith(TRANSFORMATION):
        return key.removeprefix(TRANSFORMATION)
    node = view.node_of.get(key) if view else None
    return node.transformation if node else None


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


def add(
    place: Place,
    addition: ProposedAddition,
    *,
    id: str,
    keys: Mapping[str, tuple[str, ...] | None],
    read: Callable[[], Mapping[str, object]],
) -> bool:
    """Add a transformation at a place, under this id, and select it.

    ``keys``: the columns of each key_by that it brings; ``read`` returns its fields by name.
    """

    def change(pipeline: Pipeline) -> Pipeline:
        longer = edits.add(pipeline, place, addition)
        for field, value in read().items():
            longer = edits.set_field(longer, addition.id, field, value)
        for key_by, columns in keys.items():
            longer = edits.set_field(longer, key_by, "keys", columns)
        return edits.rename(longer, addition.id, id)

    def step(work: Work) -> Work:
        new_work = edited(work, changed(work, PIPELINE, change), None)
        return selected(new_work, place_of(new_work, f"{TRANSFORMATION}{id}"))

    return attempt(ADD, step)


def changed(work: Work, editable: Editable[Edited], change: Callable[[Edited], Edited]) -> Edited:
    """Return the changed document; raise ``ExplorerError`` for another kind or a bad result."""
    old_edited = editable.of(work.document)
    if old_edited is None:
        raise ExplorerError(editable.otherwise)
    new_edited = change(old_edited)
    check_edit(new_edited, old_edited)
    return new_edited
