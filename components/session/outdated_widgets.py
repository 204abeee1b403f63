"""Widgets of documents that were undone or replaced: Streamlit would retain their descriptions.

A widget that shows a part of the document has the record's revision in its key, so each undo and
each opened document brings a dozen new ones. Streamlit drops the value of one that is not drawn,
and retains its callbacks, with what they refer to, until the session ends.
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
