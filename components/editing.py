"""What happens when a transformation is added, changed or deleted? The callbacks of the forms."""

from collections.abc import Callable, Mapping
from typing import Any

from components.actions import place_of
from components.callbacks import attempt, entered, followed
from components.selection import TRANSFORMATION
from components.work import Work, edited, replaced, selected
from explorer import edits
from explorer.documents import StreamGraphDocument, check_pipeline
from explorer.documents.graph_rules import check_graph
from explorer.edits.partitioners import set_partitioner as set_edge_partitioner
from explorer.edits.stream_graphs import set_edge_partitioner as set_graph_partitioner
from explorer.edits.stream_graphs import set_node_field as set_operator_field
from explorer.errors import ExplorerError
from explorer.model.pipeline import Pipeline
from explorer.model.stream_graph import NodeId


def edit(place: str, change: Callable[[Pipeline], Pipeline]) -> None:
    """Change the pipeline; the selection stays on what it stood for."""
    attempt(place, lambda work: followed(work, changed(work, change)))


@entered
def set_field(value: Any, id: str, field: str, read: Callable[[Any], Any]) -> None:
    """Give a transformation's field what its widget holds."""
    edit(f"{id}.{field}", lambda pipeline: edits.set_field(pipeline, id, field, read(value)))


@entered
def rename(new: str, id: str) -> None:
    """Give a transformation another id; the node, and so the selection, stays."""

    def step(work: Work) -> Work:
        document = changed(work, lambda pipeline: edits.rename(pipeline, id, new.strip()))
        kept = work.selection
        if kept == f"{TRANSFORMATION}{id}":
            kept = f"{TRANSFORMATION}{new.strip()}"
        return edited(work, document, kept)

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
    """Let the stream between two transformations be spread in another way, or as Flink chooses."""
    edit(place, lambda pipeline: set_edge_partitioner(pipeline, source, target, chosen))


@entered
def set_node_field(value: Any, id: NodeId, field: str, read: Callable[[Any], Any]) -> None:
    """Give an operator of a StreamGraph document's field what its widget holds."""
    change_graph(
        f"#{id}.{field}", lambda document: set_operator_field(document, id, field, read(value))
    )


@entered
def set_stream_partitioner(chosen: str | None, place: str, edge: int) -> None:
    """Let an edge of a StreamGraph document be partitioned in another way."""
    if chosen is not None:
        change_graph(place, lambda document: set_graph_partitioner(document, edge, chosen))


def keep_id(node: NodeId, transformation: str | None, hash: str) -> None:
    """Let an operator answer to the ID that it had before: a uid hash."""
    if transformation is None:
        change_graph("keep", lambda each: set_operator_field(each, node, "uid_hash", hash))
    else:
        edit("keep", lambda pipeline: edits.set_field(pipeline, transformation, "uid_hash", hash))


def change_graph(place: str, change: Callable[[StreamGraphDocument], StreamGraphDocument]) -> None:
    """Change a StreamGraph document; the selection stays on what it stood for."""

    def step(work: Work) -> Work:
        if not isinstance(work.document, StreamGraphDocument):
            msg = "the operators of a pipeline are edited by their transformations"
            raise ExplorerError(msg)
        document = change(work.document)
        graph = document.stream_graph
        check_graph(graph.nodes, graph.edges, graph.sources, limit=None)
        return followed(work, document)

    attempt(place, step)


def mend(pipeline: Pipeline) -> None:
    """Put a mended pipeline in place of the one at hand."""
    attempt("top", lambda work: replaced(work, pipeline, followed(work, pipeline).selection))


def delete(id: str) -> None:
    """Delete a transformation; what read from it reads from its input."""
    edit(f"{id}.delete", lambda pipeline: edits.delete_transformation(pipeline, id))


def add(values: Mapping[str, Any]) -> bool:
    """Add a transformation and select it."""

    def step(work: Work) -> Work:
        document = changed(work, lambda pipeline: edits.add_transformation(pipeline, values))
        after = edited(work, document, None)
        return selected(after, place_of(after, f"{TRANSFORMATION}{values['id']}"))

    return attempt("add", step)


def changed(work: Work, change: Callable[[Pipeline], Pipeline]) -> Pipeline:
    """The changed pipeline, if it is a good one; raises ``DocumentError`` if not."""
    before = pipeline_of(work)
    after = change(before)
    check_pipeline(after, before)
    return after


def pipeline_of(work: Work) -> Pipeline:
    """The pipeline to edit; raises ``ExplorerError`` where only a StreamGraph is known."""
    if isinstance(work.document, Pipeline):
        return work.document
    msg = "a StreamGraph has no transformations to edit; open its pipeline document"
    raise ExplorerError(msg)
