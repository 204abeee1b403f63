"""The levels of the graph view: which one or two of the three graphs are drawn.

The session holds the choice and the address repeats it, so that a link shows the same graphs. An
address without a choice shows what this browser drew last.
"""

from typing import Any, Final

import streamlit as st

from components.session import session
from components.session.guard import guarded
from components.session.keys import Key
from explorer.drawing.layout.orientation import EdgeDirection

LEVELS: Final = ("stream", "job", "execution")
"""From the program to its subtasks; graphs are drawn in this order."""
EXECUTION: Final = LEVELS[2]
DEFAULT: Final = LEVELS[:2]
_SEPARATOR: Final = "-"


def parsed_levels(text: object) -> tuple[str, ...] | None:
    """Return one or two levels in their order; None for a text that names no such choice.

    >>> parsed_levels("job"), parsed_levels("execution-job"), parsed_levels("job-job-stream")
    (('job',), ('job', 'execution'), ('stream', 'job'))
    >>> parsed_levels("stream-job-execution"), parsed_levels("network"), parsed_levels(None)
    (None, None, None)
    """
    names = set(str(text).split(_SEPARATOR))
    if not names <= set(LEVELS) or len(names) > len(DEFAULT):
        return None
    return tuple(level for level in LEVELS if level in names)


def current_levels() -> tuple[str, ...] | None:
    """Return the chosen levels; None as long as neither the session nor the address names any."""
    stated = st.query_params.get(Key.LEVELS)
    if Key.LEVELS not in st.session_state or session.travelled():
        st.session_state[Key.LEVELS] = parsed_levels(stated)
    levels: tuple[str, ...] | None = st.session_state[Key.LEVELS]
    return levels


def current_direction() -> EdgeDirection:
    """Return in which direction the edges of graphs lead that are not drawn in both."""
    direction: EdgeDirection = st.session_state.get(Key.DIRECTION, "down")
    return direction


@guarded
def choose_direction(widget: str) -> None:
    """Let the edges of large graphs lead where the browser wants them."""
    wanted: dict[str, Any] | None = st.session_state[widget]["direction"]
    if wanted is not None:
        st.session_state[Key.DIRECTION] = "right" if wanted["across"] else "down"


@guarded
def choose_levels(widget: str) -> None:
    """Draw the levels that were chosen above a graph."""
    chosen: dict[str, Any] | None = st.session_state[widget]["levels"]
    levels = parsed_levels(_SEPARATOR.join(map(str, chosen["shown"]))) if chosen else None
    if levels is None:
        return
    st.session_state[Key.LEVELS] = levels
    if levels == DEFAULT:
        st.query_params.pop(Key.LEVELS, None)
    else:
        st.query_params[Key.LEVELS] = _SEPARATOR.join(levels)
