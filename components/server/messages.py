"""What a browser may send to a session: the messages that the page uses, and its own widgets.

Streamlit answers more: ``clear_cache`` drops the files and visits of all visitors,
``load_git_info`` reports the repository to them. Both never reach it.
"""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from streamlit.proto.BackMsg_pb2 import BackMsg
    from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
    from streamlit.runtime.app_session import AppSession

USED: Final = frozenset(
    {"rerun_script", "stop_script", "file_urls_request", "backend_operation_request"}
)
"""Kinds of messages that the page's widgets send; the last one asks for a file to download."""
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
        handle(session, msg)

    setattr(AppSession, "handle_backmsg", handle_used)  # noqa: B010 - it is a method of theirs


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
