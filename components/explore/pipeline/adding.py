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
def show(pipeline: Pipeline, after: str | None) -> None:
    """Ask for type, id and inputs; ``after`` is the input that is offered first."""
    if not is_open():
        st.rerun()
    run_guarded(lambda: _form(pipeline, after), complaint.say)


def _form(pipeline: Pipeline, after: str | None) -> None:
    types = list(KINDS)
    reader = next(at for at, each in enumerate(types) if KINDS[each].inputs[1] != 0)
    type = st.selectbox(
        "Type",
        types,
        index=reader,
        format_func=lambda each: f"{each} — {KINDS[each].call}",
        key="add.type",
    )
    used = {each.id for each in pipeline.transformations}
    st.text_input("Id", value=new_id(used, type), key=f"add.id.{type}")
    ids = [each.id for each in pipeline.transformations if not KINDS[each.type].ends]
    if KINDS[type].inputs[1] != 0:
        first = [after] if after in ids else ids[-1:]
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
