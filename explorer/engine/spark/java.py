"""Checks that a Java that Spark supports is installed."""

import re
import subprocess
from typing import Final

from explorer.locations import java_program

MINIMUM: Final = 17
"""The oldest Java that Spark 4 runs on."""
_REMEDY: Final = (
    f"install Java {MINIMUM} or newer (on Debian: apt install openjdk-17-jre-headless), or point "
    "JAVA_HOME at one"
)
_VERSION: Final = re.compile(r'version "(?:1\.)?(\d+)')


def java_problem() -> str:
    """Return a sentence: why a trial cannot start; empty if it can."""
    java, lack = java_program()
    if lack:
        return f"A trial run needs Java, and {lack}: {_REMEDY}."
    major = _major(java)
    if major is None:
        return f"A trial run needs Java, and {java!r} does not report its version: {_REMEDY}."
    if major < MINIMUM:
        return f"A trial run needs Java {MINIMUM}, and {java!r} is Java {major}: {_REMEDY}."
    return ""


def _major(java: str) -> int | None:
    try:
        reported = subprocess.run(  # noqa: S603 - the Java that Spark would start
            [java, "-version"], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = _VERSION.search(reported.stderr + reported.stdout)
    return int(found[1]) if found else None
