"""A PyFlink script: run in an interpreter that has apache-flink, as ``flink run -py`` would.

Mirrors ``PythonDriver``: Flink's own entry point starts the interpreter, which calls this JVM
through a gateway of Flink's, so that what the script executes comes to the session's recorder.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from py4j.protocol import Py4JJavaError

from explorer.capture.failures import CaptureError, causes, remedy
from explorer.capture.installation import Installation, find_installation
from explorer.capture.jar.jars import JavaProgram, run_program
from explorer.capture.python.script_words import failure_message
from explorer.capture.recording.recording_session import Session
from explorer.wording import quoted

_DRIVER: Final = "org.apache.flink.client.python.PythonDriver"
_WHERE: Final = "import os, pyflink; print(os.path.dirname(os.path.abspath(pyflink.__file__)))"
_PLACES: Final = (
    "import sys; print(sys.executable, sys.prefix, sys.base_prefix, *sys.path[1:], sep='\\n')"
)
_PATIENCE: Final = 60
"""Seconds for an interpreter to import a package."""
_TOO_QUICK: Final = "Failed to start Python process."
"""Flink's message where the interpreter has ended before it was looked at, unread."""
_AT_ONCE: Final = (
    "the script ended as soon as it began, {when}; run it by itself in its interpreter to see why, "
    "and see that it calls execute()"
)
_FIX: Final = "fix the script, or give it the arguments it needs after --"
_VERSION: Final = re.compile(r'^__version__ = "(\d+\.\d+(?:\.\d+)?)"', re.MULTILINE)
"""The line of ``pyflink/version.py``."""
_EXIT: Final = re.compile(r"exits with code: (-?\d+)")


def interpreter(named: str | None) -> str:
    """The interpreter to run a script in: the one named, else ours or the one on the PATH."""
    if named is not None:
        result = shutil.which(named)
        if result is None:
            msg = f"there is no interpreter {quoted(named)}: name one with --python EXE"
            raise CaptureError(msg)
        return result
    return next(
        (item for item in (sys.executable, shutil.which("python3")) if item and _package(item)),
        sys.executable,
    )


def installation(python: str, flink_lib: str | None) -> Installation:
    """The jars: those named, those of the interpreter's apache-flink, else of its version."""
    package = _package(python)
    if package is None:
        msg = (
            f"{quoted(python)} has no package apache-flink: install it there, or name an "
            "interpreter that has it with --python EXE"
        )
        raise CaptureError(msg)
    jar_folder = package / "lib"
    if flink_lib is None and jar_folder.is_dir():
        return find_installation(jar_folder)
    # Jars of another release lack classes that the package calls by name.
    return find_installation(flink_lib, _version(package))


def _version(package: Path) -> str | None:
    """The version of the package pyflink, as in 2.2.1; None where it names none."""
    with suppress(OSError, ValueError):
        named = _VERSION.search((package / "version.py").read_text(encoding="utf-8"))
        return named and named[1]
    return None


def _package(python: str) -> Path | None:
    """Return the folder of the interpreter's pyflink; None if it has none."""
    command = [str(Path(python).absolute()), "-c", _WHERE]
    try:
        # Python loads modules of the current folder first, which may be anybody's.
        reported = subprocess.run(  # noqa: S603 - the interpreter that the user names
            command, cwd="/", capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return Path(reported.stdout.strip()) if reported.returncode == 0 else None


def places(python: str) -> list[Path]:
    """Return the files and folders of an interpreter and of its packages."""
    command = [str(Path(python).absolute()), "-c", _PLACES]
    try:
        reported = subprocess.run(  # noqa: S603 - the interpreter that the user names
            command, cwd="/", capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    return [Path(python), *map(Path, filter(None, reported.stdout.splitlines()))]


def driver(flink: Installation) -> Path:
    """The jar of Flink's Python API, which is next to ``lib``."""
    jar = flink.optional_jar("flink-python")
    if jar is None:
        msg = (
            f"{quoted(str(flink.optional_folder))} has no flink-python jar, without which "
            "Flink runs no Python: set --flink-lib to a complete installation"
        )
        raise CaptureError(msg)
    return jar


def run_python(session: Session, jar: Path, script: Path, args: Sequence[str]) -> None:
    """Run the script up to its jobs; ``jar``: that of Flink's Python API."""
    program = JavaProgram(jar=jar, main_class=_DRIVER, args=("-py", str(script), *args))
    try:
        run_program(session, program)
    except Py4JJavaError as error:
        raise _own_failure(session, error) or error from None


def _own_failure(session: Session, error: Py4JJavaError) -> CaptureError | None:
    """Return the failure of the script's interpreter, of which Java knows the exit code."""
    for cause in causes(error.java_exception):
        message = str(cause.getMessage())
        if (ended := _EXIT.search(message)) is not None:
            words = failure_message(session.machine.printed())
            phrase = f": {words.reported}" if words.reported else ""
            remedies = (remedy(session.flink.version, cause) for cause in words.causes)
            fix = next(filter(None, remedies), _FIX)
            return CaptureError(
                f"the script ended with exit code {ended[1]} {session.progress.when}{phrase}; {fix}"
            )
        if message == _TOO_QUICK:
            return CaptureError(_AT_ONCE.format(when=session.progress.when))
    return None
