"""Writes ``managed.jsonl.gz``: how real Flinks share out a slot's managed memory by use case.

``python -m tests.deployment.ask_managed`` asks every release from 1.13 on, which introduced the
current names of use cases.
"""

import gzip
import random
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from tests.capture.flinks import lib
from tests.deployment.ask_network import RELEASES
from tests.deployment.asking import answers, classes
from tests.golden_files import GOLDEN

CASES = ("OPERATOR", "STATE_BACKEND", "PYTHON")
WEIGHTS = "taskmanager.memory.managed.consumer-weights"


def questions() -> list[dict[str, Any]]:
    """Random slots, use cases and weights, the same at every time."""
    drawn = random.Random("managed")  # noqa: S311 - it is to be the same again
    return [_question(drawn) for _ in range(60)]


def _question(drawn: random.Random) -> dict[str, Any]:
    cases = drawn.sample(CASES, drawn.randint(1, 3))
    options = {}
    if drawn.random() < 0.7:
        options["state.backend"] = drawn.choice(("rocksdb", "rocksdb", "hashmap"))
    if drawn.random() < 0.6:
        names = drawn.sample((*CASES, "DATAPROC"), drawn.randint(1, 4))
        options[WEIGHTS] = ",".join(f"{name}:{drawn.randint(-1, 99)}" for name in names)
    return {
        "slot": drawn.randrange(1 << 20, 1 << 34),
        "use_cases": [case for case in CASES if case in cases],
        "options": options,
    }


def line(question: dict[str, Any]) -> str:
    """A question as the program reads it."""
    options = [f"{key}={value}" for key, value in question["options"].items()]
    return " ".join((str(question["slot"]), ",".join(question["use_cases"]), *options))


def asked(version: str, folder: Path) -> list[str]:
    """A release's answers, in the order of the questions."""
    made = classes("AskManaged", folder)
    return answers("AskManaged", lib(version), made, map(line, questions()))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        reported = {one.rpartition(".")[0]: asked(one, Path(folder)) for one in RELEASES[4:]}
    lines = [
        question | {"flink": {version: answer[number] for version, answer in reported.items()}}
        for number, question in enumerate(questions())
    ]
    text = b"".join(msgspec.json.encode(one) + b"\n" for one in lines)
    (GOLDEN / "managed.jsonl.gz").write_bytes(gzip.compress(text, 9, mtime=0))
