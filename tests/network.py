"""Keeps browser tests and changes of this machine's network apart.

Chromium drops its connections with ``ERR_NETWORK_CHANGED`` when an interface is added or removed,
and xdist runs tests of both kinds at once. Two files are locked: ``network`` by browser tests
(shared) and by changes (alone), ``turn`` while a process waits for ``network``, so that browser
tests cannot pass a change that waits.
"""

import fcntl
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from time import sleep
from typing import IO, Final

SETTLING: Final = 4.0
"""Seconds after which Linux has reported all of a change."""
_is_browsing = False


@cache
def _file(name: str) -> IO[bytes]:
    return (Path(tempfile.gettempdir()) / f"streamgraph-explorer-tests-{name}.lock").open("ab")


def _lock(mode: int) -> None:
    fcntl.flock(_file("turn"), fcntl.LOCK_EX)
    fcntl.flock(_file("network"), mode)
    fcntl.flock(_file("turn"), fcntl.LOCK_UN)


@contextmanager
def unchanged_network() -> Generator[None]:
    """Run a browser test while no process changes the network."""
    global _is_browsing  # noqa: PLW0603 # a fixture of the test may change the network
    _lock(fcntl.LOCK_SH)
    _is_browsing = True
    try:
        yield
    finally:
        _is_browsing = False
        fcntl.flock(_file("network"), fcntl.LOCK_UN)


@contextmanager
def changing_network() -> Generator[None]:
    """Change the network while no other process runs a browser test.

    Linux reports carriers and IPv6 addresses of new links for a second or two after the command:
    a page that Chromium loads then stays empty.
    """
    fcntl.flock(_file("network"), fcntl.LOCK_UN)
    _lock(fcntl.LOCK_EX)
    try:
        yield
        sleep(SETTLING)
    finally:
        fcntl.flock(_file("network"), fcntl.LOCK_SH if _is_browsing else fcntl.LOCK_UN)
