"""Checks before Flink starts that the files of a program have the right content."""

import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from explorer.capture.failures import CaptureError
from explorer.wording import quoted

_SHOWN: Final = 200
"""Characters of a path that a message repeats."""
_SCRIPTS: Final = {
    ".sql": "it must hold an INSERT or a query",
    ".py": "it must hold a program that calls execute()",
}
"""By a script's ending, what its text must hold."""


def check_program_files(paths: Iterable[Path]) -> None:
    """Raise ``CaptureError`` for the first file that cannot be a program.

    A jar must be a ZIP archive, a script must have a text. Missing files, folders of classes and
    other files pass.
    """
    for path in filter(Path.exists, paths):
        ending = path.suffix.lower()
        problem = ""
        if ending == ".jar":
            problem = _problem_of_jar(path)
        elif ending in _SCRIPTS and path.is_dir():
            problem = "is a folder: name the script in it"
        elif ending in _SCRIPTS and path.stat().st_size == 0:
            problem = f"is empty: {_SCRIPTS[ending]}"
        if problem:
            msg = f"{quoted(str(path), _SHOWN)} {problem}"
            raise CaptureError(msg)


def _problem_of_jar(path: Path) -> str:
    """Return what is wrong with a jar, and what to do; empty: nothing."""
    if path.is_dir():
        return "is a folder: name the jar in it"
    if path.stat().st_size == 0:
        return "is an empty file, no jar: build the program again, or copy the jar again"
    if not zipfile.is_zipfile(path):
        return (
            "is no jar, which is a ZIP archive: build the program again, or copy the jar again "
            "(a Git LFS pointer and an interrupted download are common causes)"
        )
    return ""


def existing_path(values: str | Path) -> Path:
    """Return the absolute path; raises ``CaptureError`` where nothing is there."""
    path = Path(values)
    if not path.exists():
        msg = f"there is no {quoted(str(path))}"
        raise CaptureError(msg)
    return path.resolve()
