"""Checks whether the DataStream API could have built a pipeline, by the tables' rows in order.

Fields come first, then types, then values, then inputs, then the schemas of unions, so that each
sentence describes the first fault to fix.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from explorer.documents.checks.columns import check_unions
from explorer.documents.checks.expectations import check_expectations, names_of_pipeline
from explorer.documents.checks.faults import (
    FLUSHES,
    CheckContext,
    Fault,
    Problem,
    outside,
    refuse,
    too_long,
)
from explorer.documents.checks.field_checks import VALUE_CHECKS
from explorer.documents.checks.input_checks import check_inputs, check_links
from explorer.documents.limits import MAX_ID, MAX_TRANSFORMATIONS
from explorer.documents.records import to_record
from explorer.errors import DocumentError
from explorer.flink import option_values
from explorer.flink.key_groups import MAX_PARALLELISM
from explorer.flink.kinds import KINDS, NODE_FIELDS, Kind
from explorer.flink.releases import VERSIONS, is_release
from explorer.java_numbers import INT_MAX, LONG_MAX
from explorer.model.pipeline import (
    CheckSettings,
    Environment,
    Expectations,
    Pipeline,
    SlotSharingGroup,
    Transformation,
)
from explorer.wording import described, listed, named, quoted, quoting_hint, step, suggestion

_EXAMPLES: Final = {"id": "an id, a word that names it", "type": "a type, such as map or sink"}
_ALL: Final = tuple(field.encode_name for field in msgspec.structs.fields(Transformation))
_TOP: Final = tuple(field.encode_name for field in msgspec.structs.fields(Pipeline))


def _of_top(document: Mapping[Any, Any], limit: int | None) -> Iterator[Problem]:
    for name in document:
        if name not in _TOP:
            yield step(name), _unknown(name, _TOP, "a pipeline")
    if "transformations" not in document:
        yield "transformations", "is missing; list the program's operators there"
    items = document["transformations"]
    if not isinstance(items, list | tuple):
        yield "transformations", f"must be a list, but is {described(items)}"
    if limit is not None and len(items) > limit:
        problem = f"{len(items):,} transformations are too many; at most {limit:,} are read"
        yield "transformations", problem
    for position, item in enumerate(items):
        yield from _of_item(item, f"transformations[{position}]")


def _of_item(item: Any, path: str) -> Iterator[Problem]:
    if not isinstance(item, Mapping):
        yield path, f"must be a mapping with id and type, but is {described(item)}"
    for name in ("id", "type"):
        if not isinstance(item.get(name), str):
            yield f"{path}.{name}", _not_a_word(name, item.get(name))
    kind = KINDS.get(item["type"])
    if kind is None:
        yield f"{path}.type", no_such_type(item["type"]) + named(item["id"])
    elif not kind.accepted_fields.issuperset(item):
        # A field that holds null is not given.
        for field, value in item.items():
            if field not in kind.accepted_fields and (value is not None or field not in _ALL):
                yield f"{path}.{step(field)}", _describe_misplaced(field, kind) + named(item["id"])


def _not_a_word(name: str, value: object) -> str:
    if value is None:
        return f"is missing; each transformation has {_EXAMPLES[name]}"
    return f"must be text, but is {described(value)}{quoting_hint(value)}"


def no_such_type(type: str) -> str:
    """Return the problem of an unknown type, with the known types."""
    hint = suggestion(type, KINDS) or f"; the types are {listed(KINDS)}"
    return f"there is no transformation type {quoted(type)}{hint}"


def _describe_misplaced(name: object, kind: Kind) -> str:
    accepted = ("id", "type", *kind.allowed_fields)
    if name in _ALL and name in NODE_FIELDS:
        return f"{kind.type} {no_operator_for(str(name))}"
    if name == "inputs":
        return f"{kind.type} takes no inputs: a pipeline begins there"
    if name in _ALL:
        others = [other_kind.type for other_kind in KINDS.values() if name in other_kind.fields]
        return (
            f"{kind.type} takes no {name}; {listed(others)} {'do' if len(others) > 1 else 'does'}"
        )
    return _unknown(name, accepted, kind.type)


def no_operator_for(field: str) -> str:
    """Return the problem of an operator's field on a transformation without an operator."""
    return (
        f"has no operator of its own and takes no {field}; "
        "set it on the operator before or after it"
    )


def _unknown(name: object, known: tuple[str, ...], owner: str) -> str:
    if not isinstance(name, str):
        return f"a field's name is a word, not {described(name)}"
    hint = suggestion(name, known) or f"; the fields of {owner} are {listed(known)}"
    return f"there is no field {quoted(name)}{hint}"


def _above(minimum: option_values.Least, maximum: int) -> tuple[int, int, str]:
    return minimum.number, maximum, f"; Flink: {minimum.words}"


_OUT_OF_BOUNDS: Final = (
    f"; Flink: maxParallelism is out of bounds 0 < maxParallelism <= {MAX_PARALLELISM}. Found: {{}}"
)
_ENVIRONMENT: Final = {
    "parallelism": (
        1,
        MAX_PARALLELISM,
        "; Flink: Parallelism must be at least one, or ExecutionConfig.PARALLELISM_DEFAULT (use "
        "system default).",
    ),
    "max_parallelism": (1, MAX_PARALLELISM, _OUT_OF_BOUNDS),
    "buffer_timeout": (
        -1,
        LONG_MAX,
        f"{FLUSHES}; Flink: Timeout of buffer must be non-negative or -1",
    ),
    "checkpoint_interval": _above(option_values.CHECKPOINT_INTERVAL, LONG_MAX),
}
"""Bounds of the environment's fields, with Flink's words; times in milliseconds."""

_CHECKPOINTING: Final = {
    "timeout": _above(option_values.CHECKPOINT_TIMEOUT, LONG_MAX),
    "min_pause": (0, LONG_MAX, "; Flink: Pause value must be zero or positive"),
    "max_concurrent": _above(option_values.MAX_CONCURRENT, INT_MAX),
    "tolerable_failures": _above(option_values.TOLERABLE_FAILURES, INT_MAX),
}

_BYTES: Final = (0, INT_MAX, "; Flink: bytes must be >= 0")
_SLOT_SHARING_GROUP: Final = {
    "heap_mb": (1, INT_MAX, "; Flink: The task heap memory should be positive."),
    "off_heap_mb": _BYTES,
    "managed_mb": _BYTES,
}
_LEAST_CPU: Final = 1e-8
"""``Resource`` cuts an amount after 8 decimal places, and a slot without CPU is refused."""


def to_pipeline(document: object, *, limit: int | None = MAX_TRANSFORMATIONS) -> Pipeline:
    """Build the pipeline that plain values spell; raises ``DocumentError`` for the first fault."""
    if not isinstance(document, Mapping):
        problem = f"a document is a mapping with transformations, not {described(document)}"
        raise DocumentError(path="", problem=problem)
    refuse(_of_top(document, limit))
    values: Sequence[Mapping[str, Any]] = document["transformations"]
    pipeline = to_record(document, Pipeline)
    _check(pipeline, dict(enumerate(values)))
    return pipeline


def check_pipeline(pipeline: Pipeline, previous: Pipeline | None = None) -> None:
    """Check a pipeline that was built or edited in Python, as if it had been read.

    ``previous``: a good pipeline that it was made from; what cannot have become wrong since is not
    asked again. Raises ``DocumentError`` for the first fault.
    """
    if previous is None or not _same_order(pipeline, previous):
        to_pipeline(msgspec.to_builtins(pipeline), limit=None)
        return
    for field in _Settings.__struct_fields__:
        value = getattr(pipeline, field)
        if value != getattr(previous, field):
            to_record({field: msgspec.to_builtins(value)}, _Settings)
    affected = _find_affected(pipeline, previous)
    _check(pipeline, {position: _read_again(pipeline, position) for position in affected})


class _Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Members other than the transformations, by their paths in a document."""

    environment: Environment = Environment()
    expect: Expectations = Expectations()
    check: CheckSettings = CheckSettings()


def _same_order(pipeline: Pipeline, previous: Pipeline) -> bool:
    old = {transformation.id for transformation in previous.transformations}
    new_ids = [transformation.id for transformation in pipeline.transformations]
    new = set(new_ids)
    old_ids = (transformation.id for transformation in previous.transformations)
    return (
        len(new) == len(new_ids)
        and all(
            isinstance(transformation, Transformation)
            for transformation in pipeline.transformations
        )
        and [id for id in new_ids if id in old] == [id for id in old_ids if id in new]
    )


def _find_affected(pipeline: Pipeline, previous: Pipeline) -> list[int]:
    """Return the positions of changed transformations and of all that depend on them."""
    old = {transformation.id: transformation for transformation in previous.transformations}
    changed = {
        transformation.id
        for transformation in pipeline.transformations
        if old.get(transformation.id) != transformation
    }
    gone = old.keys() - {transformation.id for transformation in pipeline.transformations}
    touched = changed | gone
    # No more subtasks than key groups: the environment sets both where an operator does not.
    everywhere = any(
        getattr(pipeline.environment, field) != getattr(previous.environment, field)
        for field in ("parallelism", "max_parallelism")
    )
    return [
        position
        for position, transformation in enumerate(pipeline.transformations)
        if everywhere
        or transformation.id in changed
        or not touched.isdisjoint(transformation.inputs)
        # A feedback stream is followed up to its iteration, on any route.
        or (touched and transformation.iteration is not None)
    ]


def _read_again(pipeline: Pipeline, position: int) -> Mapping[str, Any]:
    """Return a transformation's fields, checked as a document's."""
    path = f"transformations[{position}]"
    item: Mapping[str, Any] = msgspec.to_builtins(pipeline.transformations[position])
    refuse(_of_item(item, path))
    try:
        to_record(item, Transformation)
    except DocumentError as error:
        raise DocumentError(path=f"{path}.{error.path}", problem=error.problem) from None
    return item


def _check(pipeline: Pipeline, values: Mapping[int, Mapping[str, Any]]) -> None:
    """Check the pipeline; ``values``: by position, the fields of transformations to check."""
    refuse(_of_head(pipeline))
    refuse(_of_environment(pipeline.environment))
    positions: dict[str, int] = {}
    for position, transformation in enumerate(pipeline.transformations):
        first = positions.setdefault(transformation.id, position)
        if first != position:
            problem = f"{quoted(transformation.id)} is the id of transformations[{first}] already"
            raise DocumentError(path=f"transformations[{position}].id", problem=problem)
    program = CheckContext(
        environment=pipeline.environment,
        transformations=pipeline.transformations,
        positions=positions,
    )
    refuse(_of_transformations(program, values))
    if (pipeline.expect, pipeline.check) != (Expectations(), CheckSettings()):
        check_expectations(pipeline.expect, pipeline.check, names_of_pipeline(pipeline))


def _of_transformations(
    program: CheckContext, values: Mapping[int, Mapping[str, Any]]
) -> Iterator[Problem]:
    for position, fields in values.items():
        for fault in _faults(fields, position, program):
            yield _with_place(fault, position, program)
    if values and (unions := check_unions(program.transformations, program.positions)):
        position, fault = unions
        yield _with_place(fault, position, program)


def _with_place(fault: Fault, position: int, program: CheckContext) -> Problem:
    path = f"transformations[{position}]" + (f".{fault.at}" if fault.at else "")
    return path, fault.problem + named(program.transformations[position].id)


def _faults(values: Mapping[str, Any], position: int, program: CheckContext) -> Iterator[Fault]:
    """Yield a transformation's faults lazily: links mean nothing where inputs are wrong."""
    transformation = program.transformations[position]
    for field in values:
        value = getattr(transformation, field, None)
        for check in () if value is None else VALUE_CHECKS.get(field, ()):
            if fault := check(value, transformation, program):
                yield fault
    inputs = check_inputs(transformation, position, program)
    if fault := inputs or check_links(transformation, program):
        yield fault


def _of_head(pipeline: Pipeline) -> Iterator[Problem]:
    for field in ("name", "title", "teaches"):
        if problem := too_long(getattr(pipeline, field)):
            yield field, problem
    if pipeline.flink is not None and not is_release(pipeline.flink):
        hint = suggestion(pipeline.flink, VERSIONS)
        problem = (
            f"there is no Flink release {quoted(pipeline.flink)} here; "
            f"they are {VERSIONS[0]} to {VERSIONS[-1]}{hint}"
        )
        yield "flink", problem


def _of_environment(environment: Environment) -> Iterator[Problem]:
    yield from _of_bounds(environment, _ENVIRONMENT, "environment")
    yield from _of_bounds(environment.checkpointing, _CHECKPOINTING, "environment.checkpointing")
    if environment.savepoint is not None and not environment.savepoint.path:
        yield "environment.savepoint.path", "must not be empty"
    for field in ("configuration", "artifacts", "slot_sharing_groups"):
        for name, value in getattr(environment, field).items():
            if not 0 < len(name) <= MAX_ID:
                problem = f"a name in it has 1 to {MAX_ID} characters, not {len(name):,}"
                yield f"environment.{field}", problem
            if isinstance(value, float) and not math.isfinite(value):
                problem = f"must be a number that is finite, but is {value}"
                yield f"environment.{field}.{step(name)}", problem
    for name, group in environment.slot_sharing_groups.items():
        yield from _of_group(group, f"environment.slot_sharing_groups.{step(name)}")


def _of_group(group: SlotSharingGroup, path: str) -> Iterator[Problem]:
    yield from _of_bounds(group, _SLOT_SHARING_GROUP, path)
    if not (math.isfinite(group.cpu) and group.cpu >= _LEAST_CPU):
        problem = (
            f"must be a number from {_LEAST_CPU:.8f} on, but is {group.cpu}; "
            "Flink: The cpu cores should be positive."
        )
        yield f"{path}.cpu", problem
    for name, amount in group.external.items():
        if not (math.isfinite(amount) and amount >= 0):
            words = "Flink: Resource value must be no less than 0"
            problem = f"must be a number from 0 on, but is {amount}; {words}"
            yield f"{path}.external.{step(name)}", problem


def _of_bounds(
    record: msgspec.Struct, bounds: Mapping[str, tuple[int, int, str]], path: str
) -> Iterator[Problem]:
    for field, (minimum, maximum, hint) in bounds.items():
        if fault := outside(f"{path}.{field}", getattr(record, field), minimum, maximum, hint):
            yield fault
