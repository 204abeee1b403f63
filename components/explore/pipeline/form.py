"""The form of one transformation: each field is applied at once, with its error next to it."""

from functools import partial
from typing import Any, Final

import msgspec
import streamlit as st

from components.explore.pipeline import widgets
from components.explore.pipeline.fields import FIRST, ID, MORE, Field, fields_of
from components.explore.pipeline.values import document_value, shown
from components.session import editing
from components.widgets import complaint
from explorer.drawing.view.elements import NodeView
from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Pipeline, Transformation

DELETE: Final = "Operators that read from it will read from its input"
DUPLICATE: Final = "A copy that reads the same, without the uid"
OFFERED: Final = 500
"""In a larger document the inputs are written by hand: a menu of all ids would be too long."""


def show(pipeline: Pipeline, transformation: Transformation, node: NodeView | None) -> None:
    """Draw the fields; those without a value show the one of ``node``, the compiled operator."""
    with st.container(key="form"):
        widgets.show(
            ID,
            f"{transformation.id}.id",
            transformation.id,
            (),
            on_change=editing.rename,
            args=(transformation.id,),
        )
        for field in fields_of(transformation, FIRST):
            _field(pipeline, transformation, field, node)
        if remaining_fields := fields_of(transformation, MORE):
            values = any(bool(getattr(transformation, field.name)) for field in remaining_fields)
            key = f"more.{transformation.id}"
            with st.expander("More", expanded=values, key=key, on_change="rerun") as more:
                for field in remaining_fields if more.open else ():
                    _field(pipeline, transformation, field, node)
        with st.container(key="whole", horizontal=True):
            for name, icon, change, effect in (
                ("Delete", "delete", editing.delete, DELETE),
                ("Duplicate", "content_copy", editing.duplicate, DUPLICATE),
            ):
                st.button(
                    name,
                    key=name.lower(),
                    icon=f":material/{icon}:",
                    type="tertiary",
                    on_click=change,
                    args=(transformation.id,),
                    help=effect,
                )
        complaint.show(f"{transformation.id}.delete")


def _field(
    pipeline: Pipeline, transformation: Transformation, field: Field, node: NodeView | None
) -> None:
    field = _with_compiled(field, node) if node else field
    strategy = node.strategy if node else transformation.chaining_strategy
    if field.widget == "inputs" and len(pipeline.transformations) > OFFERED:
        field = msgspec.structs.replace(field, widget="ids")
    value = (
        strategy
        if field.widget == "strategy"
        else shown(field, getattr(transformation, field.name))
    )
    widgets.show(
        field,
        f"{transformation.id}.{field.name}",
        value,
        _options(pipeline, transformation, field),
        on_change=editing.set_field,
        args=(transformation.id, field.name, partial(_read, field, transformation.type)),
    )


def _with_compiled(field: Field, node: NodeView) -> Field:
    """Return the field with the compiled value as its hint, as ``2 (job default)``."""
    compiled = {
        "parallelism": node.parallelism,
        "max_parallelism": node.max_parallelism if node.max_parallelism > 0 else None,
        "slot_sharing_group": node.slot_sharing_group,
        "buffer_timeout": node.buffer_timeout,
    }.get(field.name)
    if compiled is None:
        return field
    default = compiled if isinstance(compiled, int) else None
    return msgspec.structs.replace(field, hint=f"{compiled} ({field.hint})", default=default)


def _options(pipeline: Pipeline, transformation: Transformation, field: Field) -> tuple[str, ...]:
    match field.widget:
        case "strategy":
            return KINDS[transformation.type].offered_strategies
        case "inputs":
            return tuple(
                item.id for item in pipeline.transformations if item.id != transformation.id
            )
        case _:
            return field.choices


def _read(field: Field, type: str, value: Any) -> Any:
    """Return the value of a widget; None for an operator's default strategy."""
    if field.widget == "strategy":
        return None if value == KINDS[type].strategy else value
    return document_value(field, value)
