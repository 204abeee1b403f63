"""Ask clusters what another allowed lateness leaves of the windows of a savepoint.

``python -m tests.savepoints.ask_lateness`` writes ``lateness_restores.jsonl.gz``, a line for each
pair of kinds: ``version``, ``old``, ``new``; ``ids``, how many records from before the savepoint
came out; ``windows``, in which; ``left``, bytes of keyed state after a watermark beyond the end and
the lateness of every window. ``programs/AskWindows.java`` explains how a kind is written.
"""

import gzip
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from explorer.savepoints.loading import load_savepoint
from tests.capture.flinks import lib
from tests.deployment.asking import classes
from tests.golden_files import GOLDEN
from tests.quick_java import QUICK

VERSIONS: Final = ("1.20.5", "2.2.1")
KINDS: Final = ("t10~0,t10~20,t10~40", "g4~0,g4~20")


def main() -> None:
    """Ask both releases and write the file."""
    lines = [f"{json.dumps(line)}\n" for version in VERSIONS for line in ask(version)]
    file = GOLDEN / "lateness_restores.jsonl.gz"
    file.write_bytes(gzip.compress("".join(lines).encode(), 9, mtime=0))


def ask(version: str) -> Iterator[dict[str, Any]]:
    """Yield a line for each pair."""
    with tempfile.TemporaryDirectory() as folder:
        programs = Path(__file__).parent / "programs"
        compiled = classes("AskWindows", Path(folder), lib(version), programs)
        class_path = os.pathsep.join(map(str, [compiled, *lib(version).glob("*.jar")]))
        java = ["java", *QUICK, "-cp", class_path, "AskWindows", folder, version, *KINDS]
        printed = subprocess.run(java, check=True, stdout=subprocess.PIPE, text=True)
        for line in printed.stdout.splitlines():
            if line.startswith("{"):
                members = json.loads(line)
                yield members | {"left": _keyed_bytes(members["left"].removeprefix("file:"))}


def _keyed_bytes(path: str) -> int:
    return sum(
        handle.bytes
        for operator in load_savepoint(path).operators
        for handle in operator.handles
        if handle.kind == "keyed"
    )


if __name__ == "__main__":
    main()
