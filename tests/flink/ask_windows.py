"""Writes ``windows.jsonl.gz``: how sixteen releases name count windows and windows with late rows.

``python -m tests.flink.ask_windows`` asks every release; a line holds the answers that releases
share.
"""

import gzip
import json
import tempfile
from pathlib import Path
from typing import Any

from tests.capture.flinks import lib
from tests.deployment.ask_network import RELEASES
from tests.deployment.asking import answers, classes
from tests.golden_files import GOLDEN

QUESTIONS = ("count 3", "slide 5 2", "late 700 100")
PROGRAMS = Path(__file__).parent / "programs"


def main() -> None:
    """Ask, and write what was said."""
    shared: dict[tuple[str, str], list[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for version in RELEASES:
            jars = lib(version)
            made = classes("AskWindows", Path(folder), jars, PROGRAMS)
            for question, answer in zip(
                QUESTIONS, answers("AskWindows", jars, made, QUESTIONS), strict=True
            ):
                shared.setdefault((question, answer), []).append(version.rpartition(".")[0])
    lines: list[dict[str, Any]] = [
        {"question": question, "versions": versions, **json.loads(answer)}
        for (question, answer), versions in shared.items()
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (GOLDEN / "windows.jsonl.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main()
