"""Access to a JVM: py4j's gateway with a token in both directions, quiet after the JVM ends.

The JVM may be in a network of its own: all sockets come from the process that runs it. What it
sends is limited in size. The program runs in it too, and may answer in its place: an answer that is
none of py4j's ends the connection.
"""

import logging
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from py4j.java_gateway import (
    CallbackConnection,
    CallbackServer,
    CallbackServerParameters,
    GatewayClient,
    GatewayConnection,
    GatewayParameters,
    JavaGateway,
    quiet_shutdown,
)
from py4j.protocol import (
    CALL_COMMAND_NAME,
    CONSTRUCTOR_COMMAND_NAME,
    ERROR,
    REFERENCE_TYPE,
    Py4JError,
    Py4JNetworkError,
    get_return_value,
)

from explorer.sandbox.launching import Opener

LOOPBACK: Final = "127.0.0.1"
_LONGEST_LINE: Final = 64 << 20
"""Bytes of an answer of the JVM, which is one line."""
_PIECE: Final = 1 << 16
"""Bytes of a line that are read at once."""
_MOST_ANSWERED: Final = 512 << 20
"""Bytes of all its answers."""
_MOST_CALLED: Final = 8 << 20
"""Bytes of all its calls, of a hundred each: what py4j makes of them takes a hundred times as
much."""
_MOST_CALLERS: Final = 50
"""Connections that call at a time: one for each thread of Java that executes jobs."""
_ANSWER: Final = re.compile(
    r"""x(?:|s.*|ro\d+)
    |y(?:[nv]|btrue|bfalse|[iL]-?\d{1,19}|s.*|[rlhtag]o\d+
        |[dD]-?(?:\d+(?:\.\d+)?(?:E[-+]?\d+)?|Infinity|NaN)
        |j(?:[a-zA-Z\d+/]{4})*(?:[a-zA-Z\d+/]{2}==|[a-zA-Z\d+/]{3}=)?)""",
    re.ASCII | re.DOTALL | re.VERBOSE,
)
"""The answers of ``py4j.Protocol`` to a call, without the first character."""
_MEMBER: Final = re.compile("y(?:[mo]|[pc].*)", re.DOTALL)
"""Those to the question what a name stands for: a method, nothing, a package, a class."""
_CALLS: Final = (CALL_COMMAND_NAME, CONSTRUCTOR_COMMAND_NAME)
_SHOWN: Final = 200
"""Characters of an answer that are looked at where it is an error."""
_NO_OBJECT: Final = "Target Object ID does not exist"
"""Answered for an object that py4j has not named; no name is ever given up."""


class BrokenConnectionError(Py4JError):  # type: ignore[misc] # py4j ships no types
    """A JVM that has ended, or in which the program answers in py4j's place."""


@contextmanager
def opened(port: int, token: str, open_socket: Opener) -> Iterator[Any]:
    """A gateway that calls back into Python with the token, too.

    The one that py4j's own ``main`` listens for at ``port`` lets its calls back carry none, so it
    only serves to open this one. The JVM's class path contains ``capture.jar``.
    """
    first_gateway = _Gateway(open_socket, gateway_parameters=_parameters(port, token))
    with _quiet(), _closing(first_gateway) as first:
        value = first.jvm.java.net.InetAddress.getByName(LOOPBACK)
        builder = first.jvm.py4j.GatewayServer.GatewayServerBuilder()
        builder = builder.javaPort(0).javaAddress(value).authToken(token)
        builder = builder.serverSocketFactory(first.jvm.explorer.capture.PromptSockets())
        server = builder.callbackClient(0, value, token).build()
        server.start(True)  # noqa: FBT003 - in a thread of its own
        second = _Gateway(
            open_socket,
            gateway_parameters=_parameters(server.getListeningPort(), token),
            callback_server_parameters=CallbackServerParameters(
                address=LOOPBACK,
                port=0,
                auth_token=token,
                daemonize=True,
                daemonize_connections=True,
                propagate_java_exceptions=True,
            ),
        )
        with _closing(second):
            callbacks = second.get_callback_server().get_listening_port()
            server.resetCallbackClient(value, callbacks)
            yield second


def _parameters(port: int, token: str) -> GatewayParameters:
    return GatewayParameters(
        address=LOOPBACK,
        port=port,
        auth_token=token,
        auto_convert=True,
        # To report to Java each object that Python forgets costs a call, and the JVM ends soon.
        enable_memory_management=False,
    )


class _Allowance:
    """Bytes that may still be received, by all connections that share it."""

    def __init__(self, size: int) -> None:
        self.left = size


class _LimitedReader:
    """The lines that a socket receives."""

    def __init__(self, file: Any, allowance: _Allowance) -> None:
        self._file, self._allowance = file, allowance

    def readline(self) -> bytes:
        # In pieces, so that those who read at the same time see how much the others have left.
        line = bytearray()
        while not line.endswith(b"\n"):
            limit = min(_PIECE, _LONGEST_LINE - len(line), self._allowance.left)
            if limit <= 0:
                msg = "the JVM sent a line that is too long"
                raise ConnectionError(msg)
            piece: bytes = self._file.readline(limit)
            self._allowance.left -= len(piece)
            line += piece
            if not piece:
                break
        return bytes(line)

    def close(self) -> None:
        self._file.close()


class _LimitedSocket(socket.socket):
    """A socket with lines of a limited length, as are those of the connections that it accepts."""

    allowance: _Allowance

    def makefile(self, *args: Any, **kwargs: Any) -> Any:
        return _LimitedReader(super().makefile(*args, **kwargs), self.allowance)

    def accept(self) -> tuple["_LimitedSocket", Any]:
        accepted, address = super().accept()
        return _limited(accepted, self.allowance), address


def _limited(plain: socket.socket, allowance: _Allowance) -> _LimitedSocket:
    limited = _LimitedSocket(fileno=plain.detach())
    limited.allowance = allowance
    return limited


class _Connection(GatewayConnection):  # type: ignore[misc]
    def __init__(self, opened_socket: socket.socket, *args: Any) -> None:
        super().__init__(*args)
        self.socket.close()
        self.socket: socket.socket = opened_socket

    def shutdown_socket(self, remote_port: int, local_port: int) -> None:
        """Do nothing after Ctrl-C, when py4j calls this, since the JVM ends."""


class _Caller(CallbackConnection):  # type: ignore[misc]
    """A connection through which Java calls; quiet where it has been closed already."""

    def close(self, *args: Any, **kwargs: Any) -> None:
        with suppress(OSError, AttributeError):
            super().close(*args, **kwargs)


class _CallbackServer(CallbackServer):  # type: ignore[misc]
    """Listens on the loopback interface of the JVM's network."""

    def __init__(self, open_socket: Opener, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._open_socket = open_socket

    def start(self) -> None:
        self.server_socket = _limited(self._open_socket(), _Allowance(_MOST_CALLED))
        self.server_socket.bind((LOOPBACK, 0))
        self.server_socket.listen()
        self._listening_address, self._listening_port = self.server_socket.getsockname()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def _create_connection(self, accepted: socket.socket, stream: Any) -> _Caller:
        if sum(caller.is_alive() for caller in self.connections) >= _MOST_CALLERS:
            quiet_shutdown(accepted)  # it is read as ended
        parameters = self.callback_server_parameters
        return _Caller(self.pool, stream, accepted, self.gateway_client, parameters, self)


class _Client(GatewayClient):  # type: ignore[misc]
    """Raises Java's exceptions itself, and closes a connection that fails.

    py4j leaves the latter to the collector. A process with a Spark session has PySpark's own
    ``get_return_value`` in py4j, which treats every exception as one of Spark's JVM.
    """

    def __init__(self, open_socket: Opener, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._open_socket, self._allowance = open_socket, _Allowance(_MOST_ANSWERED)

    def send_command(self, command: str, *args: Any, **kwargs: Any) -> Any:
        """Send a command; a Java exception is raised as ``Py4JJavaError``."""
        answer = super().send_command(command, *args, **kwargs)
        if not isinstance(answer, str):
            return answer
        if not _is_answer(answer, command):
            raise BrokenConnectionError(answer[:_SHOWN])
        if answer.startswith(ERROR + REFERENCE_TYPE):
            get_return_value(answer, self)
        return answer

    def _create_connection(self) -> _Connection:
        try:
            free = _limited(self._open_socket(), self._allowance)
        except OSError as error:
            msg = "the JVM has ended"
            raise Py4JNetworkError(msg, error) from None
        connection = _Connection(free, self.gateway_parameters, self.gateway_property)
        try:
            connection.start()
        except Py4JNetworkError:
            for held in (getattr(connection, "stream", None), connection.socket):
                if held is not None:
                    held.close()
            raise
        return connection


def _is_answer(answer: str, command: str) -> bool:
    """Whether py4j of a running JVM, which has each object that it has named, answers so."""
    if answer == ERROR or (answer.startswith(ERROR) and _NO_OBJECT in answer[:_SHOWN]):
        return False
    is_member = not command.startswith(_CALLS) and _MEMBER.fullmatch(answer)
    return bool(is_member or _ANSWER.fullmatch(answer))


class _Gateway(JavaGateway):  # type: ignore[misc]
    def __init__(self, open_socket: Opener, **kwargs: Any) -> None:
        self._open_socket = open_socket
        super().__init__(**kwargs)

    def _create_gateway_client(self) -> _Client:
        return _Client(self._open_socket, gateway_parameters=self.gateway_parameters)

    def _create_callback_server(self, parameters: CallbackServerParameters) -> _CallbackServer:
        return _CallbackServer(
            self._open_socket,
            self.gateway_property.pool,
            self._gateway_client,
            callback_server_parameters=parameters,
        )


@contextmanager
def _closing(gateway: _Gateway) -> Iterator[_Gateway]:
    try:
        yield gateway
    finally:
        with suppress(Exception):
            gateway.close()


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep py4j from writing tracebacks of a JVM that is gone into the log of all programs."""
    root, gateway_logger = logging.getLogger(), logging.getLogger("py4j")
    deaf, retained = logging.NullHandler(), gateway_logger.propagate
    root.addHandler(deaf)
    root.addFilter(_is_not_py4j)
    gateway_logger.propagate = False
    try:
        yield
    finally:
        gateway_logger.propagate = retained
        root.removeFilter(_is_not_py4j)
        root.removeHandler(deaf)


def _is_not_py4j(record: logging.LogRecord) -> bool:
    return "py4j" not in Path(record.pathname).parts
