"""Builds ``rehearsal.jar`` from the Java sources.

Started as ``python -m explorer.rehearsal.build_jar FLINK_LIB``. The same sources and compiler give
the same bytes: entries are sorted and carry no time. The classes run on Java 8 and newer; they are
compiled against the jars of Flink 1.20.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from explorer.rehearsal.failures import RehearsalError

SOURCES: Final = Path(__file__).parent / "java"
_BEGINNING: Final = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip entry can carry."""


def build_jar(flink_lib: Path, jar: Path) -> None:
    """Compile the sources against a folder of Flink's jars and write the jar.

    Raises ``RehearsalError`` with the compiler's own words.
    """
    with tempfile.TemporaryDirectory(prefix="explorer-rehearsal-") as folder:
        classes = Path(folder)
        class_path = os.pathsep.join(map(str, sorted(flink_lib.glob("*.jar"))))
        options = ["-nowarn", "-Xlint:-options", "-g:none", "--release", "8", "-cp", class_path]
        sources = sorted(map(str, SOURCES.rglob("*.java")))
        command = ["javac", *options, "-d", str(classes), *sources]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode != 0:
            raise RehearsalError(done.stderr.strip())
        _write(classes, jar)


def _write(classes: Path, jar: Path) -> None:
    with ZipFile(jar, "w") as archive:
        for file in sorted(classes.rglob("*.class")):
            entry = ZipInfo(file.relative_to(classes).as_posix(), _BEGINNING)
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, file.read_bytes())


if __name__ == "__main__":
    from explorer.rehearsal.jobs import JAR

    build_jar(Path(sys.argv[1]), JAR)
