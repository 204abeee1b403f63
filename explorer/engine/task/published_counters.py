"""Counters that a subtask publishes while it runs.

Spark reports a Python task's figures only at its end. A local subtask writes its counters to a
file that is mapped into memory. A subtask on a cluster sends them to the driver in datagrams; a
lost datagram costs nothing, since the next one has the totals again.
"""

import hmac
import mmap
import socket
import struct
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from time import monotonic, time_ns
from typing import Final

import msgspec

from explorer.engine import plan
from explorer.engine.counters import OperatorCounters

WAITING, RUNNING, FINISHED = range(3)
"""A subtask's states."""
WIDTH: Final = 8
"""Bytes of a number."""
BEGUN, ENDED = 1, 2
"""Positions of a subtask's start and end, in nanoseconds since 1970, after its state."""
_OWN: Final = 3
"""Numbers of a subtask before those of its operators."""
_EACH: Final = 3
"""Numbers of an operator: records in, records out, nanoseconds."""
_EVERY: Final = 0.5
"""Seconds between two datagrams of a running subtask."""
_POSITION: Final = struct.Struct("!q")
_CODE_BYTES: Final = 32
"""Of SHA-256."""


class Layout:
    """Positions of each task's numbers: each subtask's own, then those of its operators."""

    def __init__(self, job: plan.Job) -> None:
        widths = (task.parallelism * width(task) for task in job.tasks)
        *self.starts, self.size = [0, *accumulate(widths)]


def width(task: plan.Task) -> int:
    """The count of a subtask's numbers."""
    return _OWN + _EACH * len(task.operators)


def operator_at(place: int) -> int:
    """Position of an operator's numbers, relative to its subtask's first number."""
    return _OWN + _EACH * place


def create(path: Path, job: plan.Job) -> None:
    """Create the file, filled with zeros."""
    path.write_bytes(bytes(WIDTH * Layout(job).size))


class ProgressTarget(msgspec.Struct, frozen=True, kw_only=True):
    """The destination of the counters of a run's subtasks."""

    file: str = ""
    """A file that all subtasks map into memory; '' on a cluster."""
    address: tuple[str, int] | None = None
    """Host and UDP port of the driver; None: nothing is sent."""


class Sender:
    """Sends counters to the driver; drops datagrams that cannot be sent."""

    def __init__(self, address: tuple[str, int] | None, secret: str) -> None:
        """``address``: None: nothing is sent; ``secret``: authenticates the datagrams."""
        self._secret = secret
        self._socket: socket.socket | None = None
        if address is None:
            return
        try:
            family, kind, _, _, result = socket.getaddrinfo(*address, type=socket.SOCK_DGRAM)[0]
            self._socket = socket.socket(family, kind)
            self._socket.settimeout(0)
            self._socket.connect(result)
        except OSError:
            self.close()

    @property
    def is_open(self) -> bool:
        """Whether there is a socket to send by."""
        return self._socket is not None

    def send(self, at: int, numbers: bytes) -> None:
        """Send a subtask's counters; ``at``: the position of its first number."""
        if self._socket is not None:
            with suppress(OSError):
                self._socket.send(seal_datagram(self._secret, at, numbers))

    def close(self) -> None:
        """Close the socket."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def seal_datagram(secret: str, at: int, numbers: bytes) -> bytes:
    """A datagram: a message authentication code, the position, the counters."""
    body = _POSITION.pack(at) + numbers
    return hmac.digest(secret.encode(), body, "sha256") + body


def open_datagram(secret: str, datagram: bytes) -> tuple[int, bytes] | None:
    """Position and counters of a datagram; None where ``secret`` does not authenticate it."""
    code, body = datagram[:_CODE_BYTES], datagram[_CODE_BYTES:]
    if len(body) < _POSITION.size:
        return None
    if not hmac.compare_digest(code, hmac.digest(secret.encode(), body, "sha256")):
        return None
    return _POSITION.unpack_from(body)[0], body[_POSITION.size :]


class Writer:
    """Publishes the counters of one subtask."""

    def __init__(self, target: ProgressTarget, at: int, size: int, sender: Sender) -> None:
        """``at``: the position of the subtask's first number; ``size``: how many it has."""
        self.at, self._sender, self._sent = at, sender, monotonic()
        self._numbers = memoryview(bytearray(WIDTH * size)).cast("q")
        with suppress(OSError, ValueError):
            if target.file:
                with Path(target.file).open("r+b") as file:
                    numbers = memoryview(mmap.mmap(file.fileno(), 0)).cast("q")
                self._numbers = numbers[at : at + size]

    @property
    def values(self) -> bytes:
        """All counters of the subtask."""
        return bytes(self._numbers)

    def state(self, state: int) -> None:
        """Publish that the subtask runs or has finished."""
        self._numbers[0] = state
        self._numbers[ENDED if state == FINISHED else BEGUN] = time_ns()
        self._send()

    def show(self, operator: int, counters: OperatorCounters) -> None:
        """Publish the counters of an operator, by its position in the task."""
        at = operator_at(operator)
        self._numbers[at] = counters.records_in
        self._numbers[at + 1] = counters.records_out
        self._numbers[at + 2] = counters.nanoseconds
        if self._sender.is_open and monotonic() - self._sent > _EVERY:
            self._send()

    def _send(self) -> None:
        if self._sender.is_open:
            self._sent = monotonic()
            self._sender.send(self.at, self.values)
