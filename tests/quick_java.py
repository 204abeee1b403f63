"""Java for tests: options for a JVM that ends soon, and a compiler that is started once."""

import atexit
import base64
import os
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

WITHOUT_VERIFICATION: Final = ("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote")
"""Options of a JVM that loads bytecode unverified: that of released jars, or javac's own."""
QUICK: Final = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", *WITHOUT_VERIFICATION)
"""Options of such a JVM: one thread collects, and only the first compiler works, at its start."""
QUICK_TOOL: Final = tuple(f"-J{option}" for option in QUICK)
"""The same of a tool of Java that is started as a program, such as ``javap``."""
PROGRAM: Final = Path(__file__).with_name("Compiles.java")


def compile_java(
    sources: Iterable[Path], classes: Path, jars: Iterable[Path] = (), options: Iterable[str] = ()
) -> None:
    """Compile sources against jars into the folder ``classes``, without warnings.

    A compiler that runs needs a sixth of the CPU of one that starts.
    """
    class_path = os.pathsep.join(map(str, jars))
    words = ["-nowarn", "-Xlint:none", *options, "-cp", class_path]
    compiler = _compiler(os.getpid())
    assert compiler.stdin is not None
    assert compiler.stdout is not None
    compiler.stdin.write("\t".join([*words, "-d", str(classes), *map(str, sources)]) + "\n")
    compiler.stdin.flush()
    code, _, said = compiler.stdout.readline().partition(" ")
    if code != "0":
        errors = base64.b64decode(said).decode()
        msg = f"javac ended with {code}: {errors}"
        raise RuntimeError(msg)


@cache
def _compiler(_process: int) -> subprocess.Popen[str]:
    """The compiler of this process, which ends with it."""
    command = ["java", *QUICK, str(PROGRAM)]
    running = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    atexit.register(_end, running)
    return running


def _end(running: subprocess.Popen[str]) -> None:
    running.communicate()
