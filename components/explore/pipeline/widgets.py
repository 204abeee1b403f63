"""Which Streamlit widget edits a field, and how its value and its error get there and back."""

import html
from collections.abc import Callable, Sequence
from typing import Any, Final

import streamlit as st

from components.explore.pipeline.fields import Field, Widget
from components.session import session
from components.widgets import complaint

Settings = dict[str, Any]
"""The arguments of every widget: its label, its key and its callback."""
Drawer = Callable[[Field, Sequence[str], Settings], object]
DRAFTED: Final = frozenset({"ids", "mapping", "record"})
"""Widgets with lines of text, which a user corrects rather than types anew."""
LINES: Final = 68
"""Height of a text area of about three lines."""


def show(field: Field, place: str, value: Any, options: Sequence[str], **callback: Any) -> None:
    """Draw the field's widget and, next to it, the error of its value.

    ``callback`` is called with the widget's key and ``args``. A refused value does not stay, since
    another one is in force; several lines of text do, until the next step, as a draft to correct.
    """
    key = session.widget(place)
    is_default = value is None and field.default is not None
    if field.widget not in DRAFTED or place not in session.errors():
        st.session_state[key] = field.default if is_default else value
    args = (key, *callback["args"])
    settings = {"label": field.label, "key": key, "on_change": callback["on_change"], "args": args}
    WIDGETS[field.widget](field, options, settings)
    # The field shows the value itself; its hint may add why it is in force.
    if is_default and field.hint != str(field.default):
        st.html(f'<small class="x-default">{html.escape(field.hint)}</small>')
    complaint.show(place)


def _text(field: Field, _: Sequence[str], settings: Settings) -> None:
    st.text_input(**settings, placeholder=field.hint)


def _lines(field: Field, _: Sequence[str], settings: Settings) -> None:
    st.text_area(**settings, placeholder=field.hint, height=LINES)


WIDGETS: Final[dict[Widget, Drawer]] = {
    "text": _text,
    "list": _text,
    "number": lambda field, _, settings: st.number_input(
        **settings, value=None, step=1, placeholder=field.hint
    ),
    "decimal": lambda field, _, settings: st.number_input(
        **settings, step=0.1, min_value=0.0, format="%g", placeholder=field.hint
    ),
    "choice": lambda _, options, settings: st.selectbox(
        **settings, options=options, placeholder="default"
    ),
    "switch": lambda _, __, settings: st.toggle(**settings),
    "strategy": lambda _, options, settings: st.segmented_control(
        **settings, options=options, wrap=False
    ),
    "inputs": lambda _, options, settings: st.multiselect(
        **settings, options=options, placeholder="none"
    ),
    "ids": _lines,
    "mapping": _lines,
    "record": _lines,
}
"""By a row of ``fields``."""
