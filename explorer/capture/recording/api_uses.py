"""Which changed parts of Flink's API the classes of a program use; nothing is loaded or run.

The constant pool of a class names what it calls. A call of an inherited method names the program's
own class, so the search goes on to the Flink classes that it extends or implements.
"""

import zipfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

from explorer.documents.readers.class_files import (
    MAX_CLASS,
    PRIVATE,
    STATIC,
    ClassFile,
    ClassFileError,
    read_class,
)
from explorer.errors import ExplorerError
from explorer.flink.upgrades.changed_api import is_changed
from explorer.model.api_use import ApiUse

FLINK: Final = "org/apache/flink/"
MAX_CLASSES: Final = 100_000
MAX_BYTES: Final = 1 << 30
"""Unpacked bytes of all classes that are read."""
_Use = tuple[str, str, bool]
"""A class of Flink, a member, and whether it is overridden."""


class _TooLargeError(Exception):
    """A class, or all classes together, that are too large to be read."""


class _Classes:
    """The classes of jars and folders by name, read when they are needed."""

    def __init__(self, paths: Sequence[Path], open_files: ExitStack) -> None:
        self.places: dict[str, tuple[zipfile.ZipFile | Path, str]] = {}
        self.read: dict[str, ClassFile | None] = {}
        self.left = MAX_BYTES
        for path in paths:
            archive = path if path.is_dir() else open_files.enter_context(zipfile.ZipFile(path))
            for name in _class_names(archive):
                self.places.setdefault(name.removesuffix(".class"), (archive, name))
        if len(self.places) > MAX_CLASSES:
            msg = f"{paths[0]} has more than {MAX_CLASSES:,} classes"
            raise ExplorerError(msg)

    def bytes_of(self, name: str) -> bytes:
        """The bytes of a class; raises ``_TooLargeError`` for what is not read."""
        archive, member = self.places[name]
        if isinstance(archive, Path):
            size = (archive / member).stat().st_size
        else:
            size = archive.getinfo(member).file_size
        self.left -= size
        if size > MAX_CLASS or self.left < 0:
            raise _TooLargeError
        return (
            (archive / member).read_bytes() if isinstance(archive, Path) else archive.read(member)
        )

    def naming_flink(self) -> Iterator[ClassFile]:
        """The classes of the program that name a class of Flink."""
        for name in self.places:
            content = self.bytes_of(name) if name not in self.read else FLINK.encode()
            file = self.get(name, content) if FLINK.encode() in content else None
            if file is not None:
                yield file

    def get(self, name: str, content: bytes | None = None) -> ClassFile | None:
        """A class of the program; None: it is not there, or no class file.

        ``content``: its bytes, where they were read already.
        """
        if name not in self.read:
            self.read[name] = None
            if name in self.places:
                with suppress(ClassFileError):
                    self.read[name] = read_class(content or self.bytes_of(name))
        return self.read[name]

    def flink_ancestors(self, name: str, declaring: str | None = None) -> Iterator[str]:
        """The nearest classes of Flink above a class of the program.

        ``declaring``: a member; a class that declares it hides those above.
        """
        left, result = [name], set[str]()
        while left:
            at = left.pop()
            file = self.get(at) if at not in result else None
            result.add(at)
            if file is None:
                if at.startswith(FLINK) and at not in self.places:
                    yield at
            elif declaring is None or all(member.key != declaring for member in file.members):
                left += [*([file.super_name] if file.super_name else []), *file.interfaces]


def _class_names(archive: zipfile.ZipFile | Path) -> Iterator[str]:
    if isinstance(archive, Path):
        names = [path.relative_to(archive).as_posix() for path in sorted(archive.rglob("*.class"))]
    else:
        names = archive.namelist()
    return (name for name in names if name.endswith(".class") and not name.startswith("META-INF"))


def api_uses(paths: Sequence[Path]) -> tuple[ApiUse, ...] | None:
    """The parts of Flink's API that some release removed or deprecated and that classes use.

    ``paths``: jars and folders of classes, the program's own first. Sorted by class and member.
    None where a path cannot be read whole. Raises ``ExplorerError`` for too many classes.
    """
    users: dict[_Use, set[str]] = defaultdict(set)
    try:
        with ExitStack() as open_files:
            classes = _Classes(paths, open_files)
            for file in classes.naming_flink():
                for use in (*_find_references(classes, file), *_overridden(classes, file)):
                    users[use].add(file.name.replace("/", "."))
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError, _TooLargeError):
        return None
    return tuple(
        ApiUse(owner=owner, member=member, users=tuple(sorted(result)), overrides=overrides)
        for (owner, member, overrides), result in sorted(users.items())
    )


def _find_references(classes: _Classes, file: ClassFile) -> Iterator[_Use]:
    for used_reference in file.references:
        member = used_reference.member or ""
        owners = (
            classes.flink_ancestors(used_reference.owner, member)
            if member
            else (used_reference.owner,)
        )
        for owner in owners:
            if owner not in classes.places and is_changed(owner, member):
                yield owner, member, False


def _overridden(classes: _Classes, file: ClassFile) -> Iterator[_Use]:
    own = [
        member.key
        for member in file.members
        if not member.access & (PRIVATE | STATIC) and not member.key.startswith("<")
    ]
    for above in classes.flink_ancestors(file.name):
        for key in own:
            if is_changed(above, key):
                yield above, key, True
