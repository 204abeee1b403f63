"""Writes ``schedulers.jsonl.gz``: what real clusters make of a job's parallelism and its slots.

``python -m tests.deployment.ask_schedulers`` starts one cluster a question, inside one process for
each release. A question has the words that ``AskSchedulers.java`` reads.
"""

import gzip
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from tests.capture.flinks import lib
from tests.deployment.asking import answers, classes
from tests.golden_files import GOLDEN

VERSIONS = ("1.17.2", "1.20.5", "2.2.1")
TASK = "4294f70978b768b64a0ea311db735bc0"
"""The ID of the second task: its uid is ``last``."""
_ADAPTIVE = "cluster:jobmanager.scheduler=adaptive"
_DEFAULT = "job:jobmanager.scheduler=Default cluster:jobmanager.scheduler=Default"
_PIPELINED = "job:execution.batch-shuffle-mode=ALL_EXCHANGES_PIPELINED"
_CHECKPOINTS = "job:execution.checkpointing.interval=500"


def override(value: str, place: str = "cluster") -> str:
    """The words of an override of the second task."""
    return f"{place}:pipeline.jobvertex-parallelism-overrides={TASK}{value}"


QUESTIONS = (
    f"1 8 keyed 2 2 {override(':4')}",
    f"1 8 keyed 2 2 {override(':4', 'job')}",
    f"1 8 keyed 2 2 {override(':3')} {override(':4', 'job')}",
    f"1 8 keyed 2 2 {override(':0')}",
    f"1 8 keyed 2 2 {override(':x')}",
    f"1 8 keyed 2 2 {override('')}",
    f"1 8 keyed 2 2 {override(':4')} max=3",
    f"1 100 keyed 2 2 {override(':90')}",
    f"1 8 forward 2 2 {override(':4')}",
    f"1 8 forward 2 2 {override(':3')}",
    f"1 8 forward 4 4 {override(':2')}",
    f"1 2 keyed 2 2 {override(':4')}",
    f"1 8 keyed 2 2 {_ADAPTIVE} {override(':4')}",
    "1 1 keyed 2 2",
    f"1 2 keyed 8 8 {_ADAPTIVE}",
    f"1 4 keyed 100 100 {_ADAPTIVE}",
    f"1 4 groups 4 4 {_ADAPTIVE}",
    f"1 5 groups 4 1 {_ADAPTIVE}",
    f"1 1 groups 1 1 {_ADAPTIVE}",
    "1 4 keyed 2 2 cluster:scheduler-mode=reactive",
    f"1 8 keyed 2 2 {_ADAPTIVE} {_CHECKPOINTS} rescale=4",
    f"1 8 keyed 2 2 {_ADAPTIVE} rescale=4",
    f"1 8 keyed 2 2 {_ADAPTIVE} {_CHECKPOINTS} rescale=200",
    "1 8 keyed 2 2 cluster:jobmanager.scheduler=AdaptiveBatch",
    "1 2 batch 8 8",
    f"1 2 batch 8 8 {_ADAPTIVE} job:jobmanager.scheduler=adaptive",
    f"1 4 batch 2 2 {_PIPELINED}",
    f"1 4 batch 2 2 {_DEFAULT} {_PIPELINED}",
    f"1 2 batch 8 8 {_DEFAULT} {_PIPELINED}",
)


def asked(version: str, folder: Path) -> list[dict[str, Any]]:
    """The questions with a release's answers."""
    jars = lib(version)
    reported = answers("AskSchedulers", jars, classes("AskSchedulers", folder, jars), QUESTIONS)
    return [
        {"flink": version, "question": question, "answer": msgspec.json.decode(answer)}
        for question, answer in zip(QUESTIONS, reported, strict=True)
    ]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        found = [one for version in VERSIONS for one in asked(version, Path(made))]
    text = b"".join(msgspec.json.encode(one) + b"\n" for one in found)
    (GOLDEN / "schedulers.jsonl.gz").write_bytes(gzip.compress(text, 9, mtime=0))
