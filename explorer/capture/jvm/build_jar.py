"""Builds ``capture.jar`` from the Java sources in the folder ``java``.

Started as ``python -m explorer.capture.jvm.build_jar``. The same sources and compiler give the same
bytes: entries are sorted and carry no time. The classes run on Java 8 and newer.
"""

import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from explorer.capture.failures import CaptureError

SOURCES: Final = Path(__file__).parent / "java"
_QUICK: Final = ("-J-XX:+UseSerialGC", "-J-XX:TieredStopAtLevel=1")
"""Options of the compiler's own JVM, which ends before its second compiler would pay."""
_BEGINNING: Final = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip entry can carry."""


def build_jar(sources: Path, jar: Path, class_path: Sequence[Path] = ()) -> None:
    """Compile all Java sources of a folder against the class path and write the jar.

    Raises ``CaptureError`` with the compiler's message.
    """
    with tempfile.TemporaryDirectory(prefix="explorer-jar-") as folder:
        classes = Path(folder)
        files = sorted(map(str, sources.rglob("*.java")))
        jars = os.pathsep.join(map(str, class_path))
        options = ["-nowarn", "-Xlint:-options", "-g:none", "--release", "8", "-cp", jars]
        command = ["javac", *_QUICK, *options, "-d", folder, *files]
        process = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if process.returncode != 0:
            raise CaptureError(process.stderr.strip())
        with ZipFile(jar, "w") as archive:
            for file in sorted(classes.rglob("*.class")):
                entry = ZipInfo(file.relative_to(classes).as_posix(), _BEGINNING)
                entry.compress_type = ZIP_DEFLATED
                archive.writestr(entry, file.read_bytes())


if __name__ == "__main__":
    from explorer.capture.jvm.object_tables import JAR

    build_jar(SOURCES, JAR)
