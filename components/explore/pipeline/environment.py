"""The job's own settings, shown while no transformation is selected."""

from functools import partial
from typing import Final, get_args

import streamlit as st

from components.explore.pipeline import widgets
from components.explore.pipeline.fields import Field
from components.explore.pipeline.values import document_value, shown
from components.session import editing
from components.session.keys import Key
from components.widgets.pieces import section
from explorer.flink.passes.generation.options import OBJECT_REUSE
from explorer.model.pipeline import Environment, Pipeline, RuntimeMode
from explorer.model.stream_graph import DEFAULT_BUFFER_TIMEOUT

TITLE: Final = "Job settings"
NAME: Final = Field("name", "pipeline name", "text")
FIRST: Final = (
    Field("parallelism", "parallelism", "number"),
    Field("max_parallelism", "max parallelism", "number", hint="derived"),
    Field("runtime_mode", "runtime mode", "choice", choices=get_args(RuntimeMode)),
    Field(
        "buffer_timeout",
        "buffer timeout (ms)",
        "number",
        hint=str(DEFAULT_BUFFER_TIMEOUT),
        default=DEFAULT_BUFFER_TIMEOUT,
    ),
    Field("checkpoint_interval", "checkpoint interval (ms)", "number", hint="off"),
)
"""Those that are always in view."""
MORE: Final = (
    Field("checkpointing", "checkpoints", "record", hint="mode: EXACTLY_ONCE"),
    Field("savepoint", "savepoint", "record", hint="path: /savepoints/1"),
    Field("artifacts", "artifacts", "mapping", hint="name: path"),
    Field(
        "slot_sharing_groups",
        "resources of slot sharing groups",
        "record",
        hint="default: {cpu: 1, heap_mb: 512}",
    ),
    Field("auto_generate_uids", "automatic uids", "switch"),
    Field("configuration", "options", "record", hint="option: value"),
)
"""With the first ones, all settings but ``chaining``, which the title bar holds."""
_REUSE: Final = Field("object_reuse", "reuse objects", "switch")


def show(pipeline: Pipeline) -> None:
    """Draw the settings."""
    st.html(section(TITLE))
    with st.container(key="form"):
        _fields(pipeline)


def show_below(pipeline: Pipeline) -> None:
    """Draw the settings behind a head to open, below the form of what is selected."""
    with (
        st.container(key="form-of-job"),
        st.expander(TITLE, key=Key.JOB_SETTINGS, on_change="rerun") as settings,
    ):
        if settings.open:
            _fields(pipeline)


def _fields(pipeline: Pipeline) -> None:
    widgets.show(NAME, editing.NAME, pipeline.name, (), on_change=editing.set_name, args=())
    for field in FIRST:
        _field(pipeline.environment, field)
    with st.expander("More", key="more.environment", on_change="rerun") as more:
        if more.open:
            _further_fields(pipeline)


def _further_fields(pipeline: Pipeline) -> None:
    widgets.show(
        _REUSE,
        "environment.object_reuse",
        pipeline.environment.configuration.get(OBJECT_REUSE) is True,
        (),
        on_change=editing.set_environment,
        args=("configuration", partial(_reusing, pipeline.environment)),
    )
    for field in MORE:
        _field(pipeline.environment, field)


def _reusing(environment: Environment, on: object) -> dict[str, str | int | float | bool]:
    fields = {key: item for key, item in environment.configuration.items() if key != OBJECT_REUSE}
    return {**fields, OBJECT_REUSE: True} if on else fields


def _field(environment: Environment, field: Field) -> None:
    widgets.show(
        field,
        f"environment.{field.name}",
        shown(field, getattr(environment, field.name)),
        field.choices,
        on_change=editing.set_environment,
        args=(field.name, partial(document_value, field)),
    )
