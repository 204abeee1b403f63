"""The dialog that adds a transformation."""

import streamlit as st

from components.session import editing, session
from components.session.guard import guarded, run_guarded
from components.session.keys import Key
from components.widgets import complaint
from explorer.edits import new_id
from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Pipeline


def open_dialog() -> None:
    """Open the dialog; it stays open until it is dismissed or done."""
    st.session_state[Key.ADDING] = True


def close_dialog() -> None:
    """Close the dialog."""
    st.session_state[Key.ADDING] = False
    session.clear_messages("add")


def is_open() -> bool:
    """Whether the dialog is open."""
    return bool(st.session_state.get(Key.ADDING))


@st.dialog("Add a transformation", on_dismiss=close_dialog)
def show(pipeline: Pipeline, following: str | None) -> None:
    """Ask for type, id and inputs; ``following`` is the input that is offered first."""
    if not is_open():
        st.rerun()
    run_guarded(lambda: _form(pipeline, following), complaint.say)


def _form(pipeline: Pipeline, following: str | None) -> None:
    types = list(KINDS)
    reader = next(at for at, item in enumerate(types) if KINDS[item].inputs[1] != 0)
    type = st.selectbox(
        "Type",
        types,
        index=reader,
        format_func=lambda value: f"{value} — {KINDS[value].call}",
        key="add.type",
    )
    used = {transformation.id for transformation in pipeline.transformations}
    st.text_input("Id", value=new_id(used, type), key=f"add.id.{type}")
    ids = [each.id for each in pipeline.transformations if not KINDS[each.type].ends]
    if KINDS[type].inputs[1] != 0:
        first = [following] if following in ids else ids[-1:]
        st.multiselect("Inputs", ids, default=first, key=f"add.inputs.{type}")
    complaint.show("add")
    st.button("Add", type="primary", key="add.do", on_click=_add, args=(type,))


@guarded
def _add(type: str) -> None:
    values: dict[str, object] = {"id": st.session_state[f"add.id.{type}"].strip(), "type": type}
    if KINDS[type].inputs[1] != 0:
        values["inputs"] = tuple(st.session_state[f"add.inputs.{type}"])
    if editing.add(values):
        close_dialog()
