"""The form of one operator of a StreamGraph document, which fills in what plans leave out."""

import html
from functools import partial
from typing import Final

import streamlit as st

from components import editing
from components.escaping import markup
from components.pipeline import widgets
from components.pipeline.fields import Field, strategies
from components.pipeline.values import entered, shown
from explorer.flink.kinds import KINDS
from explorer.model.stream_graph import StreamNode

STRATEGIES: Final = tuple(dict.fromkeys(each for type in KINDS for each in strategies(type)))
"""All that some operator may have."""
FIELDS: Final = (
    Field(name="name", label="name", widget="text"),
    Field(name="parallelism", label="parallelism", widget="number"),
    Field(name="chaining_strategy", label="strategy", widget="choice", choices=STRATEGIES),
    Field(name="uid", label="uid", widget="text", hint="none"),
    Field(name="uid_hash", label="uid hash", widget="text", hint="32 hex digits"),
    Field(name="slot_sharing_group", label="slot group", widget="text", hint="default"),
    Field(name="max_parallelism", label="max par.", widget="number"),
    Field(name="buffer_timeout", label="buffer ms", widget="number"),
)


def show(node: StreamNode) -> None:
    """Draw the fields."""
    st.html(
        f'<h3 class="x-kind">Operator<code>{html.escape(node.vertex_class)}</code></h3>'
        f'<div class="x-name">{markup(node.name)}</div>'
    )
    with st.container(key="form"):
        for field in FIELDS:
            if field.name == "chaining_strategy" and node.chaining_strategy is None:
                continue
            widgets.show(
                field,
                f"#{node.id}.{field.name}",
                shown(field, getattr(node, field.name)),
                field.choices,
                on_change=editing.set_node_field,
                args=(node.id, field.name, partial(entered, field)),
            )
