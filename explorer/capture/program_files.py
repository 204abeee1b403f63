"""The files of a program before Flink starts: is each there, and of the kind that it is named?"""

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
        if problem := _problem_of_jar(path) if ending == ".jar" else _problem_of_script(path):
            msg = f"{quoted(str(path), _SHOWN)} {problem}"
            raise CaptureError(msg)


def _problem_of_jar(path: Path) -> str:
    """What is wrong with a jar, and what to do; empty: nothing."""
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


def _problem_of_script(path: Path) -> str:
    """What is wrong with a script, and what to do; empty: nothing."""
    needed = _SCRIPTS.get(path.suffix.lower())
    if needed is None:
        return ""
    if path.is_dir():
        return "is a folder: name the script in it"
    return f"is empty: {needed}" if path.stat().st_size == 0 else ""
