"""Edits of streams: insert an operator, connect a stream to an operator, copy one.

Pure functions from one pipeline to the next, as all edits are; the order in which transformations
are declared stays legal, and as it was where that is possible.
"""

import msgspec

from explorer.edits.transformations import (
    add_transformation,
    find_transformation,
    new_id,
    replace_input,
    replace_transformation,
)
from explorer.errors import EditError
from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Pipeline, Transformation
from explorer.wording import quoted


def insert_between(pipeline: Pipeline, source: str, reader: str, new: Transformation) -> Pipeline:
    """Put a transformation into the stream from ``source`` to ``reader``, which reads it directly.

    Every other reader of ``source`` reads on as it did. Raises ``EditError`` where there is no such
    stream, or the id of the ``new`` one is in use.
    """
    target = find_transformation(pipeline, reader)
    if source not in target.inputs:
        msg = f"{quoted(reader)} does not read {quoted(source)}; choose a stream that is there"
        raise EditError(msg)
    between = msgspec.structs.replace(new, inputs=(source,))
    longer = add_transformation(pipeline, between, after=source)
    return replace_transformation(longer, replace_input(target, source, new.id))


def duplicate(pipeline: Pipeline, id: str) -> Pipeline:
    """Put a copy behind a transformation: it reads the same streams, and nothing reads it.

    It is another operator, so it has no uid, and writes no folder of the original's; its id is the
    first that is free.
    """
    original = find_transformation(pipeline, id)
    used_ids = {transformation.id for transformation in pipeline.transformations}
    reset_ids = {"uid": None, "uid_hash": None, "write": None}
    copy = msgspec.structs.replace(original, id=new_id(used_ids, id), **reset_ids)
    return add_transformation(pipeline, copy, after=id)


def add_input(pipeline: Pipeline, source: str, reader: str) -> Pipeline:
    """Add an input to a transformation.

    A reader with a single input reads a union of both. Raises ``EditError`` where ``source``
    gives no stream, ``reader`` reads none, or the streams would go round in a circle.
    """
    transformation, target = (
        find_transformation(pipeline, source),
        find_transformation(pipeline, reader),
    )
    if refusal := _refusal(transformation, target):
        raise EditError(refusal)
    ordered = declared_before(pipeline, source, reader)
    maximum = KINDS[target.type].inputs[1]
    if maximum is None or len(target.inputs) < maximum:
        return _reading(ordered, target, (*target.inputs, source))
    (old,) = target.inputs
    old_transformation = find_transformation(ordered, old)
    readers = [member.id for member in ordered.transformations if old in member.inputs]
    if KINDS[old_transformation.type].joins and readers == [target.id]:
        return _reading(
            declared_before(ordered, source, old),
            old_transformation,
            (*old_transformation.inputs, source),
        )
    id = new_id({member.id for member in ordered.transformations}, "union")
    later = max((old, source), key=[member.id for member in ordered.transformations].index)
    values = {"id": id, "type": "union", "inputs": (old, source)}
    return _reading(add_transformation(ordered, values, after=later), target, (id,))


def _refusal(transformation: Transformation, target: Transformation) -> str:
    """Return why one cannot read the other, as a sentence; empty if it can."""
    source, reader, maximum = (
        quoted(transformation.id),
        quoted(target.id),
        KINDS[target.type].inputs[1],
    )
    if KINDS[transformation.type].ends:
        return f"{source} gives no stream: a {transformation.type} is where one ends"
    if maximum == 0:
        return f"{reader} takes no stream: a {target.type} is where one begins"
    if transformation.id in target.inputs:
        return f"{reader} reads {source} already"
    if maximum is not None and maximum > 1 and len(target.inputs) >= maximum:
        return f"{reader} takes {maximum} streams and reads as many; free one of them first"
    return ""


def _reading(pipeline: Pipeline, target: Transformation, inputs: tuple[str, ...]) -> Pipeline:
    return replace_transformation(pipeline, msgspec.structs.replace(target, inputs=inputs))


def declared_before(pipeline: Pipeline, source: str, reader: str) -> Pipeline:
    """Declare ``source`` before ``reader``; move the reader and what depends on it."""
    every = pipeline.transformations
    order = [item.id for item in every]
    at, place = order.index(reader), order.index(source)
    if place < at:
        return pipeline
    moved = {reader}
    for transformation in every[at : place + 1]:
        if moved & set(transformation.inputs):
            moved.add(transformation.id)
    if source in moved:
        msg = f"{quoted(source)} comes from {quoted(reader)}: the streams would go in a circle"
        raise EditError(msg)
    first = [member for member in every[: place + 1] if member.id not in moved]
    back = [member for member in every[: place + 1] if member.id in moved]
    ordered = (*first, *back, *every[place + 1 :])
    return msgspec.structs.replace(pipeline, transformations=ordered)
