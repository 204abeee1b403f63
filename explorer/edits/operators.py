"""Edits of an operator, for every kind of document."""

from explorer.edits.stream_graphs import set_node_field
from explorer.edits.transformations import set_field
from explorer.errors import EditError
from explorer.model.document import Document
from explorer.model.stream_graph import NodeId


def set_operator_field(
    document: Document, node: NodeId, transformation: str | None, field: str, value: object
) -> Document:
    """Set a field that operators have, such as ``uid_hash``.

    The operator is given as the graph has it: its number, and the transformation that it comes
    from. Raises ``EditError`` where there is none to set it on.
    """
    if document.operators is not None:
        return set_node_field(document.operators, node, field, value)
    if document.pipeline is None:
        msg = "a submitted job is what its cluster reports; edit the document of its program"
        raise EditError(msg)
    if transformation is None:
        msg = f"operator {node} comes from no transformation of the pipeline, so it has none to set"
        raise EditError(msg)
    return set_field(document.pipeline, transformation, field, value)
