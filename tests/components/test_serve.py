"""How the server's connections are set up, and how its sessions are read."""

import socket

import pytest
from streamlit.runtime.state import SessionState
from streamlit.web.server.starlette import starlette_server

from components.serve import SessionValues, read_by_key, send_at_once


def test_a_connection_sends_the_end_of_an_answer_without_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(starlette_server, "_bind_socket", starlette_server._bind_socket)
    send_at_once()

    with (
        starlette_server._bind_socket("127.0.0.1", 0, 1) as listening,
        socket.create_connection(listening.getsockname()),
    ):
        listening.settimeout(None)
        connection, _ = listening.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_field_reads_its_own_value_and_not_a_copy_of_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = SessionState()
    state["name"], state["choice"] = "words", None
    copied = state.filtered_state
    monkeypatch.setattr(SessionState, "filtered_state", SessionState.__dict__["filtered_state"])
    read_by_key()

    values = state.filtered_state

    assert isinstance(values, SessionValues)
    assert dict(values) == copied == {"name": "words", "choice": None}
    assert len(values) == len(copied)
    assert "other" not in values
