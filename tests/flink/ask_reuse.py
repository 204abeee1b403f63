"""Writes ``object_reuse.jsonl.gz``: what operators of a task see of one another's changes.

``python -m tests.flink.ask_reuse`` runs ``AskReuse.java`` with four releases, the oldest and those
with the most different tasks, with and without object reuse; a line holds their common answers.
"""

import gzip
import json
import sys
import tempfile
from pathlib import Path

import msgspec

from tests.capture.flinks import lib
from tests.deployment.asking import answers
from tests.flink.ask_tasks import compiled
from tests.golden_files import GOLDEN

Seen = dict[str, list[int]]


def reported_by(version: str, folder: Path) -> dict[bool, Seen]:
    """By whether objects are reused, what each operator saw."""
    made = compiled(version, folder, "AskReuse")
    reported = answers("AskReuse", lib(version), made, ("false", "true"))
    return {reuse: _read(line) for reuse, line in zip((False, True), reported, strict=True)}


def _read(line: str) -> Seen:
    pairs = (part.split(":", 1) for part in line.split(" "))
    return {who: json.loads(rows) for who, rows in pairs}


if __name__ == "__main__":
    found: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as made:
        for version in sys.argv[1:] or ("1.9.3", "1.13.6", "1.20.5", "2.2.1"):
            for reuse, reported in reported_by(version, Path(made)).items():
                key = json.dumps({"reuse": reuse, "seen": reported})
                found.setdefault(key, []).append(version.rpartition(".")[0])
    lines = [json.loads(key) | {"versions": at} for key, at in found.items()]
    text = b"".join(msgspec.json.encode(one) + b"\n" for one in lines)
    (GOLDEN / "object_reuse.jsonl.gz").write_bytes(gzip.compress(text, 9, mtime=0))
