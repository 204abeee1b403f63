"""The StreamConfig of each operator of a task, key by key, as the JobGraph carries it."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from components import table
from components.keys import Key
from components.table import Cell, Column, Row
from explorer.analysis.config_text import described_value
from explorer.model.stream_config import ConfigEntry, OperatorConfig
from explorer.wording import counted

COLUMNS: Final = (Column("operator", "shrink"), Column("key", "mono"), Column("value", "wrap"))


def show(configs: Sequence[OperatorConfig]) -> None:
    """Draw the keys of every operator below a heading that opens."""
    rows = [
        Row(None, (config.name, entry.key, _value(entry)))
        for config in configs
        for entry in config.entries
    ]
    shown, note = table.beginning(rows, table.MOST)
    keys, operators = counted(len(rows), "key"), counted(len(configs), "operator")
    with st.expander(f"StreamConfig: {keys} of {operators}"):
        table.show(
            COLUMNS,
            shown,
            label="StreamConfig",
            key=Key.STREAM_CONFIGS,
            note=note,
            height="content",
        )


def _value(entry: ConfigEntry) -> Cell:
    text = described_value(entry)
    return text if entry.known else {"text": text, "tone": "mute"}
