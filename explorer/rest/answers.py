"""One answer of a cluster, asked for with GET, limited in size and time, read as JSON."""

import time
from contextlib import closing, suppress
from http.client import (
    BadStatusLine,
    HTTPConnection,
    HTTPException,
    HTTPResponse,
    HTTPSConnection,
    IncompleteRead,
    RemoteDisconnected,
)
from socket import SHUT_RDWR, socket
from ssl import SSLCertVerificationError, SSLError
from threading import Timer
from typing import Any, Final

from explorer.documents.text.json_text import read_json
from explorer.errors import DocumentError
from explorer.rest.addresses import Address, ClusterError
from explorer.wording import quoted

MOST_BYTES: Final = 16 * 1024 * 1024
"""Bytes of one answer."""
_PIECE: Final = 64 * 1024
"""Bytes that are read at once."""
MOST_SECONDS: Final = 10.0
"""Seconds for one answer."""
_OK: Final = 200
_NOT_FOUND: Final = 404
_REDIRECTS: Final = range(300, 400)
_SHOWN: Final = 300
"""Characters of a cluster's own complaint that a sentence repeats."""


class NotThereError(ClusterError):
    """The cluster answers, and has no such thing."""


class Cluster:
    """A cluster to ask, until a deadline for all answers together.

    Each answer has its own connection, so threads share none and a cluster may close idle ones.
    """

    def __init__(self, address: Address, *, timeout: float) -> None:
        self.address = address
        self.deadline = time.monotonic() + timeout
        self.timeout = timeout

    def ask(self, path: str) -> Any:
        """The JSON that the cluster answers; raises ``ClusterError``, also at the deadline."""
        end = min(time.monotonic() + MOST_SECONDS, self.deadline)
        if end <= time.monotonic():
            raise self._late()
        try:
            status, body = self._answer(path, end)
        except (OSError, HTTPException) as error:
            late = isinstance(error, TimeoutError) or time.monotonic() >= end
            raise self._late() if late else self._broken(error) from None
        return self._value(status, body, path)

    def _answer(self, path: str, end: float) -> tuple[int, bytes]:
        """Return status and body; http.client follows no redirect."""
        address, left = self.address, end - time.monotonic()
        kind = HTTPSConnection if address.secure else HTTPConnection
        with closing(kind(address.host, address.port, timeout=left)) as connection:
            connection.connect()
            # A socket's limit is for one piece: who sends a byte now and then would never end.
            stop = Timer(end - time.monotonic(), _hang_up, [connection.sock])
            stop.start()
            try:
                asked = {"Accept": "application/json", "Connection": "close"}
                connection.request("GET", f"{address.path}{path}", headers=asked)
                with connection.getresponse() as response:
                    status, body = response.status, self._body(response)
            finally:
                stop.cancel()
        if time.monotonic() >= end:
            raise TimeoutError  # Hung up on, it looks like one that has ended.
        return status, body

    def _body(self, response: HTTPResponse) -> bytes:
        body = bytearray()
        # Piece by piece: of one large read http.client holds an object for each chunk that comes.
        while piece := response.read(_PIECE):
            body += piece
            if len(body) > MOST_BYTES:
                msg = f"{self.address} sends more than {MOST_BYTES >> 20} MB in one answer"
                raise ClusterError(msg)
        if response.length:
            raise IncompleteRead(bytes(body), response.length)
        return bytes(body)

    def _value(self, status: int, body: bytes, path: str) -> Any:
        if status in _REDIRECTS:
            msg = (
                f"{self.address} sends on to another address, which is not followed: name the "
                "cluster's own"
            )
            raise ClusterError(msg)
        try:
            value = read_json(body.decode("utf-8"))
        except (DocumentError, UnicodeDecodeError):
            value = None
        if status == _NOT_FOUND:
            msg = f"{self.address} has no {path}{_complaint(value)}"
            raise NotThereError(msg)
        if status != _OK:
            msg = f"{self.address} answers {path} with status {status}{_complaint(value)}"
            raise ClusterError(msg)
        if value is None:
            msg = f"{self.address}{path} is no answer of Flink's REST interface: it is not JSON"
            raise ClusterError(msg)
        return value

    def _late(self) -> ClusterError:
        return ClusterError(
            f"{self.address} did not answer in time: each answer has {MOST_SECONDS:.0f} s, and all "
            f"together have {self.timeout:.0f} s"
        )

    def _broken(self, error: OSError | HTTPException) -> ClusterError:
        if isinstance(error, SSLCertVerificationError):
            why = error.verify_message or error.reason
            return ClusterError(f"{self.address} shows no certificate that is trusted: {why}")
        if isinstance(error, SSLError):
            return ClusterError(f"{self.address} does not speak HTTPS: write http:// if it is open")
        if isinstance(error, BadStatusLine) and not isinstance(error, RemoteDisconnected):
            return ClusterError(
                f"what listens on {self.address} does not speak HTTP: name a cluster's REST port"
            )
        why = getattr(error, "strerror", None) or "the connection broke off"
        return ClusterError(
            f"there is no cluster on {self.address} ({why.lower()}): it is gone, or its REST "
            "interface listens elsewhere (rest.port, 8081 by default)"
        )


def _hang_up(connection: socket) -> None:
    """End a connection from another thread, so that a blocked read returns."""
    with suppress(OSError):
        connection.shutdown(SHUT_RDWR)


def _complaint(value: object) -> str:
    """Return the first line of the cluster's own message."""
    errors = value.get("errors") if isinstance(value, dict) else None
    text = [str(error) for error in errors if error] if isinstance(errors, list) else []
    first = text[-1].strip().split("\n")[0] if text else ""
    return f": {quoted(first, _SHOWN)}" if first else ""
