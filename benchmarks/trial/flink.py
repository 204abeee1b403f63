"""The peers: Flink's local cluster in a JVM of its own, PyFlink in an interpreter of its own."""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
OPENED: Final = ("java.base/java.lang", "java.base/java.util")
"""Packages of the JDK that Flink reflects upon."""


class Peer:
    """A process that runs the pipeline that a line names, and answers with milliseconds."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def seconds(self, pipeline: str, *, chained: bool, rows: str) -> float:
        """Run once; ``rows``: a file's path or a count."""
        sent, received = self._process.stdin, self._process.stdout
        if sent is None or received is None:
            msg = "the peer has no streams"
            raise SystemExit(msg)
        sent.write(f"{pipeline} {'chained' if chained else 'unchained'} {rows}\n")
        sent.flush()
        answer = received.readline()
        if not answer.strip().isdecimal():
            msg = f"the peer ended with {answer!r}"
            raise SystemExit(msg)
        return int(answer) / 1000


@contextmanager
def local_cluster(jars: Path, classes: Path) -> Iterator[Peer]:
    """Flink's local cluster of two slots; ``jars``: a release's, as ``.ci/flink`` brings them."""
    path = ":".join(str(jar) for jar in sorted(jars.glob("*.jar")) if "slf4j" not in jar.name)
    if not path:
        msg = f"no jars in {jars}: .ci/flink 1.20.5 brings them"
        raise SystemExit(msg)
    javac, java = (shutil.which(name) or name for name in ("javac", "java"))
    source = str(HERE / "FlinkPeer.java")
    subprocess.run([javac, "-nowarn", "-cp", path, "-d", str(classes), source], check=True)
    opened = [f"--add-opens={package}=ALL-UNNAMED" for package in OPENED]
    with _start_peer([java, *opened, "-cp", f"{classes}:{path}", "FlinkPeer"]) as peer:
        yield peer


@contextmanager
def pyflink(python: Path) -> Iterator[Peer]:
    """PyFlink in an interpreter that has all of it: ``pip install apache-flink==2.2.1``."""
    with _start_peer([str(python), str(HERE / "pyflink_peer.py")]) as peer:
        yield peer


@contextmanager
def _start_peer(command: Sequence[str]) -> Iterator[Peer]:
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=sys.stderr, text=True
    ) as process:
        try:
            yield Peer(process)
        finally:
            process.kill()
