"""Delivers the counters of running and finished subtasks to the driver.

On this machine the counters are in a file that the workers map into memory. On a cluster finished
subtasks report by a Spark accumulator, which needs no further port, and running subtasks by
datagrams to the driver's address. Where a firewall drops datagrams, figures change only when a
subtask finishes.
"""

import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeAlias

from explorer.engine import plan
from explorer.engine.task.deployment import Finished
from explorer.engine.task.published_counters import (
    WIDTH,
    Layout,
    ProgressTarget,
    create,
    open_datagram,
)

_DATAGRAM_BYTES: Final = 1 << 16
_MOST_AT_ONCE: Final = 10_000
"""Limit of datagrams read at once."""
_BUFFER_BYTES: Final = 4 << 20

Counters: TypeAlias = dict[str, dict[int, bytes]]
"""By run, the counters of finished subtasks by the position of their first number."""


class FileProgress:
    """Progress of a run with workers that see this machine's files."""

    def __init__(self, path: Path, job: plan.Job) -> None:
        self._path, self.target = path, ProgressTarget(file=str(path))
        create(path, job)

    def read(self) -> bytes:
        """All counters so far, as ``Layout`` places them; empty where there are none."""
        with suppress(OSError):
            return self._path.read_bytes()
        return b""

    def finished(self) -> None:
        """Return no callback: the file has the counters of finished subtasks, too."""

    def close(self) -> None:
        """Remove the file."""
        self._path.unlink(missing_ok=True)


class LatestCounters:
    """An ``AccumulatorParam``: a subtask that runs twice counts once."""

    def zero(self, _value: Counters) -> Counters:
        """No counters."""
        return {}

    def addInPlace(self, value1: Counters, value2: Counters) -> Counters:  # noqa: N802 - Spark's
        """Add the counters of ``value2`` to ``value1``."""
        for run, numbers in value2.items():
            value1.setdefault(run, {}).update(numbers)
        return value1


class ClusterProgress:
    """Progress of a run with workers on other machines."""

    def __init__(self, conf: Any, accumulator: Any, job: plan.Job, run: str) -> None:
        """``run``: a name that cannot be guessed; it authenticates datagrams."""
        self._accumulator, self._run = accumulator, run
        self._numbers = bytearray(WIDTH * Layout(job).size)
        self._socket, address = _listening(conf)
        self.target = ProgressTarget(address=address)

    def read(self) -> bytes:
        """All counters so far, as ``Layout`` places them; finished subtasks override datagrams."""
        if self._socket is not None:
            with suppress(OSError):
                for _ in range(_MOST_AT_ONCE):
                    datagram = open_datagram(self._run, self._socket.recv(_DATAGRAM_BYTES))
                    if datagram is not None:
                        self._place(*datagram)
        for at, numbers in dict(self._accumulator.value.get(self._run, {})).items():
            self._place(at, numbers)
        return bytes(self._numbers)

    def _place(self, at: int, numbers: bytes) -> None:
        start = at * WIDTH
        if 0 <= start <= len(self._numbers) - len(numbers):
            self._numbers[start : start + len(numbers)] = numbers

    def finished(self) -> Finished:
        """Return the callback by which a worker adds finished subtasks' counters."""
        accumulator, run = self._accumulator, self._run

        def add(numbers: Mapping[int, bytes]) -> None:
            accumulator.add({run: dict(numbers)})

        return add

    def close(self) -> None:
        """Close the socket and forget the counters."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        self._accumulator.value.pop(self._run, None)


Progress: TypeAlias = FileProgress | ClusterProgress
"""The driver's side of a run's progress."""


def _listening(conf: Any) -> tuple[socket.socket | None, tuple[str, int] | None]:
    """Open a UDP socket at the driver's address; also return host and port for the workers."""
    host = conf.get("spark.driver.host")
    bound = conf.get("spark.driver.bindAddress") or os.environ.get("SPARK_LOCAL_IP") or host
    try:
        family, kind, _, _, address = socket.getaddrinfo(bound, 0, type=socket.SOCK_DGRAM)[0]
        listening = socket.socket(family, kind)
    except OSError:
        return None, None
    try:
        listening.settimeout(0)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER_BYTES)
        listening.bind(address)
    except OSError:
        listening.close()
        return None, None
    return listening, (str(host), int(listening.getsockname()[1]))
