"""Ctrl+K: one field that finds whatever there is to select, to open or to do."""

from functools import cache
from typing import Final

import streamlit as st

from components.explore import find
from components.palette.commands import COMMANDS, offered
from components.palette.entries import found_in, settings
from components.session import actions, places, session
from components.session.callbacks import attempt
from components.session.guard import guarded
from components.session.keys import Key
from components.session.work import Work, selected
from components.widgets.packaged import packaged_component
from explorer.drawing.view.elements import GraphView

_mount: Final = packaged_component("palette", js="main.js", css="main.css")


def show(work: Work, view: GraphView | None) -> None:
    """Draw the button; what is chosen is carried out before the next run."""
    shown = session.shared("palette", (view,), _entries)
    _mount(
        key=Key.PALETTE,
        data={
            "entries": shown,
            "commands": [entry.row for entry in offered(work)],
            "label": "Find an operator, or paste an ID or an error message",
        },
        width="stretch",
        on_chosen_change=choose,
    )


def _entries(view: GraphView | None) -> list[tuple[str, ...]]:
    return [*_setting_rows(), *(entry.row for entry in (found_in(view) if view else ()))]


@cache
def _setting_rows() -> tuple[tuple[str, ...], ...]:
    return tuple(entry.row for entry in settings(places.NAMES))


@guarded
def choose() -> None:
    """Do what was chosen: a browser names one of the entries that it was sent."""
    chosen = st.session_state[Key.PALETTE]["chosen"]
    if chosen is None:
        return
    does, _, what = str(chosen["does"]).partition(":")
    if does == "pick":
        attempt(session.PAGE, lambda work: selected(work, actions.place_of(work, what)))
    elif does == "tab" and what in places.NAMES:
        places.go(what)
    elif does == "sample":
        actions.take_sample(what)
    elif does == "flink":
        actions.take_release(what)
    elif does == "find":
        find.look_up(what)
    elif does == "do" and what in COMMANDS:
        COMMANDS[what].run()
