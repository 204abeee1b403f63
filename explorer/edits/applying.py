"""Carry out a change that came as data: one function for all kinds of ``model.changes``."""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Final

from msgspec.structs import astuple

from explorer.documents import check_pipeline
from explorer.edits.edge_partitioners import set_partitioner
from explorer.edits.expectations import set_expectation, set_expected_id
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
    """Apply a change, without checking the result; raises ``EditError`` if it cannot be made."""
    if isinstance(change, Together):
        return reduce(apply_change, change.changes, pipeline)
    return EDITS[type(change)](pipeline, *astuple(change))


def apply_if_allowed(pipeline: Pipeline, change: Change) -> Pipeline | None:
    """Return the changed pipeline if it is valid, else None."""
    try:
        changed = apply_change(pipeline, change)
        check_pipeline(changed, pipeline)
    except ExplorerError:
        return None
    return changed


EDITS: Final[Mapping[type, Callable[..., Pipeline]]] = {
    SetField: set_field,
    SetEnvironment: set_environment,
    SetOption: set_option,
    SetCheckpointing: set_checkpointing,
    SetExpectation: set_expectation,
    SetExpectedId: set_expected_id,
    SetRelease: Pipeline.under,
    SetPartitioner: set_partitioner,
    ReplaceTransformation: replace_transformation,
}
"""Functions by kind of change, called with the pipeline and the change's fields."""
