"""Writes ``expressions.jsonl.gz``: what Flink 2.2's SQL makes of expressions, row by row.

``python -m tests.engine.rows.ask_expressions`` asks for all anew.
"""

import gzip
import json
import tempfile
from pathlib import Path
from typing import Any

from tests.capture.flinks import lib
from tests.deployment.asking import answers, classes
from tests.engine.rows.asked_expressions import EXPRESSIONS, flink_table
from tests.golden_files import GOLDEN

VERSION = "2.2.1"
FILE = GOLDEN / "expressions.jsonl.gz"
PROGRAMS = Path(__file__).parent / "programs"


def reported(expression: str, answer: str) -> dict[str, Any]:
    """An answer's line as it is kept."""
    kind, *values = answer.replace("\3", "\n").split("\1")
    if kind == "error":
        return {"expression": expression, "error": values[0]}
    shown = [None if value == "\2" else value for value in values]
    return {"expression": expression, "type": kind, "values": shown}


def main() -> None:
    """Ask, and write what was answered."""
    with tempfile.TemporaryDirectory() as folder:
        made = classes("Expressions", Path(folder), lib(VERSION), PROGRAMS)
        found = answers("Expressions", lib(VERSION), made, [flink_table(), *EXPRESSIONS])
    lines = [
        json.dumps(reported(one, answer), ensure_ascii=False)
        for one, answer in zip(EXPRESSIONS, found, strict=True)
    ]
    with FILE.open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as file:
        file.write("".join(f"{line}\n" for line in lines).encode())


if __name__ == "__main__":
    main()
