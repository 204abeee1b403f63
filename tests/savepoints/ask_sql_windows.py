"""Ask clusters which records of open windows of SQL come out after a restore into other windows.

``python -m tests.savepoints.ask_sql_windows`` writes ``sql_window_restores.jsonl.gz``, a line for
each pair: ``old_description`` and ``new_description``, the operators as the planner describes them;
``flink``, ``restored`` or the exception; ``ids`` and ``times``, how many records from before the
savepoint came out, and how often; ``windows``, those with such records, as KEY[START,END)OLD+NEW.
``programs/AskSqlWindows.java`` explains how windows are written.
"""

import gzip
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.capture.flinks import jar_of, lib
from tests.golden_files import GOLDEN
from tests.quick_java import QUICK

VERSIONS: Final = ("1.20.5", "2.2.1")
FILE: Final = GOLDEN / "sql_window_restores.jsonl.gz"
PROGRAM: Final = Path(__file__).parent / "programs" / "AskSqlWindows.java"
QUESTIONS: Final = (
    "t10,t20,h20/10,h20/5,c20/10,c30/10",
    "t10,t20,t10o3",
    "1t10,1t20,1h20/10,1c20/10,s10,s20",
    "gt10,gt20,gh20/10,gh20/5,gs10,gs20",
    "1t10,gt10",
    "s10,gs10",
)
"""Lists of kinds, of which every pair is asked; the file lacks some pairs of 1.20.5."""


def main() -> None:
    """Ask both releases and write the file."""
    lines = [f"{line}\n" for version in VERSIONS for line in ask(version)]
    FILE.write_bytes(gzip.compress("".join(lines).encode(), 9, mtime=0))


def ask(version: str) -> Iterator[str]:
    """Yield a line for each pair that the program prints."""
    with tempfile.TemporaryDirectory() as folder:
        jar = jar_of(PROGRAM, version, Path(folder))
        class_path = os.pathsep.join(map(str, [jar, *lib(version).glob("*.jar")]))
        java = ["java", *QUICK, "-cp", class_path, PROGRAM.stem, folder, version, *QUESTIONS]
        printed = subprocess.run(java, check=True, stdout=subprocess.PIPE, text=True)
    for line in printed.stdout.splitlines():
        if line.startswith("{"):
            yield json.dumps(json.loads(line))


if __name__ == "__main__":
    main()
