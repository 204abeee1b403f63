"""Files that a tool of an agent may read: those of one folder, and nothing is written or started.

``file_in_folder`` refuses a name in one sentence. What a file itself names, as a savepoint its
state files, or what changes between that check and the reading, is refused when it is opened.
"""

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from explorer.documents.samples import sample_or_path
from explorer.errors import UsageError
from explorer.locations import CONSOLE_SCRIPT, HERE, PARENT, sample_folder
from explorer.targets.target_options import is_program
from explorer.wording import quoted

_SHOWN: Final = 200
_OUTSIDE: Final = "it is outside the folder that these tools read"
_WRITES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_READS: Final = frozenset({"open", "os.listdir", "os.scandir"})
"""Audit events whose first argument is a path that is read."""
_REFUSED: Final = frozenset(
    {
        "os.chmod", "os.chown", "os.exec", "os.fork", "os.forkpty", "os.link", "os.mkdir",
        "os.posix_spawn", "os.remove", "os.rename", "os.rmdir", "os.spawn", "os.startfile",
        "os.symlink", "os.system", "os.truncate", "os.utime", "pty.spawn", "socket.bind",
        "socket.connect", "subprocess.Popen",
    }
)  # fmt: skip
"""Audit events of what changes a file, starts a program or opens a connection."""


def file_in_folder(name: str) -> str:
    """A path below the current folder, or a sample's; raises ``UsageError`` for any other name."""
    path, folder = Path(name), Path.cwd()
    try:
        is_inside = path.resolve().is_relative_to(folder)
    except (OSError, RuntimeError, ValueError):  # a loop of links, or no path at all
        is_inside = False
    is_special = name.startswith(("-", "git:", "file:", "local:")) or "://" in name
    if not name or is_special or path.is_absolute() or ".." in path.parts or not is_inside:
        msg = (
            f"{quoted(name, _SHOWN)} is no file that these tools read: name one of their folder "
            "by its path in it, as jobs/orders.json"
        )
        raise UsageError(msg)
    if is_program(name):
        msg = (
            f"{quoted(name, _SHOWN)} is a program, and these tools start none: "
            f"{CONSOLE_SCRIPT} capture {name} --out job.json writes the document to name here"
        )
        raise UsageError(msg)
    return sample_or_path(name)


def confine_process(folder: Path) -> None:
    """From now on this process reads only that folder and its own installation.

    It writes nothing, starts nothing and connects to nothing; each try is a ``PermissionError``.
    """
    readable = (folder, *_installation(folder))

    def refuse(event: str, args: tuple[Any, ...]) -> None:
        if event in _REFUSED:
            raise PermissionError(errno.EACCES, f"these tools only read files ({event})")
        if event not in _READS or not isinstance(args[0], (str, bytes, os.PathLike)):
            return  # an open file, or what the other events are about
        place = os.path.realpath(os.fsdecode(args[0]))
        if place == os.devnull:
            return
        if event == "open" and (args[2] or 0) & _WRITES:
            raise PermissionError(errno.EACCES, "these tools write no files", place)
        if not any(Path(place).is_relative_to(root) for root in readable):
            raise PermissionError(errno.EACCES, _OUTSIDE, place)

    sys.dont_write_bytecode = True
    sys.addaudithook(refuse)


def _installation(folder: Path) -> Iterator[Path]:
    """The folders of Python's modules and of ours; nothing is imported from the tools' folder."""
    if folder != PARENT:
        sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != folder]
    modules = [sys.prefix, sys.base_prefix, *sys.path]
    yield from (path.resolve() for path in (HERE, sample_folder(), *map(Path, modules)))
