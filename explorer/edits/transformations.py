"""Edits of a pipeline: pure functions from one document to the next.

An edit preserves a legal order of the document (inputs before their readers) and changes nothing
else. Whether the result is a good pipeline is for the documents' checks to say.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import count
from typing import Any

import msgspec

from explorer.documents.records import Record, to_record
from explorer.edits.expectations import rename_expectations
from explorer.errors import DocumentError, EditError, did_you_mean
from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Environment, Pipeline, Scalar, Transformation
from explorer.wording import quoted


def set_field(pipeline: Pipeline, id: str, field: str, value: object) -> Pipeline:
    """Set a transformation's field; None resets it to its default."""
    fields = _with_member(msgspec.to_builtins(find_transformation(pipeline, id)), field, value)
    return replace_transformation(pipeline, _transformation(fields, id))


def set_environment(pipeline: Pipeline, field: str, value: object) -> Pipeline:
    """Set a field of the environment; None resets it to its default."""
    fields = _with_member(msgspec.to_builtins(pipeline.environment), field, value)
    environment = edited_record(fields, Environment, "environment")
    return msgspec.structs.replace(pipeline, environment=environment)


def set_option(pipeline: Pipeline, name: str, value: Scalar) -> Pipeline:
    """Set an option of the environment's configuration; None removes it."""
    options = _with_member(pipeline.environment.configuration, name, value)
    return set_environment(pipeline, "configuration", options)


def set_checkpointing(pipeline: Pipeline, field: str, value: object) -> Pipeline:
    """Set a field of the environment's checkpointing; None resets it to its default."""
    checkpointing = msgspec.to_builtins(pipeline.environment.checkpointing)
    members = _with_member(checkpointing, field, value)
    return set_environment(pipeline, "checkpointing", members or None)


def _with_member(members: Mapping[str, Any], name: str, value: object) -> dict[str, Any]:
    """Return the members with another value at the end; None removes the member."""
    other_values = {member: item for member, item in members.items() if member != name}
    return other_values if value is None else {**other_values, name: value}


def add_transformation(
    pipeline: Pipeline, transformation: Transformation | Mapping[str, Any], after: str | None = None
) -> Pipeline:
    """Add a transformation behind the one called ``after``, or at the end."""
    if not isinstance(transformation, Transformation):
        transformation = _transformation(dict(transformation), str(transformation.get("id")))
    _check_free(pipeline, transformation.id)
    old = pipeline.transformations
    place = len(old) if after is None else old.index(find_transformation(pipeline, after)) + 1
    return _with(pipeline, [*old[:place], transformation, *old[place:]])


def _check_free(pipeline: Pipeline, id: str) -> None:
    if any(transformation.id == id for transformation in pipeline.transformations):
        msg = f"there is a transformation {id!r} already; choose another id"
        raise EditError(msg)


def replace_transformation(pipeline: Pipeline, transformation: Transformation) -> Pipeline:
    """Put ``transformation`` in the place of the one with its id."""
    find_transformation(pipeline, transformation.id)
    every = pipeline.transformations
    return _with(pipeline, [transformation if t.id == transformation.id else t for t in every])


def rename(pipeline: Pipeline, old: str, new: str) -> Pipeline:
    """Rename a transformation, in the inputs of its consumers too."""
    find_transformation(pipeline, old)
    if old != new:
        _check_free(pipeline, new)
    changed = rename_expectations(pipeline, {old: new})
    return _with(
        changed,
        [
            msgspec.structs.replace(
                replace_input(t, old, new),
                id=new if t.id == old else t.id,
                iteration=new if t.iteration == old else t.iteration,
            )
            for t in pipeline.transformations
        ],
    )


def delete_transformation(pipeline: Pipeline, id: str) -> Pipeline:
    """Delete a transformation and connect its readers to its input; raises ``EditError``."""
    gone = find_transformation(pipeline, id)
    readers = [t.id for t in pipeline.transformations if id in t.inputs]
    if readers and len(gone.inputs) != 1:
        msg = (
            f"{quoted(id)} cannot be deleted while {', '.join(map(repr, readers))} read from it: "
            f"it has {len(gone.inputs) or 'no'} inputs, so nothing can stand in for it; delete or "
            "rewire them first"
        )
        raise EditError(msg)
    deleted = [t.id for t in pipeline.transformations if id in {t.id, t.iteration}]
    return _with(
        rename_expectations(pipeline, dict.fromkeys(deleted)),
        [
            replace_input(t, id, gone.inputs[0]) if id in t.inputs else t
            for t in pipeline.transformations
            if t.id not in deleted
        ],
    )


def set_parallelism_of_all(pipeline: Pipeline, parallelism: int) -> Pipeline:
    """Set the job's parallelism, and remove that of each operator that is parallel."""
    every = [
        msgspec.structs.replace(t, parallelism=None)
        if t.parallelism is not None and t.parallel and KINDS[t.type].node
        else t
        for t in pipeline.transformations
    ]
    return set_environment(_with(pipeline, every), "parallelism", parallelism)


def give_uids(pipeline: Pipeline, ids: Iterable[str]) -> Pipeline:
    """Give each of these transformations its id as uid, or the next free one, where it has none."""
    wanted_ids = set(ids)
    used_uids = {
        transformation.uid
        for transformation in pipeline.transformations
        if transformation.uid is not None
    }
    every = []
    for transformation in pipeline.transformations:
        if transformation.id in wanted_ids and transformation.uid is None:
            uid = new_id(used_uids, transformation.id)
            used_uids.add(uid)
            every.append(msgspec.structs.replace(transformation, uid=uid))
        else:
            every.append(transformation)
    return _with(pipeline, every)


def replace_input(t: Transformation, old: str, new: str) -> Transformation:
    """Return the transformation with one input replaced."""
    return replace_inputs(t, tuple(new if id == old else id for id in t.inputs))


def replace_inputs(t: Transformation, inputs: tuple[str, ...]) -> Transformation:
    """Return the transformation with as many other inputs; selections move to the new ones."""
    pairs = list(zip(t.inputs, inputs, strict=True))
    selects = t.selects and {
        new: columns for id, columns in t.selects.items() for old, new in pairs if old == id
    }
    return msgspec.structs.replace(t, inputs=inputs, selects=selects)


def new_id(used_container: Container[str], stem: str) -> str:
    """The first id of ``candidate_ids`` that is not in use.

    >>> new_id({"map", "map-2"}, "map")
    'map-3'
    """
    return next(id for id in candidate_ids(stem) if id not in used_container)


def candidate_ids(stem: str) -> Iterator[str]:
    """The ids to choose from where none is given: ``stem``, then ``stem-2``, ``stem-3``, ..."""
    yield stem
    yield from (f"{stem}-{number}" for number in count(2))


def find_transformation(pipeline: Pipeline, id: str) -> Transformation:
    """The transformation of this id; raises ``EditError`` where there is none."""
    try:
        return pipeline.transformation(id)
    except KeyError:
        hint = did_you_mean(id, [t.id for t in pipeline.transformations])
        msg = f"there is no transformation {quoted(id)}{hint}"
        raise EditError(msg) from None


def _transformation(fields: dict[str, Any], id: str) -> Transformation:
    return edited_record(fields, Transformation, f"transformation {quoted(id)}")


def edited_record(fields: Mapping[str, Any], record: type[Record], owner: str) -> Record:
    """The record of edited fields; raises ``EditError``, which names their ``owner``."""
    try:
        return to_record(fields, record)
    except DocumentError as error:
        msg = f"{owner}: {error}"
        raise EditError(msg) from None


def _with(pipeline: Pipeline, transformations: list[Transformation]) -> Pipeline:
    return msgspec.structs.replace(pipeline, transformations=tuple(transformations))
