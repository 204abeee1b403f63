"""Servers on loopback: a socket that answers as a test wants, and a cluster's recorded answers."""

import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress

from explorer.rest.addresses import Address, read_address

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
Serve = Callable[[socket.socket, bytes], None]
"""What is done with a connection and the request that was read from it."""


@contextmanager
def listening(serve: Serve) -> Iterator[str]:
    """A server that calls ``serve`` for each connection; gives its address."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    with connection, suppress(OSError):
                        serve(connection, connection.recv(65_536))

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)


def sending(*pieces: bytes) -> Serve:
    return lambda connection, _: connection.sendall(b"".join(pieces))


def body(text: str) -> bytes:
    return HEAD + f"Content-Length: {len(text)}\r\n\r\n{text}".encode()


@contextmanager
def answering(answers: Mapping[str, object]) -> Iterator[tuple[Address, list[str]]]:
    """A cluster with these answers by path, and the paths it was asked for; 404 for others."""
    asked: list[str] = []

    def serve(connection: socket.socket, request: bytes) -> None:
        path = request.split(b" ")[1].decode()
        asked.append(path)
        text = json.dumps(answers.get(path))
        connection.sendall(body(text) if path in answers else b"HTTP/1.1 404 No\r\n\r\n")

    with listening(serve) as address:
        yield read_address(address)[0], asked
