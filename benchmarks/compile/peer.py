"""The peer: Flink's own ``StreamGraphGenerator`` and ``StreamingJobGraphGenerator`` in one JVM."""

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.compile.measuring import SPAN
from benchmarks.compile.pipelines import Shape

SOURCE = Path(__file__).parent / "Peer.java"
OPEN = ("java.base/java.lang", "java.base/java.util", "java.base/java.time")
"""Packages of the JDK that Flink reflects upon."""


def flink_times(
    jars: Path, programs: Sequence[tuple[Shape, int]], rounds: int
) -> dict[tuple[Shape, int], float | None]:
    """Seconds that Flink needs, warm; None where its stack overflows."""
    found = [jar for jar in jars.rglob("*.jar") if jar.name.startswith(("flink-dist", "log4j"))]
    if not any(jar.name.startswith("flink-dist") for jar in found):
        msg = f"no flink-dist*.jar in {jars}; unpack apache-flink-libraries there"
        raise SystemExit(msg)
    arguments = [
        text
        for shape, nodes in programs
        for text in (
            str(shape.branches(nodes)),
            str(nodes // shape.branches(nodes)),
            str(shape.uids).lower(),
            str(rounds),
        )
    ]
    path = ":".join(str(jar.resolve()) for jar in found)
    with tempfile.TemporaryDirectory() as classes:
        subprocess.run(
            [program("javac"), "-nowarn", "-cp", path, "-d", classes, str(SOURCE)], check=True
        )
        opened = [f"--add-opens={package}=ALL-UNNAMED" for package in OPEN]
        span = str(round(SPAN * 1e3))
        command = [program("java"), *opened, "-cp", f"{path}:{classes}", "Peer", span]
        # The first program runs once more in front, so that the JVM is warm.
        done = subprocess.run(
            [*command, *WARM_UP, *arguments],
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
    nanoseconds = [int(line) for line in done.stdout.split()][1:]
    return {
        asked: None if time < 0 else time / 1e9
        for asked, time in zip(programs, nanoseconds, strict=True)
    }


def program(name: str) -> str:
    """The path of one of the JDK's programs."""
    found = shutil.which(name)
    if found is None:
        msg = f"the comparison with Flink needs {name} of a JDK 11 or newer"
        raise SystemExit(msg)
    return found


WARM_UP = ("100", "10", "false", "10")
"""Branches, length, uids and rounds of a first program, the time of which is dropped."""
