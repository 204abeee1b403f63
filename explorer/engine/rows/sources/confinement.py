"""Checks that a path is in the data directory and is still the same file.

The first check runs before a trial starts, with links resolved; the second when a file is read.
"""

from pathlib import Path
from typing import Final

from explorer.engine.rows.errors import MissingFileError, SourceError
from explorer.engine.rows.sources.folders import files_of
from explorer.engine.rows.storage import FilePath, StoredPath, url_path
from explorer.errors import did_you_mean
from explorer.wording import cut, first_listed, quoted

URLS_REFUSED: Final = (
    "a URL is read and written where the master is a cluster, or the data folder is a URL itself; "
    "name a path in the data folder"
)
_SHOWN: Final = 60
"""Characters of a file's name in a message."""
_LISTED: Final = 10
"""Limit of file names in a message."""


def source_path(
    data_dir: FilePath | None, name: str, transformation: str, *, urls: bool
) -> FilePath:
    """Return the file or folder that a source reads: a URL, or a name in ``data_dir``.

    ``urls``: whether a document may name URLs. Raises ``SourceError``.
    """
    owner = f"transformation {quoted(transformation)}"
    url = url_path(name)
    if url is not None:
        if not urls:
            msg = f"{owner} reads {quoted(name)}: {URLS_REFUSED}"
            raise SourceError(msg)
        return _existing(url, owner)
    if isinstance(data_dir, StoredPath):
        return _existing(data_dir / name, owner)
    return confined(data_dir, name, transformation)


def _existing(path: FilePath, owner: str) -> FilePath:
    """Return the path; raises ``SourceError`` if it does not exist or the storage fails."""
    try:
        if path.exists():
            return path
        why = "there is no such file"
    except OSError as error:
        why = error.strerror or str(error)
    msg = f"{owner} cannot read {quoted(str(path))}: {why}"
    raise SourceError(msg)


def confined(data_dir: Path | None, name: str, transformation: str) -> Path:
    """Return the file or folder ``name`` in ``data_dir``; raises ``SourceError`` for any other."""
    owner = f"transformation {quoted(transformation)}"
    if data_dir is None:
        msg = f"{owner} reads the file {quoted(name)}, and no data directory is given (data_dir)"
        raise SourceError(msg)
    try:
        root = data_dir.resolve(strict=True)
        path = (root / name).resolve(strict=False)
        exists = path.is_file() or (path.is_dir() and path != root)
    except (OSError, ValueError, RuntimeError):
        msg = f"{owner}: {quoted(name)} is no path in an existing data directory"
        raise MissingFileError(msg) from None
    if not path.is_relative_to(root):
        msg = f"{owner}: the file {quoted(name)} is outside the data directory"
        raise SourceError(msg)
    if not exists:
        files = sorted(str(item.relative_to(root)) for item in root.glob("*") if item.is_file())
        known = first_listed([cut(item, _SHOWN) for item in files], _LISTED)
        hint = did_you_mean(name, files)
        there_are = f"its files are {known}{hint}"
        msg = f"{owner}: there is no file {quoted(name)} in the data directory; {there_are}"
        raise MissingFileError(msg)
    return path


def version_of(path: FilePath, name: str) -> tuple[int, int]:
    """Return the size of all files and the latest time of change, in nanoseconds.

    Raises ``SourceError``.
    """
    try:
        stats = [stored_path.stat() for stored_path, _ in files_of(path, name)] or [path.stat()]
    except OSError as error:
        why = (error.strerror or "it cannot be read").lower()
        msg = f"file {quoted(name)} cannot be read: {why}"
        raise SourceError(msg) from None
    return sum(stat.st_size for stat in stats), max(stat.st_mtime_ns for stat in stats)


def check_version(path: FilePath, name: str, pair: tuple[int, int]) -> None:
    """Refuse a file that was replaced: a trial must not mix the rows of two versions."""
    version = version_of(path, name)
    if pair != version:
        msg = (
            f"file {quoted(name)} was changed after this trial was lined up ({pair[0]:,} bytes "
            f"then, {version[0]:,} bytes now); start the trial again"
        )
        raise SourceError(msg)
