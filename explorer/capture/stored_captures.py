"""Files of captured documents in the user's cache: whole, or not there.

A file is the SHA-256 of its text in the first line, then the text, JSON. It is written next to its
place and renamed, so that no other process reads a half one, however a writer ends.
"""

import hashlib
import json
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Annotated, Any, Final

import msgspec

MOST: Final = 100
"""Captures that the cache holds; the ones that were used longest ago are removed."""
_PART: Final = "part-"
"""How the names of files begin that are being written."""
_OLD: Final = 3_600.0
"""Seconds after which the writer of such a file has ended."""
_DAMAGED: Final = "it is damaged"
_DOCUMENTS: Final = Annotated[list[dict[str, Any]], msgspec.Meta(min_length=1)]


class BrokenCaptureError(Exception):
    """A file that was damaged, or that something else has written."""


def stored_documents(file: Path) -> list[dict[str, Any]] | None:
    """The documents of a file, which counts as used now; None where it is not there.

    Raises ``BrokenCaptureError`` where it does not hold what was stored.
    """
    try:
        if file.is_fifo():  # its reader waits for a writer
            raise BrokenCaptureError(_DAMAGED)
        digest, _, text = file.read_bytes().partition(b"\n")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BrokenCaptureError(error.strerror or str(error)) from None
    if digest.decode(errors="replace") != hashlib.sha256(text).hexdigest():
        raise BrokenCaptureError(_DAMAGED)
    with suppress(OSError):
        file.touch()
    try:
        documents: list[dict[str, Any]] = msgspec.convert(json.loads(text), _DOCUMENTS)
    except (ValueError, RecursionError):
        raise BrokenCaptureError(_DAMAGED) from None
    return documents


def store_documents(file: Path, documents: Sequence[dict[str, Any]]) -> None:
    """Store documents as a file; the cache stays as it is where it cannot be written."""
    text = json.dumps(documents).encode()
    content = hashlib.sha256(text).hexdigest().encode() + b"\n" + text
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        _write_whole(file, content)
        _remove_old(file.parent)


def _write_whole(file: Path, content: bytes) -> None:
    with NamedTemporaryFile(prefix=_PART, dir=file.parent, delete=False) as part:
        try:
            part.write(content)
            part.flush()
            os.fsync(part.fileno())
            Path(part.name).replace(file)
        except BaseException:
            Path(part.name).unlink(missing_ok=True)
            raise


def _remove_old(folder: Path) -> None:
    files = sorted(folder.glob("*.json"), key=lambda file: -file.stat().st_mtime_ns)
    for old in files[MOST:]:
        old.unlink(missing_ok=True)
    for part in folder.glob(f"{_PART}*"):
        if time.time() - part.stat().st_mtime > _OLD:
            part.unlink(missing_ok=True)
