"""Bounds of CPU time and memory for work in this process: what exceeds them fails at once."""

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

CPU_SECONDS: Final = 10.0
MEMORY: Final = 512 << 20


class TooMuchCpuError(AssertionError):
    """Work that did not end within its CPU time."""


@contextmanager
def bounded(cpu_seconds: float = CPU_SECONDS, memory: int = MEMORY) -> Iterator[None]:
    """Let the block fail after so much CPU time, or where it allocates so many bytes more."""
    limits = resource.getrlimit(resource.RLIMIT_DATA)
    before = signal.signal(signal.SIGPROF, _stop)
    resource.setrlimit(resource.RLIMIT_DATA, (_allocated() + memory, limits[1]))
    signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        resource.setrlimit(resource.RLIMIT_DATA, limits)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    msg = "the work took too much CPU time"
    raise TooMuchCpuError(msg)


def _allocated() -> int:
    """Bytes of this process's data, as RLIMIT_DATA counts them."""
    rows = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(row.split()[1]) << 10 for row in rows if row.startswith("VmData:"))
