"""Writes ``fine_grained.jsonl.gz``: how jobs with profiles of slot sharing groups ended.

``python -m tests.deployment.ask_fine_grained`` starts one cluster a question, in one process for
each release.
"""

import gzip
import json
import tempfile
from pathlib import Path
from typing import Any, Final

from tests.capture.flinks import lib
from tests.deployment.asking import answers, classes
from tests.golden_files import GOLDEN, cases

FILE: Final = "fine_grained"
RELEASES: Final = ("1.20.5", "2.2.1")
OPTIONS: Final = {
    "taskmanager.cpu.cores": "2",
    "taskmanager.memory.task.heap.size": "512m",
    "taskmanager.memory.task.off-heap.size": "64m",
    "taskmanager.memory.managed.size": "128m",
    "taskmanager.memory.network.min": "32m",
    "taskmanager.memory.network.max": "32m",
    "taskmanager.memory.framework.heap.size": "128m",
    "taskmanager.memory.framework.off-heap.size": "128m",
    "resourcemanager.standalone.start-up-time": "10000",
    "slot.request.timeout": "20000",
}
_MEMBERS: Final = (
    "task_managers",
    "slots",
    "parallelism",
    "cpu",
    "heap",
    "off_heap",
    "managed",
    "sinks",
    "gpu",
)
AMOUNT: Final = "external-resource.gpu.amount"
EXTERNAL: Final = {"external-resources": "gpu"}
QUESTIONS: Final[tuple[dict[str, Any], ...]] = tuple(
    dict(zip((*_MEMBERS, "gpus"), (*values, *(0,) * (10 - len(values))), strict=True))
    for values in (
        # Each part of a profile, at what a task manager has and beyond.
        (1, 2, 1, 2.0, 64, 0, 0, 0),
        (1, 2, 1, 2.5, 64, 0, 0, 0),
        (1, 2, 1, 0.5, 512, 0, 0, 0),
        (1, 2, 1, 0.5, 513, 0, 0, 0),
        (1, 2, 1, 0.5, 64, 64, 0, 0),
        (1, 2, 1, 0.5, 64, 65, 0, 0),
        (1, 2, 1, 0.5, 64, 0, 128, 0),
        (1, 2, 1, 0.5, 64, 0, 129, 0),
        # More slots of a profile than the task manager offers, and than fit.
        (1, 2, 4, 0.5, 64, 0, 0, 0),
        (1, 2, 3, 0.5, 200, 0, 0, 0),
        (2, 2, 3, 0.5, 200, 0, 0, 0),
        (2, 2, 4, 1.5, 64, 0, 0, 0),
        # A group without a profile has slots of the task manager's default size.
        (1, 2, 1, 0.5, 256, 0, 0, 1),
        (1, 2, 1, 0.5, 257, 0, 0, 1),
        (1, 2, 2, 0.5, 128, 0, 0, 1),
        (2, 2, 1, 0.5, 257, 0, 0, 1),
        # An external resource of a task manager: the last number is how much of it there is.
        (1, 2, 1, 0.5, 64, 0, 0, 0, 1, 0),
        (1, 2, 1, 0.5, 64, 0, 0, 0, 2, 2),
        (1, 2, 1, 0.5, 64, 0, 0, 0, 3, 2),
        (1, 2, 2, 0.5, 64, 0, 0, 0, 1, 2),
        (1, 2, 3, 0.5, 64, 0, 0, 0, 1, 2),
        (1, 2, 4, 0.5, 64, 0, 0, 0, 0.5, 2),
        (2, 2, 3, 0.5, 64, 0, 0, 0, 1, 2),
        # A slot of the default size has its share of it.
        (1, 2, 1, 0.5, 64, 0, 0, 1, 1, 2),
        (1, 2, 1, 0.5, 64, 0, 0, 1, 2, 2),
        (1, 2, 1, 0.5, 64, 0, 0, 1, 0, 1),
        (1, 2, 1, 0.5, 64, 0, 0, 1, 1, 1),
    )
)
_REPEATS: Final = 10
REPEATED: Final = (
    # Two that just fit, and one with room for another slot of the profile's size.
    QUESTIONS[14],
    QUESTIONS[23],
    QUESTIONS[14] | {"parallelism": 1},
)
"""Questions that are asked so often of each release: do equal jobs always end alike?"""


def line(question: dict[str, Any]) -> str:
    """A question as the program reads it."""
    words = [question[member] for member in _MEMBERS]
    pairs = (f"{key}={value}" for key, value in options(question).items())
    return " ".join(map(str, (*words, *pairs)))


def options(question: dict[str, Any]) -> dict[str, str]:
    """The options of a question's cluster."""
    return OPTIONS | (EXTERNAL | {AMOUNT: str(question["gpus"])} if question["gpus"] else {})


def main() -> None:
    """Ask every release the questions that the file has no answer to."""
    rows = list(cases(FILE))
    for version in RELEASES:
        release = version.rpartition(".")[0]
        answered = [without_ending(row) for row in rows if row["release"] == release]
        lacking = [question for question in QUESTIONS if question not in answered]
        for question in REPEATED:
            lacking += [question] * (_REPEATS - answered.count(question))
        with tempfile.TemporaryDirectory() as folder:
            jars = lib(version)
            made = classes("AskFineGrained", Path(folder), jars)
            reported = answers("AskFineGrained", jars, made, map(line, lacking))
        for question, ending in zip(lacking, reported, strict=True):
            rows.append({"release": release, **question, "ending": ending})
    text = "\n".join(map(json.dumps, rows))
    (GOLDEN / f"{FILE}.jsonl.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


def without_ending(row: dict[str, Any]) -> dict[str, Any]:
    """The question of an answer."""
    return {name: value for name, value in row.items() if name not in {"release", "ending"}}


if __name__ == "__main__":
    main()
