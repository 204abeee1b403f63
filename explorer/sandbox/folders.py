"""Temporary folders that a killed process leaves behind, and that a later one removes.

The owner of a folder locks it for as long as it runs: a lock ends with its process, however that
ends.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

try:
    import fcntl
except ImportError:  # Windows, where a folder stays until its own process removes it
    fcntl = None  # type: ignore[assignment]

_LOCK: Final = ".lock"
_OLD: Final = 3_600.0
"""Seconds after which a folder without a lock, as older versions made them, has no owner."""


@contextmanager
def own_folder(prefix: str, parent: Path | None = None) -> Iterator[Path]:
    """A new folder for the block, after those with its prefix and without an owner are removed.

    ``parent``: the folder in which it is made; None: that of temporary files.
    """
    place = Path(tempfile.gettempdir()) if parent is None else parent
    _sweep(prefix, place)
    with tempfile.TemporaryDirectory(prefix=prefix, dir=place) as name:
        folder = Path(name).resolve()
        with (folder / _LOCK).open("w") as lock:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield folder


def _sweep(prefix: str, place: Path) -> None:
    if fcntl is None:
        return
    for folder in place.glob(f"{prefix}*"):
        # Another user's folder, or one that its owner removes at this moment, is left alone.
        with suppress(OSError):
            if _is_left(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _is_left(folder: Path) -> bool:
    if folder.is_symlink() or not folder.is_dir() or folder.stat().st_uid != os.getuid():
        return False
    if not (folder / _LOCK).is_file():
        return time.time() - folder.stat().st_mtime > _OLD
    with (folder / _LOCK).open("r+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True
