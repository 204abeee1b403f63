"""What a person does to a pipeline: pure functions from one document to the next.

An edit keeps the document's order legal (inputs before their readers) and touches nothing that it
was not asked to touch. Whether the result is a good pipeline is for the documents' checks to say.
"""

from collections.abc import Container, Iterator, Mapping
from itertools import count
from typing import Any

import msgspec

from explorer.documents.records import to_record
from explorer.edits.expectations import renamed, without
from explorer.errors import DocumentError, EditError, did_you_mean
from explorer.model.pipeline import Environment, Pipeline, Scalar, Transformation
from explorer.wording import quoted

Fields = dict[str, Any]


def set_field(pipeline: Pipeline, id: str, field: str, value: object) -> Pipeline:
    """Set a transformation's field; None takes it back to its default."""
    fields = _fields(found(pipeline, id))
    fields.pop(field, None)
    if value is not None:
        fields[field] = value
    return replace_transformation(pipeline, _transformation(fields, id))


def set_environment(pipeline: Pipeline, field: str, value: object) -> Pipeline:
    """Set a field of the environment; None takes it back to its default."""
    fields: Fields = msgspec.to_builtins(pipeline.environment)
    fields.pop(field, None)
    if value is not None:
        fields[field] = value
    return msgspec.structs.replace(pipeline, environment=_environment(fields))


def set_option(pipeline: Pipeline, name: str, value: Scalar) -> Pipeline:
    """Set an option of the environment's configuration; None takes it out."""
    options: Fields = dict(pipeline.environment.configuration)
    options.pop(name, None)
    if value is not None:
        options[name] = value
    return set_environment(pipeline, "configuration", options)


def set_checkpointing(pipeline: Pipeline, field: str, value: object) -> Pipeline:
    """Set a field of the environment's checkpointing; None takes it back to its default."""
    fields: Fields = msgspec.to_builtins(pipeline.environment.checkpointing)
    fields.pop(field, None)
    if value is not None:
        fields[field] = value
    return set_environment(pipeline, "checkpointing", fields or None)


def add_transformation(
    pipeline: Pipeline, transformation: Transformation | Mapping[str, Any], after: str | None = None
) -> Pipeline:
    """Add a transformation behind the one called ``after``, or at the end."""
    if not isinstance(transformation, Transformation):
        transformation = _transformation(dict(transformation), str(transformation.get("id")))
    known = [t.id for t in pipeline.transformations]
    if transformation.id in known:
        msg = f"there is a transformation {transformation.id!r} already; choose another id"
        raise EditError(msg)
    place = len(known) if after is None else known.index(found(pipeline, after).id) + 1
    old = pipeline.transformations
    return _with(pipeline, [*old[:place], transformation, *old[place:]])


def insert_transformation(
    pipeline: Pipeline, new: Transformation, source: str, target: str
) -> Pipeline:
    """Put a transformation between one and another that reads from it.

    Raises ``EditError`` where the second does not read from the first.
    """
    reader = found(pipeline, target)
    if found(pipeline, source).id not in reader.inputs:
        msg = f"{quoted(target)} does not read from {quoted(source)}, so nothing fits in between"
        raise EditError(msg)
    added = add_transformation(pipeline, msgspec.structs.replace(new, inputs=(source,)), source)
    inputs = tuple(new.id if one == source else one for one in reader.inputs)
    return replace_transformation(added, msgspec.structs.replace(reader, inputs=inputs))


def replace_transformation(pipeline: Pipeline, transformation: Transformation) -> Pipeline:
    """Put ``transformation`` in the place of the one with its id."""
    found(pipeline, transformation.id)
    return _with(
        pipeline,
        [transformation if t.id == transformation.id else t for t in pipeline.transformations],
    )


def rename(pipeline: Pipeline, old: str, new: str) -> Pipeline:
    """Give a transformation another id; whoever reads from it follows."""
    found(pipeline, old)
    if old != new and any(t.id == new for t in pipeline.transformations):
        msg = f"there is a transformation {new!r} already; choose another id"
        raise EditError(msg)
    meant = renamed(pipeline, old, new)
    return _with(
        meant,
        [
            msgspec.structs.replace(
                _reading(t, old, new),
                id=new if t.id == old else t.id,
                iteration=new if t.iteration == old else t.iteration,
            )
            for t in pipeline.transformations
        ],
    )


def delete_transformation(pipeline: Pipeline, id: str) -> Pipeline:
    """Delete a transformation; whoever read from it reads from its input instead.

    Raises ``EditError`` where it has readers and no input, or several.
    """
    gone = found(pipeline, id)
    readers = [t.id for t in pipeline.transformations if id in t.inputs]
    if readers and len(gone.inputs) != 1:
        names = ", ".join(repr(reader) for reader in readers)
        inputs = len(gone.inputs) or "no"
        msg = (
            f"{quoted(id)} cannot be deleted while {names} read from it: it has {inputs} inputs, "
            "so nothing can stand in for it; delete or rewire them first"
        )
        raise EditError(msg)
    return _with(
        without(pipeline, {id, *(t.id for t in pipeline.transformations if t.iteration == id)}),
        [
            _reading(t, id, gone.inputs[0]) if id in t.inputs else t
            for t in pipeline.transformations
            if id not in {t.id, t.iteration}
        ],
    )


def _reading(t: Transformation, old: str, new: str) -> Transformation:
    """The same transformation with another input in the place of one."""
    selects = t.selects and {new if i == old else i: one for i, one in t.selects.items()}
    inputs = tuple(new if i == old else i for i in t.inputs)
    return msgspec.structs.replace(t, inputs=inputs, selects=selects)


def new_id(taken: Container[str], stem: str) -> str:
    """The first id of ``numbered`` that is not taken.

    >>> new_id({"map", "map-2"}, "map")
    'map-3'
    """
    return next(id for id in numbered(stem) if id not in taken)


def numbered(stem: str) -> Iterator[str]:
    """The ids to choose from where none is given: ``stem``, then ``stem-2``, ``stem-3``, ..."""
    yield stem
    yield from (f"{stem}-{number}" for number in count(2))


def found(pipeline: Pipeline, id: str) -> Transformation:
    """The transformation of this id; raises ``EditError`` where there is none."""
    try:
        return pipeline.transformation(id)
    except KeyError:
        hint = did_you_mean(id, [t.id for t in pipeline.transformations])
        msg = f"there is no transformation {quoted(id)}{hint}"
        raise EditError(msg) from None


def _fields(transformation: Transformation) -> Fields:
    fields: Fields = msgspec.to_builtins(transformation)
    return fields


def _transformation(fields: Fields, id: str) -> Transformation:
    try:
        return to_record(fields, Transformation)
    except DocumentError as error:
        msg = f"transformation {quoted(id)}: {error}"
        raise EditError(msg) from None


def _environment(fields: Fields) -> Environment:
    try:
        return to_record(fields, Environment)
    except DocumentError as error:
        msg = f"environment: {error}"
        raise EditError(msg) from None


def _with(pipeline: Pipeline, transformations: list[Transformation]) -> Pipeline:
    return msgspec.structs.replace(pipeline, transformations=tuple(transformations))
