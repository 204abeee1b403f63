"""What a program sends in py4j's place: an answer that is none, or calls without an end."""

import socket
import tracemalloc
from contextlib import nullcontext, suppress
from io import BytesIO
from time import sleep

import pytest
from hypothesis import given
from hypothesis import strategies as st
from py4j.java_gateway import CallbackServerParameters
from py4j.protocol import Py4JError, get_return_value

from explorer.capture.jvm import gateway
from tests.many_cases import for_each
from tests.patience import PATIENCE

CALL = "c\no1\ngetName\ne\n"
CLIENT = gateway._Gateway(
    socket.socket, gateway_parameters=gateway._parameters(0, "")
)._gateway_client


@given(st.from_regex(gateway._ANSWER, fullmatch=True))
def test_each_answer_to_a_call_can_be_read(answer: str) -> None:
    # an error of Java's
    with pytest.raises(Py4JError) if answer.startswith("x") else nullcontext():
        get_return_value(answer, CLIENT)


NUMBERS = ["yi12a", "yL" + "9" * 99, "yd1,5", "ybTrue"]
REFUSED = ["z", "y", "x", "xi", "nonsense", "yfp0", "yr7", "yj=", "ym", "ycjava.lang.String"]


@for_each("answer", NUMBERS + REFUSED)
def test_other_answers_are_recognised(answer: str) -> None:
    assert not gateway._is_answer(answer, CALL)


def test_readers_at_the_same_time_share_what_may_be_received() -> None:
    allowance = gateway._Allowance(1 << 20)
    endless = b"x" * (4 << 20)
    other = gateway._LimitedReader(BytesIO(endless), allowance)

    class _Overtaken(BytesIO):
        def readline(self, size: int | None = -1) -> bytes:
            with suppress(ConnectionError):
                other.readline()
            return super().readline(size)

    for file in (_Overtaken(endless), BytesIO(endless)):
        with pytest.raises(ConnectionError, match="too long"):
            gateway._LimitedReader(file, allowance).readline()
    assert -gateway._PIECE <= allowance.left <= 0


@pytest.mark.slow
def test_calls_without_an_end_take_little_memory() -> None:
    parameters = CallbackServerParameters(
        port=0,
        auth_token="none",  # noqa: S106
        daemonize=True,
        daemonize_connections=True,
    )
    server = gateway._CallbackServer(
        socket.socket, {}, CLIENT, callback_server_parameters=parameters
    )
    server.start()
    tracemalloc.start()
    try:
        callers = [socket.socket() for _ in range(60)]
        for caller in callers:
            caller.settimeout(PATIENCE)
            # The server takes only so many: one that is closed at once may fail as it connects.
            with suppress(ConnectionError):
                caller.connect((gateway.LOOPBACK, server.get_listening_port()))
            sleep(0.001)  # py4j queues five callers: a sixth would retry after a second
        refused = sum(is_refused(caller) for caller in callers)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        server.shutdown()
        for caller in callers:
            caller.close()

    assert refused == len(callers)
    assert peak < 50 << 20


def is_refused(caller: socket.socket) -> bool:
    """Send 8 MB of a line that does not end."""
    try:
        for _ in range(8):
            caller.sendall(b"x" * (1 << 20))
        return caller.recv(1) == b""
    except ConnectionError:
        return True
