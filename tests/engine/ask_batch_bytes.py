"""Writes ``batch_bytes.jsonl.gz``: the bytes that tasks of BATCH jobs send on real clusters.

``python -m tests.engine.ask_batch_bytes VERSION...`` asks these versions, whose jars
`python -m explorer flink install` brings, and keeps the answers of others. A line: ``version``,
``question``, the words that ``AskBatchBytes.java`` reads, and ``bytes``, its answer.
"""

import gzip
import json
import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import Any, Final

from tests.capture.flinks import lib
from tests.deployment.asking import answers, classes
from tests.golden_files import GOLDEN, cases

MODES: Final = (
    "ALL_EXCHANGES_BLOCKING",
    "ALL_EXCHANGES_HYBRID_FULL",
    "ALL_EXCHANGES_HYBRID_SELECTIVE",
)
EDGES: Final = ("FORWARD", "RESCALE", "REBALANCE", "BROADCAST", "HASH")
QUESTIONS: Final = tuple(f"{mode} {edge} 10" for mode, edge in product(MODES, EDGES))
FILE: Final = GOLDEN / "batch_bytes.jsonl.gz"


def ask(version: str, folder: Path) -> list[dict[str, Any]]:
    """What a version answers to each question."""
    program = classes("AskBatchBytes", folder, lib(version), Path(__file__).parent / "programs")
    return [
        {"version": version, "question": question, "bytes": int(answer)}
        for question, answer in zip(
            QUESTIONS, answers("AskBatchBytes", lib(version), program, QUESTIONS), strict=True
        )
    ]


def main(versions: list[str]) -> None:
    """Ask these versions anew."""
    earlier = cases("batch_bytes") if FILE.exists() else ()
    lines = [case for case in earlier if case["version"] not in versions]
    with tempfile.TemporaryDirectory() as folder:
        for version in versions:
            lines += ask(version, Path(folder))
    lines.sort(key=lambda case: [int(part) for part in case["version"].split(".")])
    text = "".join(json.dumps(line) + "\n" for line in lines)
    FILE.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main(sys.argv[1:])
