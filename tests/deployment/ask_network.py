"""Writes ``network.jsonl.gz``: what real Flinks answer about network buffers.

``python -m tests.deployment.ask_network`` asks every release that .ci/flink has brought.
"""

import gzip
import random
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from tests.capture.flinks import lib
from tests.deployment.asking import answers, classes
from tests.golden_files import GOLDEN

RELEASES = (
    *("1.9.3", "1.10.3", "1.11.4", "1.12.5", "1.13.6", "1.14.6", "1.15.4", "1.16.3"),
    *("1.17.2", "1.18.1", "1.19.3", "1.20.5", "2.0.2", "2.1.3", "2.2.1", "2.3.0"),
)
TYPES = ("BLOCKING", "PIPELINED", "PIPELINED_BOUNDED")
NEWER = {"1.12": ("PIPELINED_APPROXIMATE",), "1.16": ("HYBRID_FULL", "HYBRID_SELECTIVE")}
REFUSED = (
    {"taskmanager.memory.segment-size": "100"},
    {"taskmanager.memory.segment-size": "5000"},
    {"taskmanager.memory.segment-size": "much"},
    {"taskmanager.network.memory.floating-buffers-per-gate": "0"},
    {"taskmanager.network.memory.buffers-per-channel": "-1"},
    {"taskmanager.network.memory.read-buffer.required-per-gate.max": "0"},
    {"taskmanager.network.memory.buffers-per-channel": "two"},
)


def options(drawn: random.Random) -> dict[str, str]:
    """Some options, each set now and then."""
    prefix = "taskmanager.network."
    every = {
        f"{prefix}memory.buffers-per-channel": drawn.choice((1, 1, 2, 3, 7)),
        f"{prefix}memory.floating-buffers-per-gate": drawn.choice((1, 4, 8, 60)),
        f"{prefix}memory.read-buffer.required-per-gate.max": drawn.choice((1, 2, 5, 100, 5000)),
        f"{prefix}sort-shuffle.min-buffers": drawn.choice((2, 64, 512, 2000)),
        f"{prefix}sort-shuffle.min-parallelism": drawn.choice((1, 2, 50, 1000)),
        f"{prefix}hybrid-shuffle.enable-new-mode": drawn.choice(("true", "false")),
        "taskmanager.memory.segment-size": drawn.choice(("4kb", "32kb", "64kb", "8192")),
        "execution.batch-shuffle-mode": drawn.choice(
            (
                "ALL_EXCHANGES_HYBRID_FULL",
                "ALL_EXCHANGES_HYBRID_SELECTIVE",
                "ALL_EXCHANGES_BLOCKING",
            )
        ),
    }
    return {key: str(value) for key, value in every.items() if drawn.random() < 0.3}


def questions(version: str, count: int) -> list[dict[str, Any]]:
    """Random sizes under random options, the same for a release at every time."""
    drawn = random.Random(version)  # noqa: S311 - it is to be the same again
    numbers = tuple(map(int, version.split(".")[:2]))
    known = [
        *TYPES,
        *(t for since, more in NEWER.items() if _at_least(numbers, since) for t in more),
    ]
    asked: list[dict[str, Any]] = [
        {"network": drawn.randrange(1 << 20, 1 << 31), "options": options(drawn)}
        | {kind: _sizes(drawn, known) for kind in ("partitions", "gates")}
        for _ in range(count)
    ]
    # Options of a shuffle mode that a release has no name for make it fail, which is not asked.
    for one in asked:
        if not _at_least(numbers, "1.16"):
            one["options"].pop("execution.batch-shuffle-mode", None)
    # What cannot be read at all 1.9 says in the words of a number's parser, which are not ours.
    refused = [one for one in REFUSED if "much" not in one.values() or _at_least(numbers, "1.10")]
    return [*asked, *({"network": 1 << 27, "options": one} for one in refused)]


def _at_least(numbers: tuple[int, ...], version: str) -> bool:
    return numbers >= tuple(map(int, version.split(".")))


def _sizes(drawn: random.Random, known: list[str]) -> list[list[str | int]]:
    return [[drawn.choice(known), int(2 ** drawn.uniform(0, 13))] for _ in range(3)]


def line(question: dict[str, Any]) -> str:
    """A question as the program reads it."""
    words = [str(question["network"])]
    words += [f"{key}={value}" for key, value in question["options"].items()]
    for kind in ("partition", "gate"):
        words += [f"{kind}:{name}:{size}" for name, size in question.get(f"{kind}s", ())]
    return " ".join(words)


def asked(version: str, folder: Path, count: int) -> list[dict[str, Any]]:
    """Questions to a release, each with its answer."""
    every = questions(version, count)
    made = classes("AskNetwork", folder)
    reported = answers("AskNetwork", lib(version), made, map(line, every))
    return [
        question | {"version": ".".join(version.split(".")[:2]), "answer": answer}
        for question, answer in zip(every, reported, strict=True)
    ]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        lines = [
            msgspec.json.encode(one)
            for version in RELEASES
            for one in asked(version, Path(folder), 40)
        ]
    text = b"\n".join(lines) + b"\n"
    (GOLDEN / "network.jsonl.gz").write_bytes(gzip.compress(text, 9, mtime=0))
