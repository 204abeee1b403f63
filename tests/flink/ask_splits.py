"""Writes ``splits.jsonl.gz``: programs with split and select, asked of sixteen releases.

``python -m tests.flink.ask_splits``: a release that has both answers with graphs and rows or with
its refusal; of one that does not, the answer is what javac says of the first program.
"""

import gzip
import json
import subprocess
import tempfile
from pathlib import Path

from tests.capture.flinks import lib
from tests.deployment.ask_network import RELEASES
from tests.deployment.asking import answers, classes
from tests.flink.all_releases import PROGRAMS
from tests.golden_files import GOLDEN

QUESTIONS = (
    *("two", "names", "all", "one", "keyed", "partitioned", "union", "twice", "undeclared"),
    *("joined", "same twice", "nested", "no split", "split a mapped select", "unchained"),
    *("split a split", "split a select", "split a keyed select", "split a union of selects"),
    *("split a side output", "split then side output", "side output then split"),
    *("side output and a split partition", "loop", "loop head", "batch exchange"),
)


def _asked(version: str, folder: Path) -> list[str]:
    jars = lib(version)
    try:
        made = classes("AskSplits", folder, jars, PROGRAMS)
    except subprocess.CalledProcessError as failed:
        missing = [
            line.split("error: ")[1]
            for line in failed.stderr.decode().splitlines()
            if "error: " in line and "package" in line
        ]
        absent = json.dumps({"absent": missing[0]})
        return [absent, *("null" for _ in QUESTIONS[1:])]
    return answers("AskSplits", jars, made, QUESTIONS)


def _write() -> None:
    shared: dict[tuple[str, str], list[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for version in RELEASES:
            for question, answer in zip(QUESTIONS, _asked(version, Path(folder)), strict=True):
                shared.setdefault((question, answer), []).append(version.rpartition(".")[0])
    lines = (
        json.dumps({"question": question, "versions": versions, **json.loads(answer)})
        for (question, answer), versions in shared.items()
        if answer != "null"
    )
    text = "".join(f"{line}\n" for line in lines)
    (GOLDEN / "splits.jsonl.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    _write()
