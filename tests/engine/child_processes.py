"""Processes that a process has started."""

from contextlib import suppress
from pathlib import Path


def child_processes(parent: int) -> set[int]:
    """The running processes that any thread of ``parent`` started."""
    found: set[int] = set()
    for listed in Path(f"/proc/{parent}/task").glob("*/children"):
        with suppress(OSError):  # the thread has ended by now
            found |= {int(pid) for pid in listed.read_text().split()}
    return found
