"""Rows of a source, an operator or a sink in a table, of which one can be picked."""

from typing import TYPE_CHECKING, Literal

import streamlit as st

if TYPE_CHECKING:
    import pandas as pd


def show(rows: "pd.DataFrame", *, key: str, height: int | Literal["stretch"]) -> int | None:
    """Draw the rows; give the position of the one that is picked."""
    event = st.dataframe(
        rows,
        hide_index=True,
        height=height,
        key=key,
        on_select="rerun",
        selection_mode="single-row",
    )
    chosen = event["selection"]["rows"]
    return chosen[0] if chosen and chosen[0] < len(rows) else None
