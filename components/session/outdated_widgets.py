"""Widgets that are no longer drawn: Streamlit drops their values and retains their callbacks.

A widget that shows a part of the document has the record's revision in its key, so each undo and
each opened document brings a dozen new ones, whose callbacks, with what they refer to, Streamlit
would retain until the session ends.
"""

from typing import Final

from streamlit.runtime.scriptrunner import get_script_run_ctx

REVISION: Final = "@"
"""Before the revision in a widget's key."""


def forget_outdated(revision: int) -> None:
    """Drop what Streamlit retains of widgets of earlier revisions that this run did not draw.

    Those of the revision before stay, since a browser may still report their values.
    """
    context = get_script_run_ctx()
    if context is None:
        return
    state = context.session_state._state  # noqa: SLF001 - Streamlit offers no other way
    ids, metadata = state._key_id_mapper, state._new_widget_state.widget_metadata  # noqa: SLF001
    drawn = context.shared.widget_ids_this_run.snapshot()
    for id_, key in [*ids.id_key_mapping.items()]:
        _, marked, number = key.rpartition(REVISION)
        if marked and number.isdecimal() and int(number) < revision - 1 and id_ not in drawn:
            metadata.pop(id_, None)
            ids.delete(key)


def was_drawn(widget: str) -> bool:
    """Whether the last whole run drew a widget, so that what a browser reports can be a change.

    A browser that shows an earlier run still reports its widgets. Streamlit compares their values
    with those that it dropped, and takes each of them for a change.
    """
    context = get_script_run_ctx()
    if context is None:
        return False
    state = context.session_state._state  # noqa: SLF001 - Streamlit offers no other way
    return state._key_id_mapper.get_id_from_key(widget) in state._old_state  # noqa: SLF001
