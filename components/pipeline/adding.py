"""The dialog that adds a transformation."""

from typing import Final

import streamlit as st

from components import complaint, editing, session
from components.keys import Key
from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Pipeline

ENDS: Final = frozenset({"sink", "sink_v2", "close_iteration"})
"""The types that nothing can read from."""


def free_id(pipeline: Pipeline, type: str) -> str:
    """A name that no transformation has yet.

    >>> from explorer.model.pipeline import Transformation
    >>> free_id(Pipeline(transformations=(Transformation(id="map", type="map"),)), "map")
    'map 2'
    """
    taken = {each.id for each in pipeline.transformations}
    turn, name = 1, type
    while name in taken:
        turn += 1
        name = f"{type} {turn}"
    return name


def begin() -> None:
    """Open the dialog; it stays open until it is dismissed or done."""
    st.session_state[Key.ADDING] = True


def end() -> None:
    """Close the dialog."""
    st.session_state[Key.ADDING] = False
    session.content("add")


def wanted() -> bool:
    """Whether the dialog is open."""
    return bool(st.session_state.get(Key.ADDING))


@st.dialog("Add a transformation", on_dismiss=end)
def show(pipeline: Pipeline, after: str | None) -> None:
    """Ask for type, id and inputs; ``after`` is the input that is offered first."""
    if not wanted():
        st.rerun()
    types = list(KINDS)
    type = st.selectbox(
        "Type",
        types,
        index=types.index("map"),
        format_func=lambda each: f"{each} — {KINDS[each].call}",
        key="add.type",
    )
    st.text_input("Id", value=free_id(pipeline, type), key=f"add.id.{type}")
    ids = [each.id for each in pipeline.transformations if each.type not in ENDS]
    if KINDS[type].inputs[1] != 0:
        first = [after] if after in ids else ids[-1:]
        st.multiselect("Inputs", ids, default=first, key=f"add.inputs.{type}")
    complaint.show("add")
    st.button("Add", type="primary", key="add.do", on_click=_add, args=(type,))


def _add(type: str) -> None:
    """Add what was asked for; the dialog closes if that was possible."""
    values: dict[str, object] = {"id": st.session_state[f"add.id.{type}"].strip(), "type": type}
    if KINDS[type].inputs[1] != 0:
        values["inputs"] = tuple(st.session_state[f"add.inputs.{type}"])
    if editing.add(values):
        end()
