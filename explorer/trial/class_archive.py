"""Where does Spark's JVM find its classes ready to be used? In an archive that a run before left.

Java spends more than half of a start on reading and checking some 10,000 classes. What a JVM has
loaded it can write to a file as it ends, which a later one maps into its memory (AppCDS). The first
process with a given Java and PySpark leaves that file when it has run a trial. Java checks it
against its own build and the class path, and does without one that does not fit.
"""

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from explorer.locations import java_program

_FOLDER: Final = "streamgraph-explorer"
_MAGIC: Final = 4
"""Bytes with which a header begins; Java writes it last, over zeros."""
_TOLERANT: Final = "-XX:+IgnoreUnrecognizedVMOptions"
"""Not every Java knows archives."""


def archive_file(pyspark: str) -> Path:
    """Where the archive for this Java and this version of PySpark is or will be."""
    java = Path(java_program()[0]).resolve()
    told = java.stat()
    key = f"{java} {told.st_size} {told.st_mtime_ns} {pyspark}"
    cache = Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser()
    name = hashlib.sha256(key.encode()).hexdigest()[:16]
    return cache / _FOLDER / f"spark-{name}.jsa"


def is_complete(archive: Path) -> bool:
    """Whether it is there and written to its end."""
    with suppress(OSError), archive.open("rb") as file:
        return any(file.read(_MAGIC))
    return False


def archive_options(pyspark: str) -> tuple[str, bool]:
    """Java's options to use the archive, or to leave one; and whether it is to leave one.

    Nothing, where the folder cannot be written.
    """
    with suppress(OSError):
        archive = archive_file(pyspark)
        if is_complete(archive):
            return f'{_TOLERANT} "-XX:SharedArchiveFile={archive}"', False
        archive.parent.mkdir(parents=True, exist_ok=True)
        if os.access(archive.parent, os.W_OK):
            return f'{_TOLERANT} "-XX:ArchiveClassesAtExit={archive}"', True
    return "", False
