"""What a person does to an operator, whatever kind of document it is of. A row a kind."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn, TypeVar

from explorer.edits.stream_graphs import set_node_field
from explorer.edits.transformations import set_field
from explorer.errors import EditError
from explorer.model.document import Document, JobGraphDocument, StreamGraphDocument
from explorer.model.pipeline import Pipeline
from explorer.model.stream_graph import NodeId

Edited = TypeVar("Edited", bound=Document)


def set_operator_field(
    document: Edited, node: NodeId, transformation: str | None, field: str, value: object
) -> Edited:
    """Set a field that operators have, such as ``uid_hash``.

    The operator is given as the graph has it: its number, and the transformation that it comes
    from. Raises ``EditError`` where there is none to set it on.
    """
    edited: Edited = OPERATOR_FIELDS[document.kind](document, node, transformation, field, value)
    return edited


def _through_its_transformation(
    pipeline: Pipeline, node: NodeId, transformation: str | None, field: str, value: object
) -> Pipeline:
    if transformation is None:
        msg = f"operator {node} comes from no transformation of the pipeline, so it has none to set"
        raise EditError(msg)
    return set_field(pipeline, transformation, field, value)


def _on_itself(
    document: StreamGraphDocument, node: NodeId, _: str | None, field: str, value: object
) -> StreamGraphDocument:
    return set_node_field(document, node, field, value)


def _of_a_running_job(
    document: JobGraphDocument, node: NodeId, _: str | None, field: str, value: object
) -> NoReturn:
    msg = "a submitted job is as its cluster tells it; edit the document of its program"
    raise EditError(msg)


OPERATOR_FIELDS: Final[Mapping[str, Callable[[Any, NodeId, str | None, str, object], Any]]] = {
    Pipeline.kind: _through_its_transformation,
    StreamGraphDocument.kind: _on_itself,
    JobGraphDocument.kind: _of_a_running_job,
}
"""By kind of document, how a field of an operator is set."""
