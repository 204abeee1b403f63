"""The dialog that adds a transformation at a place, with what Flink needs for it."""

from typing import Final

import streamlit as st

from components.explore.pipeline.fields import FIRST, MORE, Field
from components.explore.pipeline.values import document_value, shown
from components.explore.pipeline.widgets import WIDGETS
from components.session import editing, session
from components.session.guard import guarded, run_guarded
from components.session.keys import Key
from components.session.work import Work
from components.widgets import complaint
from explorer.drawing.view.selection import transformation_of
from explorer.edits.additions import (
    Place,
    ProposedAddition,
    columns_at,
    group_of,
    offers,
    places_at,
    propose,
    second_inputs,
)
from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Pipeline

WHOLE_ROW: Final = "the whole row"


def open_dialog(place: Place | None = None) -> None:
    """Open the dialog for a place; None: for the places around the selection."""
    st.session_state[Key.ADDING] = place or Place()
    st.session_state.pop(_TYPE, None)
    st.session_state.pop(_PLACE, None)


def close_dialog() -> None:
    """Close the dialog."""
    st.session_state[Key.ADDING] = None
    session.clear_messages(editing.ADD)


def show(work: Work) -> None:
    """Draw the dialog if it is open and the document is a pipeline."""
    place = st.session_state.get(Key.ADDING)
    if place is not None and work.document.pipeline is not None:
        _dialog(work.document.pipeline, _places(work, work.document.pipeline, place))


def _places(work: Work, pipeline: Pipeline, place: Place) -> tuple[Place, ...]:
    if place.source is not None:
        return (place,)
    view = session.compiled(work.document).view or session.last_view(work)
    places = places_at(pipeline, transformation_of(work.selection, view))
    # Before a sink, and nowhere else, no source is offered.
    return places if any(place.reader is None for place in places) else (*places, Place())


@st.dialog("Add a transformation", on_dismiss=close_dialog)
def _dialog(pipeline: Pipeline, places: tuple[Place, ...]) -> None:
    if st.session_state.get(Key.ADDING) is None:
        st.rerun()
    run_guarded(lambda: _choice(pipeline, places), complaint.say)


_PLACE: Final = "add.place"
_TYPE: Final = "add.type"


def _choice(pipeline: Pipeline, places: tuple[Place, ...]) -> None:
    """Draw the place, where there is a choice, the list of types that fit, and the form."""
    place = places[0]
    if len(places) > 1:
        place = st.selectbox("Where", places, format_func=_describe, key=_PLACE)
    elif place.source is not None:
        st.caption(_describe(place))
    fitting = session.latest("offers", (pipeline, place), offers)
    type = st.selectbox(
        "Type",
        list(fitting),
        index=None if place.source is not None else 0,
        format_func=_title,
        placeholder="Search: map, window, join, sink, ...",
        key=_TYPE,
    )
    if type in fitting:
        _form(pipeline, place, fitting[type])


def _describe(place: Place) -> str:
    if place.source is None:
        return "a new stream"
    if place.reader is None:
        return f"after {place.source}"
    return f"between {place.source} and {place.reader}"


def _title(type: str) -> str:
    kind = KINDS[type]
    return f"{group_of(kind)} · {type} — {kind.call}"


def _form(pipeline: Pipeline, place: Place, addition: ProposedAddition) -> None:
    """Draw what the addition needs, filled with what it proposes, and what it may have."""
    type = addition.main.type
    second = _second_input(pipeline, place, addition)
    if second is not None and second not in addition.streams:
        addition = propose(pipeline, place, type, second) or addition
    stem = f"add.{type}"
    with st.form(f"{stem}.form", border=False, enter_to_submit=True):
        st.text_input("Id", value=addition.id, key=f"{stem}.id")
        for key_by in addition.key_bys:
            columns = [name for name, _ in columns_at(pipeline, key_by.inputs[0])]
            st.multiselect(
                f"Key of {key_by.inputs[0]}",
                columns,
                default=list(key_by.keys or ()),
                accept_new_options=True,
                placeholder=WHOLE_ROW,
                key=f"{stem}.{key_by.id}",
            )
        for field in data_fields(addition):
            _field(field, addition, f"{stem}.{field.name}")
        complaint.show(editing.ADD)
        st.form_submit_button(
            "Add", type="primary", key="add.do", on_click=_add, args=(place, addition, stem)
        )


def _second_input(pipeline: Pipeline, place: Place, addition: ProposedAddition) -> str | None:
    choices = second_inputs(pipeline, place, addition.main.type)
    if choices == [None]:
        return None
    chosen: str | None = st.selectbox(
        "Second input",
        [name for name in choices if name is not None],
        index=next(
            (turn for turn, name in enumerate(choices) if name in addition.streams[1:]), None
        ),
        key=f"add.{addition.main.type}.second",
        on_change=_propose_keys,
        args=(f"add.{addition.main.type}",),
    )
    return chosen


def _propose_keys(stem: str) -> None:
    """Let the keys be proposed anew, for the columns of another second input."""
    for field in ("keys", "equal_to"):
        st.session_state.pop(f"{stem}.{field}", None)


def data_fields(addition: ProposedAddition) -> tuple[Field, ...]:
    """Return the fields of the type itself; those of every operator are in the panel."""
    own = KINDS[addition.main.type].fields
    return tuple(field for field in (*FIRST, *MORE) if field.name in own)


def _field(field: Field, addition: ProposedAddition, key: str) -> None:
    """Draw a field with its proposed value; an empty one shows an example."""
    st.session_state.setdefault(key, shown(field, getattr(addition.main, field.name)))
    WIDGETS[field.widget](field, field.choices, {"label": field.label, "key": key})


@guarded
def _add(place: Place, addition: ProposedAddition, stem: str) -> None:
    state = st.session_state
    fields = {field.name: (field, state[f"{stem}.{field.name}"]) for field in data_fields(addition)}
    keys = {key_by.id: tuple(state[f"{stem}.{key_by.id}"]) or None for key_by in addition.key_bys}
    id = str(state[f"{stem}.id"]).strip()

    def read() -> dict[str, object]:
        return {name: document_value(field, value) for name, (field, value) in fields.items()}

    if editing.add(place, addition, id=id, keys=keys, read=read):
        close_dialog()
