"""A folder of a process's own for Spark's files, logs and sockets; gone when the process is.

Sockets have short paths only (108 characters), so a deep temporary folder is not used.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

_PREFIX: Final = "explorer-trial-"
_LONGEST: Final = 40
"""Characters of a temporary folder's path that leave room for a socket's name."""


def _parent() -> Path:
    usual = Path(tempfile.gettempdir())
    return usual if len(str(usual)) <= _LONGEST else Path("/tmp")  # noqa: S108 - a folder of our own


def make() -> Path:
    """Make the folder, and remove those that dead processes left."""
    parent = _parent()
    for left in parent.glob(f"{_PREFIX}*"):
        if _abandoned(left):
            shutil.rmtree(left, ignore_errors=True)
    made = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=parent))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def _abandoned(folder: Path) -> bool:
    owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
    if not owner.isdigit() or folder.stat().st_uid != os.getuid():
        return False
    try:
        os.kill(int(owner), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
