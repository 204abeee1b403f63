"""Whether the DataStream API could have built a pipeline: the tables' rows, asked in order.

Fields come first, then types, then values, then inputs, then the schemas of unions, so that each
sentence speaks of the first thing that a person would mend.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from explorer.documents.bounds import outside
from explorer.documents.faults import Fault, Program
from explorer.documents.fields import check_fields
from explorer.documents.limits import MAX_ID, MAX_PARALLELISM, MAX_TEXT, MAX_TRANSFORMATIONS
from explorer.documents.links import TYPE_CHECKS, check_inputs, check_key_groups
from explorer.documents.schemas import check_unions
from explorer.documents.shapes import to_record
from explorer.documents.values import VALUE_CHECKS
from explorer.documents.wording import named, quoted, step, suggestion
from explorer.errors import DocumentError
from explorer.model.kinds import KINDS
from explorer.model.pipeline import Environment, Pipeline, Transformation
from explorer.releases import VERSIONS

_LONG: Final = 2**63 - 1
_INT: Final = 2**31 - 1
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
        _LONG,
        "; -1 sends full buffers only, 0 each record at once; Flink: Timeout of buffer must be "
        "non-negative or -1",
    ),
    "checkpoint_interval": (
        10,
        _LONG,
        "; Flink: Checkpoint interval must be larger than or equal to 10 ms",
    ),
}
"""By field of the environment: the least and the most that it may be; times in milliseconds."""

_CHECKPOINTING: Final = {
    "timeout": (10, _LONG, "; Flink: Checkpoint timeout must be larger than or equal to 10 ms"),
    "min_pause": (0, _LONG, "; Flink: Pause value must be zero or positive"),
    "max_concurrent": (
        1,
        _INT,
        "; Flink: The maximum number of concurrent attempts must be at least one.",
    ),
    "tolerable_failures": (
        0,
        _INT,
        "; Flink: The tolerable failure checkpoint number must be non-negative.",
    ),
}


def to_pipeline(document: object, *, limit: int | None = MAX_TRANSFORMATIONS) -> Pipeline:
    """Build the pipeline that plain values spell; raises ``DocumentError`` for the first fault."""
    given = check_fields(document, limit=limit)
    pipeline = to_record(document, Pipeline)
    _check(pipeline, given)
    return pipeline


def check_pipeline(pipeline: Pipeline) -> None:
    """Check a pipeline that was built or edited in Python, as if it had been read."""
    to_pipeline(msgspec.to_builtins(pipeline), limit=None)


def _check(pipeline: Pipeline, given: Sequence[Mapping[str, Any]]) -> None:
    _check_head(pipeline)
    _check_environment(pipeline.environment)
    program = Program(
        environment=pipeline.environment,
        transformations=pipeline.transformations,
        positions=_positions(pipeline.transformations),
    )
    for position, transformation in enumerate(pipeline.transformations):
        fault = next(_faults(transformation, given[position], position, program), None)
        if fault:
            raise _error(fault, transformation, position)
    if found := check_unions(pipeline.transformations, program.positions):
        position, fault = found
        raise _error(fault, pipeline.transformations[position], position)


def _error(fault: Fault, transformation: Transformation, position: int) -> DocumentError:
    path = f"transformations[{position}]" + (f".{fault.at}" if fault.at else "")
    return DocumentError(path, fault.problem + named(transformation.id))


def _faults(
    transformation: Transformation, given: Mapping[str, Any], position: int, program: Program
) -> Iterator[Fault]:
    """Every fault of one transformation, lazily: the caller takes the first."""
    for field in given:
        for check in VALUE_CHECKS.get(field, ()):
            if given[field] is not None and (fault := check(transformation, program)):
                yield fault
    if fault := check_inputs(transformation, position, program):
        yield fault
        return
    for check in TYPE_CHECKS.get(transformation.type, ()):
        if fault := check(transformation, program):
            yield fault
    if KINDS[transformation.type].node and (fault := check_key_groups(transformation, program)):
        yield fault


def _positions(transformations: tuple[Transformation, ...]) -> dict[str, int]:
    positions: dict[str, int] = {}
    for position, transformation in enumerate(transformations):
        first = positions.setdefault(transformation.id, position)
        if first != position:
            problem = f"{quoted(transformation.id)} is the id of transformations[{first}] already"
            raise DocumentError(path=f"transformations[{position}].id", problem=problem)
    return positions


def _check_head(pipeline: Pipeline) -> None:
    for field in ("name", "title", "teaches"):
        length = len(getattr(pipeline, field) or "")
        if length > MAX_TEXT:
            problem = f"has {length:,} characters; at most {MAX_TEXT:,} are allowed"
            raise DocumentError(field, problem)
    if pipeline.flink is not None and pipeline.flink not in VERSIONS:
        hint = suggestion(pipeline.flink, VERSIONS)
        problem = (
            f"there is no Flink release {quoted(pipeline.flink)} here; "
            f"they are {VERSIONS[0]} to {VERSIONS[-1]}{hint}"
        )
        raise DocumentError(path="flink", problem=problem)


def _check_environment(environment: Environment) -> None:
    _check_bounds(environment, _ENVIRONMENT, "environment")
    _check_bounds(environment.checkpointing, _CHECKPOINTING, "environment.checkpointing")
    if environment.savepoint is not None and not environment.savepoint.path:
        raise DocumentError(path="environment.savepoint.path", problem="must not be empty")
    for field in ("configuration", "artifacts"):
        for name, value in getattr(environment, field).items():
            if not 0 < len(name) <= MAX_ID:
                problem = f"a name in it has 1 to {MAX_ID} characters, not {len(name):,}"
                raise DocumentError(path=f"environment.{field}", problem=problem)
            if isinstance(value, float) and not math.isfinite(value):
                place = f"environment.{field}.{step(name)}"
                problem = f"must be a number that is finite, but is {value}"
                raise DocumentError(place, problem)


def _check_bounds(
    record: msgspec.Struct, bounds: Mapping[str, tuple[int, int, str]], path: str
) -> None:
    for field, (least, most, hint) in bounds.items():
        value = getattr(record, field)
        fault = None if value is None else outside(field, value, least, most, hint)
        if fault:
            raise DocumentError(path=f"{path}.{field}", problem=fault.problem)
