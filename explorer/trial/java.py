"""Is there a Java that Spark can run on?"""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

MINIMUM: Final = 17
"""The oldest Java that Spark 4 runs on."""
_REMEDY: Final = (
    f"install Java {MINIMUM} or newer (on Debian: apt install openjdk-17-jre-headless), or point "
    "JAVA_HOME at one"
)
_VERSION: Final = re.compile(r'version "(?:1\.)?(\d+)')


def java_problem() -> str:
    """What keeps a trial from starting, in one sentence; empty: nothing."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if java is None or not Path(java).is_file():
        where = f"JAVA_HOME is {home!r}, and has no bin/java" if home else "no java is on the PATH"
        return f"A trial run needs Java, and {where}: {_REMEDY}."
    major = _major(java)
    if major is None:
        return f"A trial run needs Java, and {java!r} does not tell its version: {_REMEDY}."
    if major < MINIMUM:
        return f"A trial run needs Java {MINIMUM}, and {java!r} is Java {major}: {_REMEDY}."
    return ""


def _major(java: str) -> int | None:
    try:
        told = subprocess.run(  # noqa: S603 - the Java that Spark would start
            [java, "-version"], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = _VERSION.search(told.stderr + told.stdout)
    return int(found[1]) if found else None
