"""How the server's connections are set up."""

import gc
import socket

import pytest
from streamlit.web.server.starlette import starlette_server

from components.serve import send_at_once, spare_collections


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


def test_a_collection_looks_at_nothing_that_was_there_before() -> None:
    former, frozen = [0], gc.get_freeze_count()
    spare_collections()
    try:
        assert gc.get_freeze_count() > frozen
        later = [former]
        collected = {id(found) for found in gc.get_objects()}
        assert id(former) not in collected
        assert id(later) in collected
    finally:
        gc.unfreeze()
