"""A file as a git revision has it; nothing is checked out and no program of the repository runs."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from explorer.errors import ExplorerError, UsageError
from explorer.targets.target_options import REVISION
from explorer.wording import quoted

_SECONDS: Final = 60
_MAX_BYTES: Final = 512 * 1024 * 1024
_QUIET: Final = (
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "protocol.allow=never",
)
"""Nothing that a repository configures is started, and nothing is fetched."""


@contextmanager
def file_at_revision(target: str, new: str | None) -> Iterator[Path]:
    """A temporary copy of the file at the revision, under its own name.

    ``target``: ``git:REVISION`` for the path ``new``, or ``git:REVISION:PATH``. Raises
    ``ExplorerError`` where there is no such file.
    """
    revision, _, named = target.removeprefix(REVISION).partition(":")
    if not named and (new is None or new == "-" or "://" in new):
        msg = f"{quoted(target)} takes the path of NEW, which is no file: write git:REVISION:PATH"
        raise UsageError(msg)
    if not revision or revision.startswith("-"):
        msg = f"{quoted(target)} names no revision: write git:REVISION or git:REVISION:PATH"
        raise UsageError(msg)
    path = Path(named or new or "")
    content = _content(revision, path)
    with tempfile.TemporaryDirectory(prefix="explorer-git-") as folder:
        copy = Path(folder, path.name)
        copy.write_bytes(content)
        yield copy


def _content(revision: str, path: Path) -> bytes:
    """The stored bytes: ``cat-file`` applies no filter and no ``textconv``."""
    folder = path.absolute().parent
    while not folder.is_dir():
        folder = folder.parent
    place = os.path.relpath(path.absolute(), folder)
    size = _git(folder, revision, path, "cat-file", "-s", f"{revision}:./{place}")
    if int(size) > _MAX_BYTES:
        msg = f"{quoted(str(path))} at {quoted(revision)} is larger than 512 MiB"
        raise ExplorerError(msg)
    return _git(folder, revision, path, "cat-file", "blob", f"{revision}:./{place}")


def _git(folder: Path, revision: str, path: Path, *arguments: str) -> bytes:
    places = {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0"}
    try:
        process = subprocess.run(  # noqa: S603 - no shell; the revision begins with no dash
            ["git", *_QUIET, *arguments],  # noqa: S607 - the user's own git
            cwd=folder,
            env={**os.environ, **places, "LC_ALL": "C"},
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        msg = f"git cannot be asked for {quoted(str(path))} at {quoted(revision)}: {error}"
        raise ExplorerError(msg) from None
    if process.returncode:
        lines = process.stderr.decode(errors="replace").strip().splitlines() or ["it failed"]
        msg = (
            f"git has no {quoted(str(path))} at {quoted(revision)}: "
            f"{lines[0].removeprefix('fatal: ')}"
        )
        raise ExplorerError(msg)
    return process.stdout
