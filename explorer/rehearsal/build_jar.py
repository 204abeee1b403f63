"""Builds ``rehearsal.jar`` from the Java sources in the folder ``java``.

Started as ``python -m explorer.rehearsal.build_jar FLINK_LIB`` with the folder of the jars of
Flink 1.20, which the classes are compiled against.
"""

import sys
from pathlib import Path
from typing import Final

from explorer.capture.jvm.build_jar import build_jar
from explorer.rehearsal.jobs import JAR

SOURCES: Final = Path(__file__).parent / "java"

if __name__ == "__main__":
    build_jar(SOURCES, JAR, sorted(Path(sys.argv[1]).glob("*.jar")))
