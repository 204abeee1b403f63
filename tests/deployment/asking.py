"""How real Flink is asked: a Java program that speaks to a release's own classes, line by line."""

import os
import shutil
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from tests.quick_java import QUICK, compile_java

PROGRAMS = Path(__file__).parent / "programs"
OPEN: tuple[str, ...] = (
    *("java.nio", "java.lang", "java.util", "java.util.concurrent"),
    "sun.net.util",
)
"""Packages that Flink before 1.10 reaches into; Java 17 closes them."""


@cache
def classes(program: str, folder: Path, lib: Path | None = None, programs: Path = PROGRAMS) -> Path:
    """Where the program's classes are; ``lib``: the jars that it is compiled against.

    ``programs``: where its source is.
    """
    path = folder / f"{program}-{lib.parent.name if lib else 'any'}"
    path.mkdir(parents=True, exist_ok=True)
    compile_java([programs / f"{program}.java"], path, lib.glob("*.jar") if lib else ())
    return path


def java() -> Path:
    """The Java that there is."""
    found = shutil.which("java")
    assert found, "the tests that ask Flink need Java; .ci/browser-and-java brings it"
    return Path(found)


def answers(program: str, lib: Path, made: Path, questions: Iterable[str]) -> list[str]:
    """What the release in ``lib`` answers to each question, in their order."""
    opened = (f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in OPEN)
    done = subprocess.run(
        [str(java()), *QUICK, *opened, "-cp", f"{lib}/*{os.pathsep}{made}", program],
        input="".join(f"{question}\n" for question in questions),
        capture_output=True,
        text=True,
        check=True,
    )
    return [line[2:] for line in done.stdout.splitlines() if line.startswith("= ")]
