"""The files that a path names: a file itself, or the files of a folder.

Mirrors ``NonSplittingRecursiveEnumerator`` and ``DefaultFileFilter``: subfolders are included, and
names that begin with a dot or an underscore, such as parts in progress, are skipped. Unlike in
Flink, links are skipped, which might lead out of the data folder, and files are sorted by name.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.storage import FilePath, StoredPath
from explorer.wording import quoted

MOST_FILES: Final = 10_000
"""Limit for a folder that a source reads: five times as many as a trial's sinks write."""


def is_hidden(name: str) -> bool:
    """Whether sources skip a file of this name, as a sink's unfinished ones.

    >>> is_hidden(".part-3-0.csv.inprogress.1"), is_hidden("_trial.json"), is_hidden("part-3-0.csv")
    (True, True, False)
    """
    return name.startswith((".", "_"))


def files_of(path: FilePath, name: str) -> list[tuple[FilePath, str]]:
    """List the files of a path, each with its name in messages; raises ``SourceError``."""
    if not path.is_dir():
        return [(path, name)]
    pairs: list[tuple[FilePath, str]] = []
    for stored_path, relative in (
        _list_stored(path) if isinstance(path, StoredPath) else _within(path)
    ):
        pairs.append((stored_path, f"{name.rstrip('/')}/{relative}"))
        if len(pairs) > MOST_FILES:
            msg = f"the folder {quoted(name)} has more than {MOST_FILES:,} files; name one of them"
            raise SourceError(msg)
    return pairs


def _list_stored(folder: StoredPath) -> Iterator[tuple[FilePath, str]]:
    """List the files below a folder of a shared storage, each with its path in the folder."""
    for stored_path in folder.files_within():
        relative = stored_path.relative_to(folder)
        if not any(map(is_hidden, relative.parts)):
            yield stored_path, str(relative)


def _within(folder: Path) -> Iterator[tuple[FilePath, str]]:
    """List the files below a local folder, each with its path in the folder."""
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(item for item in folders if not is_hidden(item))
        for file in sorted(files):
            path = Path(here, file)
            if not is_hidden(file) and not path.is_symlink():
                yield path, str(path.relative_to(folder))
