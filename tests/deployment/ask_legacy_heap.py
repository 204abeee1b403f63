"""How releases split memory by the options of the heap of Flink 1.9.

``python -m tests.deployment.ask_legacy_heap FOLDER...`` asks the lib folders of installations
(``AskLegacyHeap.java``) and writes ``tests/golden/legacy_heap.jsonl.gz``.
"""

import gzip
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from shutil import which
from typing import Final

from tests.golden_files import GOLDEN

SOURCE: Final = Path(__file__).with_name("AskLegacyHeap.java")
OPTIONS: Final = (
    "",
    "taskmanager.heap.size=4096m",
    "taskmanager.heap.mb=4096",
    "taskmanager.heap.size=4096m;taskmanager.heap.mb=1024",
    "taskmanager.heap.size=4096m;taskmanager.memory.process.size=2g",
    "taskmanager.heap.size=4096m;taskmanager.memory.process.size=5g",
    "taskmanager.heap.size=4096m;taskmanager.memory.flink.size=2g",
    "taskmanager.heap.mb=-1",
    "taskmanager.heap.size=abc",
    "taskmanager.heap.mb=abc",
    "taskmanager.heap.size=4g;taskmanager.memory.task.heap.size=1g;taskmanager.memory.managed.size=1g",
    "taskmanager.heap.size=100m",
    "taskmanager.heap.size=1024",
    "jobmanager.heap.size=1024m",
    "jobmanager.heap.mb=1024",
    "jobmanager.heap.size=1g;jobmanager.memory.process.size=2g",
    "jobmanager.heap.size=1g;jobmanager.memory.heap.size=512m",
    "jobmanager.heap.size=1g;jobmanager.memory.flink.size=2g",
    "jobmanager.heap.mb=-1",
    "jobmanager.heap.size=abc",
)


def main(folders: Sequence[str]) -> None:
    """Ask the folders, in the order of their releases."""
    lines = []
    for folder in map(Path, folders):
        with tempfile.TemporaryDirectory() as classes:
            jars = f"{folder}/*"
            subprocess.run([which("javac") or "", "-cp", jars, "-d", classes, SOURCE], check=True)
            java, path = which("java") or "", f"{classes}:{jars}"
            answer = subprocess.run(
                [java, "-Xmx300m", "-cp", path, "AskLegacyHeap", *OPTIONS],
                check=True,
                capture_output=True,
                text=True,
            )
        rows = [line.split("\t") for line in answer.stdout.splitlines() if "manager\t" in line]
        for number, options in enumerate(OPTIONS):
            for process, place, text in rows[4 * number : 4 * number + 4]:
                members = {"release": folder.parent.name.rpartition(".")[0], "options": options}
                lines.append(json.dumps(members | {"of": process, "on": place, "answer": text}))
    (GOLDEN / "legacy_heap.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))


if __name__ == "__main__":
    main(sys.argv[1:])
