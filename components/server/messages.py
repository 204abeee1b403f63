"""What a browser may send to a session: the messages that the page uses, and its own widgets.

Streamlit answers more: ``clear_cache`` drops the files and visits of all visitors,
``load_git_info`` reports the repository to them. Both never reach it.
"""

from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from streamlit.proto.BackMsg_pb2 import BackMsg
    from streamlit.proto.ClientState_pb2 import ClientState
    from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
    from streamlit.runtime.app_session import AppSession

USED: Final = frozenset(
    {"rerun_script", "stop_script", "file_urls_request", "backend_operation_request"}
)
"""Kinds of messages that the page's widgets send; the last one asks for a file to download."""
SELECTION: Final = "selection"
"""Name of the part of the page that a selection draws anew."""
PICKED: Final = '"event":"picked"'
"""What a component of ours sends where an element is selected."""
FIRST_BYTES: Final = 256 * 1024
"""Of widgets that a new session has not drawn: a browser sends them after the server restarted."""


def limit_messages() -> None:
    """Let sessions handle only the messages that the page uses, and the states of its widgets."""
    from streamlit.runtime.app_session import AppSession

    handle = AppSession.handle_backmsg

    def handle_used(session: "AppSession", msg: "BackMsg") -> None:
        kind = msg.WhichOneof("type")
        if kind not in USED:
            return
        if kind == "rerun_script":
            drop_unknown_states(session, msg.rerun_script.widget_states)
            narrow_selection(session, msg.rerun_script)
        handle(session, msg)

    setattr(AppSession, "handle_backmsg", handle_used)  # noqa: B010 - it is a method of theirs


def narrow_selection(session: "AppSession", rerun: "ClientState") -> None:
    """Let a selection run the part of the page that shows it, and all else the whole page.

    A widget within that part would run it alone: after an edit there, the rest must be drawn, too.
    A part that the session does not know, as after a restart of the server, would run nothing, and
    what the user did be lost; a timer's message alone may be.
    """
    part = _part_of_selection(session)
    triggers = [state.json_trigger_value for state in rerun.widget_states.widgets]
    triggers = [trigger for trigger in triggers if trigger]
    is_selection = len(triggers) == 1 and PICKED in triggers[0]
    is_lost = not rerun.is_auto_rerun and not session.has_fragment(rerun.fragment_id)
    if is_lost or rerun.fragment_id == part:
        rerun.fragment_id = part if is_selection else ""


def _part_of_selection(session: "AppSession") -> str:
    """Return Streamlit's ID of the part that shows the selection; "": the page has drawn none."""
    from streamlit.errors import StreamlitAPIException

    with suppress(StreamlitAPIException):
        return session._fragment_storage.resolve_target(SELECTION)[0]  # noqa: SLF001 - no other way
    return ""


def drop_unknown_states(session: "AppSession", states: "WidgetStates") -> None:
    """Remove the states of widgets that the page never drew in this session."""
    drawn_widget_metadatas = session.session_state._new_widget_state.widget_metadata  # noqa: SLF001 - no other way
    retained = [state for state in states.widgets if state.id in drawn_widget_metadatas]
    if len(retained) == len(states.widgets):
        return
    if not drawn_widget_metadatas:
        retained = _first_states(states)
    del states.widgets[:]
    states.widgets.extend(retained)


def _first_states(states: "WidgetStates") -> "list[WidgetState]":
    """Return the smallest states that fit into what a new session accepts."""
    left, retained = FIRST_BYTES, []
    for state in sorted(states.widgets, key=lambda state: state.ByteSize()):
        left -= state.ByteSize() + len(state.id)
        if left < 0:
            break
        retained.append(state)
    return retained
