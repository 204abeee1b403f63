"""The StreamConfig of each operator of a task, key by key, as the JobGraph carries it."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from components import session, table
from components.keys import Key
from components.table import Cell, Column, Row
from explorer.analysis.config_text import described_value
from explorer.flink.compiler import Compilation
from explorer.flink.stream_configs import stream_configs
from explorer.model.stream_config import ConfigEntry
from explorer.wording import counted

COLUMNS: Final = (Column("operator", "shrink"), Column("key", "mono"), Column("value", "wrap"))


def show(done: Compilation, vertex: str) -> None:
    """Draw the keys of every operator of a task below a heading that opens."""
    heading, shown, note = session.shared("stream configs", (done, vertex), _beginning)
    with st.expander(heading):
        table.show(
            COLUMNS,
            shown,
            label="StreamConfig",
            key=Key.STREAM_CONFIGS,
            note=note,
            height="content",
        )


def _beginning(done: Compilation, vertex: str) -> tuple[str, Sequence[Row], str]:
    """The heading, as many rows as are sent, and a note on the rest."""
    configs = stream_configs(done, vertex)
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
