"""How the server's connections are set up."""

import socket

import pytest
from streamlit.web.server.starlette import starlette_server

from components.serve import send_at_once


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
