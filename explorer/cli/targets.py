"""A FILE of a command that is a program or a running job: captured, then read as a document."""

import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from explorer.documents import as_document
from explorer.errors import ExplorerError
from explorer.model.document import Document
from explorer.rest import is_address
from explorer.wording import counted, listed, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from explorer.capture.installation import Installation

_QUIET: Final = 1.0
"""Seconds after which a capture says that it is under way."""


def document_of_target(
    target: str, release: str | None = None, otherwise: str | None = None
) -> Document:
    """Capture the target's only job; an unchanged program comes from the cache.

    ``release``: the Flink that captures it; ``otherwise``: where a jar names none. Raises
    ``ExplorerError`` where it has no job or several.
    """
    from explorer.capture import capture
    from explorer.capture.cached import captured_documents

    with _announced(target) as announce:
        found = (
            capture(target)
            if is_address(target)
            else captured_documents(target, announce, release=release, otherwise=otherwise)
        )
    if len(found) != 1:
        jobs = listed([quoted(one["name"]) for one in found]) or "none"
        msg = (
            f"{target} has {counted(len(found), 'job')} ({jobs}) and this command takes one: write "
            f"it to a file with 'python -m explorer capture {target} --job NAME --out FILE'"
        )
        raise ExplorerError(msg)
    return as_document(found[0])


@contextmanager
def _announced(target: str) -> "Iterator[Callable[[Installation], None]]":
    """Give a function that makes a slow capture say on standard error that it is under way."""
    timers: list[threading.Timer] = []

    def announce(flink: "Installation") -> None:
        line = f"capturing {target} with Flink {flink.version} ...\n"
        timers.append(threading.Timer(_QUIET, sys.stderr.write, (line,)))
        timers[0].daemon = True
        timers[0].start()

    try:
        yield announce
    finally:
        for timer in timers:
            timer.cancel()
