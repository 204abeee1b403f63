"""Writes ``splits.jsonl.gz``: programs with split and select, asked of sixteen releases.

``python -m tests.flink.ask_splits``: a release that has both answers with graphs and rows or with
its refusal; of one that does not, the answer is what javac says of the first program.
"""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.flink.all_releases import ask_all, ask_program

QUESTIONS = (
    *("two", "names", "all", "one", "keyed", "partitioned", "union", "twice", "undeclared"),
    *("joined", "same twice", "nested", "no split", "split a mapped select", "unchained"),
    *("split a split", "split a select", "split a keyed select", "split a union of selects"),
    *("split a side output", "split then side output", "side output then split"),
    *("side output and a split partition", "loop", "loop head", "batch exchange"),
)


def _ask(program: str, version: str, folder: Path, questions: Sequence[str]) -> Sequence[str]:
    try:
        return ask_program(program, version, folder, questions)
    except subprocess.CalledProcessError as failed:
        missing = [
            line.split("error: ")[1]
            for line in failed.stderr.decode().splitlines()
            if "error: " in line and "package" in line
        ]
        absent = json.dumps({"absent": missing[0]})
        return [absent, *("null" for _ in questions[1:])]


if __name__ == "__main__":
    ask_all("AskSplits", QUESTIONS, "splits", ask=_ask)
