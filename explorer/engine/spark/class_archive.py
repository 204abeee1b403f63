"""The class data sharing archive (AppCDS) from which Spark's JVM maps its classes.

Java spends more than half of a start on reading and checking some 10,000 classes. A JVM can write
the loaded classes to a file when it ends, and a later JVM maps the file into its memory. The first
process with a given Java and a given folder of Spark's jars leaves that file when it has run a
trial. Java ignores an archive of another build or class path, so each folder of jars has its own
archive, which is removed when Java or the jars change.
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
    """The path of the archive for this Java and the jars in this folder."""
    java = Path(java_program()[0]).resolve()
    program, folder = java.stat(), jars.stat()
    state = f"{java} {program.st_size} {program.st_mtime_ns} {folder.st_mtime_ns}"
    digests = (hashlib.sha256(text.encode()).hexdigest()[:16] for text in (str(jars), state))
    return cache_folder() / f"spark-{'-'.join(digests)}.jsa"


def is_complete(archive: Path) -> bool:
    """Whether the archive exists and is completely written."""
    with suppress(OSError), archive.open("rb") as file:
        return any(file.read(_MAGIC))
    return False


def archive_options(jars: Path) -> tuple[str, bool]:
    """Return Java's options to use or to write the archive, and whether they write it.

    The options are empty where the folder cannot be written.
    """
    with suppress(OSError):
        archive = archive_file(jars)
        if is_complete(archive):
            return f'{_TOLERANT} "-XX:SharedArchiveFile={archive}"', False
        archive.parent.mkdir(parents=True, exist_ok=True)
        # Remove archives of the same folder of jars for its earlier state or another Java.
        place = archive.name.rpartition("-")[0]
        for other_path in archive.parent.glob(f"{place}-*.jsa"):
            if other_path != archive:
                other_path.unlink(missing_ok=True)
        if os.access(archive.parent, os.W_OK):
            return f'{_TOLERANT} "-XX:ArchiveClassesAtExit={archive}"', True
    return "", False
