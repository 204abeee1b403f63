"""The class data sharing archive from which Spark's JVM maps its classes.

Java spends more than half of a start on reading and checking some 10,000 classes. What a JVM has
loaded it can write to a file as it ends, which a later one maps into its memory (AppCDS). The first
process with a given Java and a given folder of Spark's jars leaves that file when it has run a
trial. Java does without one that does not fit its own build and its class path to the letter, so
each folder of jars has an archive of its own, which goes when Java or the jars are others.
"""

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from explorer.locations import cache_folder, java_program

_MAGIC: Final = 4
"""Bytes with which a header begins; Java writes it last, over zeros."""
_TOLERANT: Final = "-XX:+IgnoreUnrecognizedVMOptions"
"""Not every Java knows archives."""


def archive_file(jars: Path) -> Path:
    """Where the archive for this Java and the jars in this folder is or will be."""
    java = Path(java_program()[0]).resolve()
    program, folder = java.stat(), jars.stat()
    state = f"{java} {program.st_size} {program.st_mtime_ns} {folder.st_mtime_ns}"
    return cache_folder() / f"spark-{_digest(str(jars))}-{_digest(state)}.jsa"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_complete(archive: Path) -> bool:
    """Whether it is there and written to its end."""
    with suppress(OSError), archive.open("rb") as file:
        return any(file.read(_MAGIC))
    return False


def archive_options(jars: Path) -> tuple[str, bool]:
    """Java's options to use the archive, or to leave one; and whether it is to leave one.

    Nothing, where the folder cannot be written.
    """
    with suppress(OSError):
        archive = archive_file(jars)
        if is_complete(archive):
            return f'{_TOLERANT} "-XX:SharedArchiveFile={archive}"', False
        archive.parent.mkdir(parents=True, exist_ok=True)
        # Remove what was left for the same folder of jars, as it or Java was before.
        place = archive.name.rpartition("-")[0]
        for other in archive.parent.glob(f"{place}-*.jsa"):
            if other != archive:
                other.unlink(missing_ok=True)
        if os.access(archive.parent, os.W_OK):
            return f'{_TOLERANT} "-XX:ArchiveClassesAtExit={archive}"', True
    return "", False
