"""The form of one operator of a StreamGraph document, which fills in what plans leave out."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import streamlit as st

from components.explore.pipeline import widgets
from components.explore.pipeline.fields import Field
from components.explore.pipeline.values import document_value, shown
from components.session import editing
from components.widgets.pieces import heading, hint, section
from explorer.engine.planning.synthetic import SYNTHETIC_RECORDS
from explorer.flink.kinds import KINDS
from explorer.model.stream_graph import StreamGraph, StreamNode, Synthetic

STRATEGIES: Final = tuple(
    dict.fromkeys(
        offered_strategy for kind in KINDS.values() for offered_strategy in kind.offered_strategies
    )
)
"""All that some operator may have."""
FIELDS: Final = (
    Field("name", "name", "text"),
    Field("parallelism", "parallelism", "number"),
    Field("chaining_strategy", "chaining strategy", "choice", choices=STRATEGIES),
    Field("uid", "uid", "text", hint="none"),
    Field("uid_hash", "uid hash", "text", hint="32 hex digits"),
    Field("slot_sharing_group", "slot sharing group", "text", hint="default"),
    Field("max_parallelism", "max parallelism", "number"),
    Field("buffer_timeout", "buffer timeout (ms)", "number"),
)
COST: Final = Field("cost", "µs a record", "decimal", hint="0")
OF_A_SOURCE: Final = (
    Field("records", "records", "number", hint=f"{SYNTHETIC_RECORDS:,}"),
    COST,
)
OF_OTHERS: Final = (
    Field("records_out", "records out", "decimal", hint="1"),
    Field("side_outputs", "side outputs", "record", hint="tag: 0.1"),
    COST,
)
"""What a trial runs in place of the operator."""
IN_A_TRIAL: Final = section("In a trial") + hint(
    "Output records for each input record, and the time for one."
)


def show(graph: StreamGraph, node: StreamNode) -> None:
    """Draw the fields."""
    st.html(heading("Operator", node.name, node.vertex_class))
    with st.container(key="form"):
        for field in FIELDS:
            if field.name == "chaining_strategy" and node.chaining_strategy is None:
                continue
            _draw(field, node, getattr(node, field.name), "", editing.set_node_field)
        st.html(IN_A_TRIAL)
        synthetic = node.synthetic or Synthetic()
        for field in _synthetic_fields(graph, node):
            _draw(field, node, getattr(synthetic, field.name), "synthetic.", editing.set_synthetic)


def _draw(
    field: Field, node: StreamNode, value: Any, within: str, change: Callable[..., None]
) -> None:
    widgets.show(
        field,
        f"#{node.id}.{within}{field.name}",
        shown(field, value),
        field.choices,
        on_change=change,
        args=(node.id, field.name, partial(document_value, field)),
    )


def _synthetic_fields(graph: StreamGraph, node: StreamNode) -> Sequence[Field]:
    """Return the fields that have a meaning for the operator's edges."""
    if not graph.in_edges[node.id]:
        return OF_A_SOURCE
    tags = [graph.edges[position].side_output for position in graph.out_edges[node.id]]
    apart = {"records_out": None not in tags, "side_outputs": not any(tags)}
    return [field for field in OF_OTHERS if not apart.get(field.name)]
