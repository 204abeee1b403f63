"""Entries of a jar that the package contains."""

from pathlib import Path
from typing import Final
from zipfile import ZipFile

JAVA_8: Final = 52
"""Major version of class files for Java 8."""


def contents(jar: Path) -> dict[str, bytes]:
    """Bytes of every entry by its name."""
    with ZipFile(jar) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
