"""The *Task internals* tab: the parts of the selected task, and their lifecycle."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
import streamlit as st

from components.session import session
from components.session.keys import Key
from components.session.work import Work
from components.widgets import stepper, table
from components.widgets.pieces import hint
from components.widgets.table import Cell, Column, Row
from explorer.drawing.svg.task_internals_view import MOST, task_internals_view
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.highlighted_steps import MOST as MOST_PLAYED
from explorer.drawing.view.highlighted_steps import steps_apart
from explorer.explain.config_text import described_value
from explorer.explain.task_internals import shared_objects, task_internals
from explorer.flink.compiler import Compilation
from explorer.flink.tasks.stream_configs import stream_configs
from explorer.model.stream_config import ConfigEntry
from explorer.wording import counted

COLUMNS: Final = (Column("operator", "shrink"), Column("key", "mono"), Column("value", "wrap"))
HOW: Final = "Select a task or an operator in a graph to look into another."


def show(
    work: Work, compilation: Compilation, view: GraphView, highlighted: frozenset[str]
) -> None:
    """Draw the selected task, else the first, or say why there is nothing to look into."""
    vertex = next(
        (vertex_view for vertex_view in view.vertices if vertex_view.key in highlighted),
        view.vertices[0],
    )
    if len(vertex.nodes) > MOST_PLAYED:
        st.html(
            hint(
                f"{len(vertex.nodes):,} operators are too many to play as steps; the limit is "
                f"{MOST_PLAYED:,}. <code>python -m explorer explain FILE --inside TASK</code> "
                "prints them all."
            )
        )
    else:
        played = session.shared("task internals", (compilation, vertex.id), _player_members)
        stepper.show(played, document=f"{work.serial} {vertex.id}", key=Key.INTERNALS)
    heading, shown_rows, note = session.shared(
        "stream configs", (compilation, vertex.id), _beginning
    )
    with st.expander(heading):
        table.show(
            COLUMNS,
            shown_rows,
            label="StreamConfig",
            key=Key.STREAM_CONFIGS,
            note=note,
            height="content",
        )


def _player_members(compilation: Compilation, vertex: str) -> dict[str, Any]:
    internals = task_internals(compilation, vertex)
    drawn = len(internals.task.operators) <= MOST
    picture = {"picture": msgspec.to_builtins(task_internals_view(internals.task))} if drawn else {}
    text = f"{internals.task.name}: a {internals.task.summary}. {HOW}"
    note = {"note": " ".join((text, *shared_objects(internals.task)))}
    return steps_apart(internals.steps) | note | picture


def _beginning(compilation: Compilation, vertex: str) -> tuple[str, Sequence[Row], str]:
    """Return the heading, the rows that are sent, and a note on the rest."""
    configs = stream_configs(compilation, vertex)
    rows = [
        Row(None, (config.name, entry.key, _value(entry)))
        for config in configs
        for entry in config.entries
    ]
    keys, operators = counted(len(rows), "key"), counted(len(configs), "operator")
    return f"StreamConfig: {keys} of {operators}", *table.beginning(rows, table.MOST)


def _value(entry: ConfigEntry) -> Cell:
    text = described_value(entry)
    return text if entry.known else {"text": text, "tone": "mute"}
