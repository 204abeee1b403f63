"""Checks that a Java that Spark supports is installed."""

import re
import subprocess
from contextlib import suppress
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
    """Explain in a sentence why a trial cannot start; empty if it can."""
    java, lack = java_program()
    if lack:
        return f"A trial run needs Java, and {lack}: {_REMEDY}."
    result = None
    with suppress(OSError, subprocess.TimeoutExpired):
        reported = subprocess.run(  # noqa: S603 - the Java that Spark would start
            [java, "-version"], capture_output=True, text=True, timeout=60, check=False
        )
        result = _VERSION.search(reported.stderr + reported.stdout)
    if result is None:
        return f"A trial run needs Java, and {java!r} does not report its version: {_REMEDY}."
    if int(result[1]) < MINIMUM:
        return f"A trial run needs Java {MINIMUM}, and {java!r} is Java {result[1]}: {_REMEDY}."
    return ""
