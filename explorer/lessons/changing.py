"""Change of a lesson: applied to its pipeline, and described in words."""

from collections.abc import Iterator

from explorer import edits
from explorer.documents import check_edit
from explorer.errors import DocumentError, found_at
from explorer.flink.releases import VERSIONS
from explorer.lookup.edge_lookup import operator_called
from explorer.model.document import Document
from explorer.model.lesson import PipelineChange
from explorer.model.pipeline import Pipeline, Scalar
from explorer.model.stream_graph import StreamGraph
from explorer.wording import capitalized, listed, quoted, suggestion


def changed(document: Document, graph: StreamGraph, change: PipelineChange, path: str) -> Document:
    """Apply the change to the document; ``graph``: the StreamGraph without the change.

    Raises ``DocumentError`` at ``path`` where the change cannot be made.
    """
    result = _apply(document, graph, change, path)
    if result == document:
        problem = "changes nothing; say what is set, inserted or deleted"
        raise DocumentError(path=path, problem=problem)
    with found_at(path):
        check_edit(result, document)
    return result


def _apply(document: Document, graph: StreamGraph, change: PipelineChange, path: str) -> Document:
    if change.flink is not None:
        with found_at(f"{path}.flink"):
            document = _with_release(document, change.flink)
    for field, value in change.environment.items():
        with found_at(f"{path}.environment.{field}"):
            document = _set_environment(document, field, value)
    for name, value in change.options.items():
        with found_at(f"{path}.options.{name}"):
            document = edits.set_option(_pipeline(document), name, value)
    for operator, fields in change.set.items():
        for field, value in fields.items():
            with found_at(f"{path}.set.{operator}.{field}"):
                document = _set_field(document, graph, operator, field, value)
    if (new := change.insert) is not None:
        with found_at(f"{path}.insert"):
            document = edits.insert_between(_pipeline(document), *new.between, new.transformation)
    if change.delete is not None:
        with found_at(f"{path}.delete"):
            document = edits.delete_transformation(_pipeline(document), change.delete)
    return document


def _with_release(document: Document, version: str) -> Document:
    if version not in VERSIONS:
        hint = suggestion(version, VERSIONS) or f"; they are {VERSIONS[0]} to {VERSIONS[-1]}"
        problem = f"there is no Flink release {quoted(version)}{hint}"
        raise DocumentError(path="", problem=problem)
    return document.under(version)


def _pipeline(document: Document) -> Pipeline:
    if document.pipeline is None:
        problem = "only a pipeline can be changed so; of a StreamGraph, operators can be set"
        raise DocumentError(path="", problem=problem)
    return document.pipeline


def _set_environment(document: Document, field: str, value: Scalar) -> Document:
    if field == "chaining" and isinstance(value, bool):
        return document.with_chaining(on=value)
    return edits.set_environment(_pipeline(document), field, value)


def _set_field(
    document: Document, graph: StreamGraph, operator: str, field: str, value: Scalar
) -> Document:
    pipeline = document.pipeline
    if pipeline is not None and any(
        transformation.id == operator for transformation in pipeline.transformations
    ):
        return edits.set_field(pipeline, operator, field, value)
    node = graph.node(operator_called(graph, operator))
    return edits.set_operator_field(document, node.id, node.transformation, field, value)


def change_words(change: PipelineChange) -> str:
    """The change in words, as the beginning of a question.

    >>> change_words(PipelineChange(set={"B": {"parallelism": 3}}, flink="1.9"))
    'Compile for Flink 1.9, and set the parallelism of B to 3'
    """
    return capitalized(", and ".join(_words(change)))


def _words(change: PipelineChange) -> Iterator[str]:
    if change.flink is not None:
        yield f"compile for Flink {change.flink}"
    for field, value in change.environment.items():
        yield _set(_spell_field(field), value)
    for name, value in change.options.items():
        yield _set(f"the option {name}", value)
    for operator, fields in change.set.items():
        yield listed(
            _set(f"the {_spell_field(field)} of {operator}", value)
            for field, value in fields.items()
        )
    if change.insert is not None:
        new, (source, target) = change.insert.transformation, change.insert.between
        yield f"put the {new.type} {new.id} between {source} and {target}"
    if change.delete is not None:
        yield f"delete {change.delete}"


def _set(setting: str, value: object) -> str:
    if value is None:
        return f"remove {setting}"
    if isinstance(value, bool):
        return f"turn {setting} {'on' if value else 'off'}"
    return f"set {setting} to {value}"


def _spell_field(field: str) -> str:
    return field.replace("_", " ")
