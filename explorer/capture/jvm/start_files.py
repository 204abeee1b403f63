"""The files with which a JVM with Flink's jars starts: its class path, an archive of its classes.

Java spends more than half of a cold start on reading and checking classes. A JVM can map those of
an archive instead (AppCDS), if they are on its class path. From 1.15 on the planner is not: it is a
jar within a jar, with a class loader of its own. Flink has it on the class path as well, in
``opt``, for Hive; there it is the same planner.

``preparing`` makes archives for the releases in the user's cache, next to their jars. Java ignores
an archive of another build of Java, of another class path or of a changed jar, and one with wrong
checksums. A truncated archive would end the JVM, so the name of the file contains its size.
"""

import hashlib
import re
import shutil
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final
from zipfile import BadZipFile, ZipFile

import msgspec

from explorer.capture.installation import Installation
from explorer.capture.jar_cache import cache_folder
from explorer.capture.jvm.java_machine import own_jars
from explorer.locations import java_program
from explorer.sandbox.folders import own_folder

LEFT: Final = "classes.jsa"
"""The file name of an archive in the folder of the JVM that writes it."""
LOADER: Final = "flink-table-planner-loader"
"""The beginning of the file name of the jar that contains the planner's jar."""
_PLANNER: Final = "flink-table-planner.jar"
"""The name of the planner's jar in the loader's, and of its copy in ``archive_folder``."""
_FOLDER: Final = "classes"
"""The folder next to ``lib`` with an ``archive_folder`` for each Java."""
_CLASS_OF_PLANNER: Final = re.compile(
    r"org/(apache/calcite|locationtech/jts|apache/flink/table/planner(?!/loader/))/.*\.class"
)
"""The planner's classes. Another jar with one of them, as Hive's, has its own version of it: on one
class path Java would load the first, where the planner's class loader separates the two."""
_USE: Final = (
    "-Xshare:auto",
    "-XX:+VerifySharedSpaces",
    # A warning on standard output would be read as the gateway's port.
    "-Xlog:disable",
)
_UNUSED: Final = 30 * 86_400.0
"""Seconds without use after which an archive is deleted, when another one is made."""


class StartFiles(msgspec.Struct, frozen=True, kw_only=True):
    """The class path of a JVM before a program's own jars, and the archive of its classes."""

    class_path: tuple[Path, ...]
    archive: Path | None = None
    """The archive to start with; None: Java reads all classes from their jars."""
    leaves_archive: bool = False
    """Whether the JVM writes one when it ends, as ``LEFT`` in its own folder."""

    def options(self, folder: Path) -> tuple[str, ...]:
        """Java's options; ``folder``: the JVM's own."""
        if self.leaves_archive:
            return (f"-XX:ArchiveClassesAtExit={folder / LEFT}",)
        return () if self.archive is None else (f"-XX:SharedArchiveFile={self.archive}", *_USE)


def plain_start(flink: Installation) -> StartFiles:
    """The release's jars as they are."""
    return StartFiles(class_path=(*own_jars(), *flink.jars))


def archived_start(
    flink: Installation, extra: Sequence[Path] = (), *, bare_planner: bool
) -> StartFiles:
    """The start with an archive, if there is one; else the plain one.

    Args:
        flink: The release.
        extra: The program's jars on the class path.
        bare_planner: Whether the planner may be out of its loader, as for a SQL script.
    """
    folder = archive_folder(flink)
    if folder is None:
        return plain_start(flink)
    # The release's own, of many thousand classes, are looked at once, by lay_out.
    foreign = [jar for jar in extra if jar.parent != flink.optional_folder]
    bare = bare_planner and not any(map(_meets_planner, foreign))
    archive = find_archive(folder, bare_planner=bare)
    if archive is None or archive.stat().st_size == 0:
        return plain_start(flink)
    with suppress(OSError):
        folder.touch()  # it is in use
    class_path = start_class_path(flink, folder, bare_planner=bare)
    return StartFiles(class_path=class_path, archive=archive)


def archive_folder(flink: Installation) -> Path | None:
    """The folder for this Java, these jars and ours; None: the release is not in the cache."""
    folder, java = flink.folder.absolute(), java_program()[0]
    if folder.parent.parent != cache_folder().absolute() or not java:
        return None
    digest = hashlib.sha256(_state([Path(java).resolve(), *flink.jars]).encode())
    for jar in own_jars():
        digest.update(jar.read_bytes())
    return folder.parent / _FOLDER / digest.hexdigest()[:16]


def archive_name(size: int, *, bare_planner: bool) -> str:
    """The file name of an archive of ``size`` bytes, which a truncated file does not have.

    ``size``: 0 for the empty file that records that no archive could be made. ``bare_planner``:
    whether the JVM has the planner out of its loader, else the jars as they are.
    """
    return f"{'planner' if bare_planner else 'programs'}-{size}.jsa"


def find_archive(folder: Path, *, bare_planner: bool) -> Path | None:
    """The archive, or the empty file where none could be made; None: none was tried."""
    for path in folder.glob(archive_name(0, bare_planner=bare_planner).replace("0", "*")):
        if path.name == archive_name(path.stat().st_size, bare_planner=bare_planner):
            return path
    return None


def start_class_path(flink: Installation, folder: Path, *, bare_planner: bool) -> tuple[Path, ...]:
    """The class path that an archive of the folder was made for."""
    own, planner = (folder / jar.name for jar in own_jars()), folder / _PLANNER
    bare = bare_planner and planner.exists()
    jars = (planner if bare and jar.name.startswith(LOADER) else jar for jar in flink.jars)
    return (*own, *jars)


def lay_out(flink: Installation, folder: Path) -> None:
    """Copy our jars, which another environment has elsewhere, and the planner out of its loader.

    The planner stays there where a jar of the release's folder has its packages, as Hive's has.
    """
    if folder.exists():
        return
    folder.parent.mkdir(exist_ok=True)
    _remove_unused(folder.parent)
    loaders = [jar for jar in flink.jars if jar.name.startswith(LOADER)]
    others = [*flink.optional_folder.glob("*.jar"), *flink.jars]
    with own_folder("part-", folder.parent) as part:
        files = part / folder.name
        files.mkdir()
        for jar in own_jars():
            shutil.copyfile(jar, files / jar.name)
        if loaders and not any(_meets_planner(jar) for jar in others if jar not in loaders):
            with ZipFile(loaders[0]) as packed:
                packed.extract(_PLANNER, files)
        files.rename(folder)


def _meets_planner(jar: Path) -> bool:
    """Whether a jar has classes of the planner's packages; one that cannot be read may have."""
    try:
        with ZipFile(jar) as packed:
            return any(map(_CLASS_OF_PLANNER.match, packed.namelist()))
    except (OSError, BadZipFile):
        return True


def _state(files: Iterable[Path]) -> str:
    stats = ((file, file.stat()) for file in files)
    return " ".join(f"{file} {stat.st_size} {stat.st_mtime_ns}" for file, stat in stats)


def _remove_unused(folder: Path) -> None:
    for path in folder.iterdir():
        if time.time() - path.stat().st_mtime > _UNUSED:
            shutil.rmtree(path, ignore_errors=True)
