"""What a TARGET is, found out once: a program, a savepoint, or a text with its content."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from explorer.documents.loading import read_file
from explorer.locations import local_path
from explorer.targets.target_options import (
    DEFAULTS,
    DOCUMENT_ENDINGS,
    REVISION,
    TargetOptions,
    is_program,
    is_revision,
    stdin_bytes,
)

SourceKind: TypeAlias = Literal["program", "remote", "savepoint", "text"]


class TargetSource(msgspec.Struct, frozen=True, kw_only=True):
    """A TARGET that was looked at once, and read where it is a text."""

    name: str
    """As the caller wrote it."""
    path: str
    """A local path or an address; of a revision, that of a temporary copy; ``-`` is stdin."""
    kind: SourceKind
    """``program``: also a compiled plan and a cluster's job. ``remote``: a URI of a file system
    that is not read here."""
    content: bytes = b""
    """Of a text, and of a savepoint on standard input."""
    shown: str | None = None
    """The name in messages, where it is not the path."""

    def options(self, options: TargetOptions) -> TargetOptions:
        """The options under which messages name a revision's file, and not its temporary copy."""
        return options if self.shown is None else msgspec.structs.replace(options, shown=self.shown)


@contextmanager
def open_source(path: str, options: TargetOptions = DEFAULTS) -> Iterator[TargetSource]:
    """Look at what ``path`` names; a revision's copy is there until the context ends.

    ``options``: its main class, the files of resources, and the new side of ``git:REVISION``.
    Raises ``ExplorerError`` where a text cannot be read.
    """
    path = local_path(path)
    if not is_revision(path):
        yield _source(path, options)
        return
    from explorer.targets.revisions import file_at_revision

    with file_at_revision(path, options.new) as copy:
        source = _source(str(copy), options)
        shown = path if ":" in path.removeprefix(REVISION) else f"{path}:{options.new}"
        yield msgspec.structs.replace(source, name=path, shown=shown)


def _source(path: str, options: TargetOptions) -> TargetSource:
    if path == "-":
        return _standard_input()
    if "://" in path and path not in options.artifacts and _is_remote(path):
        return TargetSource(name=path, path=path, kind="remote")
    if is_program(path, options.main_class):
        return TargetSource(name=path, path=path, kind="program")
    if _is_savepoint(Path(path)):
        return TargetSource(name=path, path=path, kind="savepoint")
    return TargetSource(name=path, path=path, kind="text", content=read_file(Path(path)))


def _standard_input() -> TargetSource:
    from explorer.savepoints.loading import MAX_METADATA, is_metadata

    content = stdin_bytes(MAX_METADATA)
    kind: SourceKind = "savepoint" if is_metadata(content) else "text"
    return TargetSource(name="-", path="-", kind=kind, content=content)


def _is_remote(path: str) -> bool:
    from explorer.savepoints.loading import is_remote

    return is_remote(path)


def _is_savepoint(path: Path) -> bool:
    # A command that reads a document alone does not load the readers of savepoints.
    if path.suffix.lower() in DOCUMENT_ENDINGS and not path.is_dir():
        return False
    from explorer.savepoints.loading import is_savepoint

    return is_savepoint(path)
