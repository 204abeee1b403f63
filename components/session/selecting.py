"""Selecting an element: the page draws anew what shows the selection, and nothing else."""

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components.session import places, session
from components.session.keys import Key
from components.session.work import Work

_SELECTION = frozenset({"selection", "reach"})
"""Fields of the work that a selection changes."""


def has_changed_more() -> bool:
    """Whether a run of the selection's part alone must become a run of the page.

    So it is where the page shows something beside that part which is no longer so.
    """
    context = get_script_run_ctx()
    shown = _beside()
    if context is None or not context.fragment_ids_this_run:
        st.session_state[Key.BESIDE] = shown
        return False
    return bool(st.session_state.get(Key.BESIDE) != shown)


def _beside() -> tuple[object, ...]:
    work = session.work()
    fields = (name for name in Work.__struct_fields__ if name not in _SELECTION)
    return (*(getattr(work, name) for name in fields), places.current(), session.errors())
