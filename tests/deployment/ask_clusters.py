"""Writes ``insufficient.jsonl.gz``: how jobs ended on a real cluster with few network buffers.

``python -m tests.deployment.ask_clusters`` starts one cluster a question, inside one process.
"""

import gzip
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from tests.capture.flinks import lib
from tests.deployment.asking import answers, classes
from tests.golden_files import GOLDEN

VERSION = "1.20.5"
_FRACTION = "taskmanager.memory.network"


def _network(size: str) -> dict[str, str]:
    return {f"{_FRACTION}.min": size, f"{_FRACTION}.max": size}


QUESTIONS: tuple[dict[str, Any], ...] = (
    # A slot a task manager, so that nobody's request can come between: no outcome is by chance.
    {"task_managers": 7, "slots": 1, "sources": 1, "sinks": 6, "options": _network("192k")},
    {"task_managers": 7, "slots": 1, "sources": 1, "sinks": 6, "options": _network("256k")},
    {"task_managers": 7, "slots": 1, "sources": 6, "sinks": 1, "options": _network("256k")},
    {"task_managers": 7, "slots": 1, "sources": 6, "sinks": 1, "options": _network("384k")},
    {"task_managers": 7, "slots": 1, "sources": 6, "sinks": 1, "options": _network("416k")},
    {
        "task_managers": 7,
        "slots": 1,
        "sources": 6,
        "sinks": 1,
        "options": _network("512k") | {"taskmanager.network.memory.buffers-per-channel": "3"},
    },
    # One task manager for all: no channel is remote, and what all require is one sum.
    {"task_managers": 1, "slots": 9, "sources": 3, "sinks": 6, "options": _network("864k")},
)


def line(question: dict[str, Any]) -> str:
    """A question as the program reads it."""
    words = [question[key] for key in ("task_managers", "slots", "sources", "sinks")]
    options = [f"{key}={value}" for key, value in question["options"].items()]
    return " ".join(map(str, (*words, *options)))


def asked(folder: Path, questions: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The questions, each with how its job ended."""
    jars = lib(VERSION)
    reported = answers("RunsOut", jars, classes("RunsOut", folder, jars), map(line, questions))
    return [one | {"ending": ending} for one, ending in zip(questions, reported, strict=True)]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        text = b"".join(msgspec.json.encode(one) + b"\n" for one in asked(Path(made), QUESTIONS))
    (GOLDEN / "insufficient.jsonl.gz").write_bytes(gzip.compress(text, 9, mtime=0))
