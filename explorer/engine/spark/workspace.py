"""Makes folders of this process for Spark's files, logs and sockets, or a visitor's data.

They are removed when the process ends. A killed process leaves its folders, which the next process
removes. Paths of sockets are limited to 108 characters, so no deep temporary folder is used.
"""

import atexit
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

_PREFIX: Final = "explorer-"
"""Prefix of a folder's name; purpose, process and random letters follow."""
_LONGEST: Final = 40
"""Limit of a temporary folder's path that leaves space for a socket's name."""


def _parent() -> Path:
    usual = Path(tempfile.gettempdir())
    return usual if len(str(usual)) <= _LONGEST else Path("/tmp")  # noqa: S108 - a folder of our own


def make(purpose: str = "trial") -> Path:
    """Make a folder, and remove the folders of ended processes."""
    sweep()
    path = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{purpose}-{os.getpid()}-", dir=_parent()))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


def sweep() -> None:
    """Remove the folders of ended processes."""
    for left in _parent().glob(f"{_PREFIX}*-*-*"):
        owner = left.name.removeprefix(_PREFIX).split("-")[1]
        with suppress(OSError):
            ours = owner.isdigit() and left.lstat().st_uid == os.getuid()
            if ours and not is_alive(int(owner)):
                shutil.rmtree(left, ignore_errors=True)


def is_alive(process: int) -> bool:
    """Whether a process with this number exists."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
