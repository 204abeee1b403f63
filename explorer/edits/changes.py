"""Carry out a change that came as data: one function for all kinds of ``model.changes``."""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any, Final

from explorer.documents import check_pipeline
from explorer.edits.expectations import set_expectation, set_expected_id
from explorer.edits.partitioners import set_partitioner
from explorer.edits.transformations import (
    replace_transformation,
    set_checkpointing,
    set_environment,
    set_field,
    set_option,
)
from explorer.errors import ExplorerError
from explorer.model.changes import (
    Change,
    OneChange,
    ReplaceTransformation,
    SetCheckpointing,
    SetEnvironment,
    SetExpectation,
    SetExpectedId,
    SetField,
    SetOption,
    SetPartitioner,
    SetRelease,
    Together,
)
from explorer.model.pipeline import Pipeline


def apply_change(pipeline: Pipeline, change: Change) -> Pipeline:
    """The pipeline with the change; raises ``EditError`` where it cannot be made.

    Whether the result is a good pipeline is for the documents' checks to say.
    """
    if isinstance(change, Together):
        return reduce(_apply, change.changes, pipeline)
    return _apply(pipeline, change)


def allowed(pipeline: Pipeline, change: Change) -> Pipeline | None:
    """The same where it is a good pipeline; None where the change cannot be made."""
    try:
        changed = apply_change(pipeline, change)
        check_pipeline(changed, pipeline)
    except ExplorerError:
        return None
    return changed


def _apply(pipeline: Pipeline, change: OneChange) -> Pipeline:
    changed: Pipeline = CARRIED_OUT[type(change)](pipeline, change)
    return changed


CARRIED_OUT: Final[Mapping[type, Callable[[Pipeline, Any], Pipeline]]] = {
    SetField: lambda pipeline, one: set_field(pipeline, one.id, one.field, one.value),
    SetEnvironment: lambda pipeline, one: set_environment(pipeline, one.field, one.value),
    SetOption: lambda pipeline, one: set_option(pipeline, one.name, one.value),
    SetCheckpointing: lambda pipeline, one: set_checkpointing(pipeline, one.field, one.value),
    SetExpectation: lambda pipeline, one: set_expectation(pipeline, one.field, one.value),
    SetExpectedId: lambda pipeline, one: set_expected_id(pipeline, one.name, one.value),
    SetRelease: lambda pipeline, one: pipeline.under(one.flink),
    SetPartitioner: lambda pipeline, one: set_partitioner(
        pipeline, one.source, one.target, one.partitioner
    ),
    ReplaceTransformation: lambda pipeline, one: replace_transformation(
        pipeline, one.transformation
    ),
}
"""By kind of change, what carries it out."""
