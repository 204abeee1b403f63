"""Captured documents in the user's cache, so that a command captures an unchanged program once.

A capture is known by what decides it: the program's bytes, the release, this package's own code.
What a program reads while it runs (files, the environment, a clock) is not part of that: the
command ``capture`` always runs the program.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from explorer.capture import pyflink
from explorer.capture.built_for import release_of_jar
from explorer.capture.installation import Installation, find_installation
from explorer.capture.jar_cache import cache_folder
from explorer.capture.programs import capture, existing_path
from explorer.documents.writing import write_file
from explorer.errors import UnwritableFileError

MOST: Final = 100
"""Captures that the cache holds; the ones that were used longest ago are removed."""
_BLOCK: Final = 1 << 20
_MOST_MODULES: Final = 1_000
"""Python modules beside a script that count as parts of it."""


def captured_documents(
    target: str | Path,
    before: Callable[[Installation], None] | None = None,
    *,
    release: str | None = None,
    otherwise: str | None = None,
) -> list[dict[str, Any]]:
    """Documents of the jobs of a .jar, a .sql or a .py, from the cache where they are there.

    ``before`` is called when the program is captured, with the Flink that is used. ``release``:
    the one that captures the program; default: the one that a jar names, else ``otherwise``, else
    the newest. Raises ``CaptureError`` as ``capture`` does.
    """
    path = existing_path(target)
    flink = _installation(path, release, otherwise)
    file = cache_folder().parent / "captures" / f"{_key(path, flink)}.json"
    with suppress(OSError, ValueError):
        found: list[dict[str, Any]] = json.loads(file.read_bytes())
        file.touch()
        return found
    if before is not None:
        before(flink)
    documents = capture(path, flink_lib=flink.folder)
    with suppress(OSError, UnwritableFileError):  # a cache that cannot be written is none
        write_file(file, json.dumps(documents), parents=True)
        _remove_old(file.parent)
    return documents


def _installation(path: Path, release: str | None, otherwise: str | None) -> Installation:
    if path.suffix.lower() == ".py":
        return pyflink.installation(pyflink.interpreter(None), None)
    named = release_of_jar(path) if path.suffix.lower() == ".jar" else None
    return find_installation(None, release or named or otherwise)


def _key(path: Path, flink: Installation) -> str:
    """The digest of all that decides the capture."""
    digest = hashlib.sha256(f"{flink.version} {flink.folder} {path.suffix.lower()}".encode())
    modules = sorted(path.parent.glob("*.py"))[:_MOST_MODULES]
    beside = modules if path.suffix.lower() == ".py" else ()
    for file in (path, *beside, *sorted(Path(__file__).parent.glob("*.py"))):
        digest.update(b"\0" + file.name.encode() + b"\0")
        for block in _blocks(file):
            digest.update(block)
    return digest.hexdigest()


def _blocks(file: Path) -> Iterator[bytes]:
    with file.open("rb") as opened:
        while block := opened.read(_BLOCK):
            yield block


def _remove_old(folder: Path) -> None:
    files: Iterable[Path] = sorted(folder.glob("*.json"), key=lambda one: -one.stat().st_mtime_ns)
    for old in list(files)[MOST:]:
        old.unlink(missing_ok=True)
