"""The memory of this process, as Linux counts it, and what its C library keeps of it."""

import ctypes
import os
import resource
from contextlib import suppress
from typing import Final

_ARENA_MAX: Final = -8
_TRIM_THRESHOLD: Final = -1
_MMAP_THRESHOLD: Final = -3
"""Options of glibc's ``mallopt``."""
_MOST_FREE: Final = 1 << 20
"""Bytes at the end of the heap that are free and not returned."""
_LARGE: Final = 1 << 18
"""Bytes from which a block is returned as soon as it is free."""


def resident_bytes() -> int:
    """Return the bytes of memory in use now; the peak of ``getrusage`` includes the parent."""
    # Each request asks several times: a Path would read it in ten times the time.
    statistics = os.open("/proc/self/statm", os.O_RDONLY)
    try:
        pages = os.read(statistics, 200).split()[1]
    finally:
        os.close(statistics)
    return int(pages) * resource.getpagesize()


def share_free_memory() -> None:
    """Let all threads allocate from one heap, before they start, and return large free blocks.

    glibc gives the threads up to eight heaps a processor, and each keeps what its threads free.
    Python's threads allocate one at a time. Another C library returns memory by itself.
    """
    with suppress(AttributeError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_ARENA_MAX, 1)
        mallopt(_TRIM_THRESHOLD, _MOST_FREE)
        mallopt(_MMAP_THRESHOLD, _LARGE)


def trim_free_memory() -> None:
    """Return free pages to the system, where the C library keeps them."""
    with suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
