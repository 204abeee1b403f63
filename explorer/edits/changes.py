"""Carry out a change that came as data: one function for all kinds of ``model.changes``."""

from explorer.edits.partitioners import set_partitioner
from explorer.edits.transformations import (
    replace_transformation,
    set_environment,
    set_field,
    set_option,
)
from explorer.model.changes import (
    Change,
    ReplaceTransformation,
    SetEnvironment,
    SetField,
    SetOption,
    SetPartitioner,
)
from explorer.model.pipeline import Pipeline


def apply_change(pipeline: Pipeline, change: Change) -> Pipeline:
    """The pipeline with the change; raises ``EditError`` where it cannot be made.

    Whether the result is a good pipeline is for the documents' checks to say.
    """
    match change:
        case SetField():
            return set_field(pipeline, change.id, change.field, change.value)
        case SetEnvironment():
            return set_environment(pipeline, change.field, change.value)
        case SetOption():
            return set_option(pipeline, change.name, change.value)
        case SetPartitioner():
            return set_partitioner(pipeline, change.source, change.target, change.partitioner)
        case ReplaceTransformation():
            return replace_transformation(pipeline, change.transformation)
