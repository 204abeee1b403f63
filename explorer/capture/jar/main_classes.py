"""Finds the classes of a jar that have a ``main``, to correct a misspelled main class."""

import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from explorer.capture.failures import CaptureError
from explorer.wording import first_listed, quoted, suggestion

_MAIN: Final = b"\x01\x00\x04main"
_STRINGS_TO_VOID: Final = b"\x01\x00\x16([Ljava/lang/String;)V"
"""As a class file spells a method's name and its signature."""
_MOST_CLASSES: Final = 20_000
_CLASS_BYTES: Final = 1 << 20
_LISTED: Final = 5


def check_main_class(name: str, jars: Sequence[Path]) -> None:
    """Raise ``CaptureError`` with the nearest main class where none of the jars has that class.

    Folders of classes, and jars that cannot be read, are left to Flink.
    """
    known: list[str] = []
    for jar in jars:
        try:
            with zipfile.ZipFile(jar) as archive:
                if f"{name.replace('.', '/')}.class" in archive.namelist():
                    return
                known += _main_classes(archive)
        except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError):
            return
    nearest = suggestion(name, known) or suggestion(name.rpartition(".")[2], known)
    if not known:
        nearest = "; it has no class with a main()"
    elif not nearest:
        nearest = (
            f"; its main classes are {first_listed([quoted(item) for item in known], _LISTED)}"
        )
    msg = f"{quoted(str(jars[0]))} has no class {quoted(name)}{nearest}"
    raise CaptureError(msg)


def _main_classes(archive: zipfile.ZipFile) -> Iterator[str]:
    """Yield the classes of the jar that spell ``main(String[])``, sorted by name."""
    members = sorted(
        (zip_info for zip_info in archive.infolist() if zip_info.filename.endswith(".class")),
        key=lambda info: info.filename,
    )
    for member in members[:_MOST_CLASSES]:
        if "$" in member.filename or member.file_size > _CLASS_BYTES:
            continue
        content = archive.read(member)
        if _MAIN in content and _STRINGS_TO_VOID in content:
            yield member.filename.removesuffix(".class").replace("/", ".")
