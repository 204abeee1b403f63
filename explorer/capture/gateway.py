"""Access to a JVM: py4j's gateway with a token in both directions, quiet after the JVM ends."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from py4j.java_gateway import (
    CallbackServerParameters,
    GatewayClient,
    GatewayConnection,
    GatewayParameters,
    JavaGateway,
)
from py4j.protocol import ERROR, REFERENCE_TYPE, Py4JNetworkError, get_return_value

LOOPBACK: Final = "127.0.0.1"


@contextmanager
def opened(port: int, token: str) -> Iterator[Any]:
    """A gateway that calls back into Python with the token, too.

    The one that py4j's own ``main`` listens for at ``port`` lets its calls back carry none, so it
    only serves to open this one. The JVM's class path contains ``capture.jar``.
    """
    with _quiet(), _closing(_Gateway(gateway_parameters=_parameters(port, token))) as first:
        here = first.jvm.java.net.InetAddress.getByName(LOOPBACK)
        builder = first.jvm.py4j.GatewayServer.GatewayServerBuilder()
        builder = builder.javaPort(0).javaAddress(here).authToken(token)
        builder = builder.serverSocketFactory(first.jvm.explorer.capture.PromptSockets())
        server = builder.callbackClient(0, here, token).build()
        server.start(True)  # noqa: FBT003 - in a thread of its own
        second = _Gateway(
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
            server.resetCallbackClient(here, callbacks)
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


class _Client(GatewayClient):  # type: ignore[misc] # py4j ships no types
    """Raises Java's exceptions itself, and closes a connection that fails.

    py4j leaves the latter to the collector. A process with a Spark session has PySpark's own
    ``get_return_value`` in py4j, which treats every exception as one of Spark's JVM.
    """

    def send_command(self, command: str, *args: Any, **kwargs: Any) -> Any:
        """Send a command; a Java exception is raised as ``Py4JJavaError``."""
        answer = super().send_command(command, *args, **kwargs)
        if isinstance(answer, str) and answer.startswith(ERROR + REFERENCE_TYPE):
            get_return_value(answer, self)
        return answer

    def _create_connection(self) -> GatewayConnection:
        connection = GatewayConnection(self.gateway_parameters, self.gateway_property)
        try:
            connection.start()
        except Py4JNetworkError:
            for held in (getattr(connection, "stream", None), connection.socket):
                if held is not None:
                    held.close()
            raise
        return connection


class _Gateway(JavaGateway):  # type: ignore[misc]
    def _create_gateway_client(self) -> _Client:
        return _Client(gateway_parameters=self.gateway_parameters)


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
    root, own = logging.getLogger(), logging.getLogger("py4j")
    deaf, retained = logging.NullHandler(), own.propagate
    root.addHandler(deaf)
    root.addFilter(_is_not_py4j)
    own.propagate = False
    try:
        yield
    finally:
        own.propagate = retained
        root.removeFilter(_is_not_py4j)
        root.removeHandler(deaf)


def _is_not_py4j(record: logging.LogRecord) -> bool:
    return "py4j" not in Path(record.pathname).parts
