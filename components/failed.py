"""What stands on the page after a mistake of ours: what happened, the document, and next steps."""

from typing import Final

import streamlit as st

from components.session import actions, session
from components.session.guard import run_guarded
from components.session.keys import Key
from components.widgets import complaint
from explorer.documents import dump_json
from explorer.wording import capitalized

_UNCHANGED: Final = "Your document is unchanged. Continue, undo the last step, or start again."

_SECONDS: Final = 0.2
"""CPU time for the routes, whatever the request has used."""


def show(sentence: str) -> None:
    """Say what happened above whatever was drawn of the page."""
    with st.container(key=Key.FAILED):
        complaint.say(f"{capitalized(sentence)}. {_UNCHANGED}")
        run_guarded(_routes, complaint.say, address="", minimum_seconds=_SECONDS)


def _routes() -> None:
    """Draw the buttons with which to continue."""
    with st.container(key="failed-routes", horizontal=True):
        st.button("Go on", key="failed-again", type="primary")
        if (work := session.work()) is not None:
            document = work.document
            st.button(
                "↶ Undo", key="failed-undo", on_click=actions.undo, disabled=not work.history.past
            )
            st.download_button(
                "⬇ Document",
                lambda: dump_json(document),
                file_name="document.json",
                mime="application/json",
                key="failed-document",
                on_click="ignore",
            )
            st.button("New pipeline", key="failed-new", on_click=actions.open_new)
