"""A folder of a process's own: Spark's files, logs and sockets, a visitor's data; it goes with it.

A process that was killed leaves its folders, which the next one removes when it makes its first.
Sockets have short paths only (108 characters), so a deep temporary folder is not used.
"""

import atexit
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

_PREFIX: Final = "explorer-"
"""Of a folder's name; then come what it is for, the process and some letters of chance."""
_LONGEST: Final = 40
"""Characters of a temporary folder's path that leave space for a socket's name."""


def _parent() -> Path:
    usual = Path(tempfile.gettempdir())
    return usual if len(str(usual)) <= _LONGEST else Path("/tmp")  # noqa: S108 - a folder of our own


def make(purpose: str = "trial") -> Path:
    """Make the folder, and remove those that dead processes left."""
    sweep()
    made = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{purpose}-{os.getpid()}-", dir=_parent()))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def sweep() -> None:
    """Remove the folders of ended processes."""
    for left in _parent().glob(f"{_PREFIX}*-*-*"):
        if _abandoned(left):
            shutil.rmtree(left, ignore_errors=True)


def _abandoned(folder: Path) -> bool:
    owner = folder.name.removeprefix(_PREFIX).split("-")[1]
    with suppress(OSError):
        if not owner.isdigit() or folder.lstat().st_uid != os.getuid():
            return False
        return not is_alive(int(owner))
    return False


def is_alive(process: int) -> bool:
    """Whether there is a process of this number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
