"""Writes ``processes.jsonl.gz``: a DataStream V2 program as released Flinks capture it.

``python -m tests.capture.ask_processes [VERSION...]``: a line a version, the captured document.
"""

import gzip
import json
import sys
import tempfile
from pathlib import Path
from typing import Final

import explorer
from tests.capture.flinks import jar, lib
from tests.golden_files import GOLDEN

VERSIONS: Final = ("2.0.2", "2.2.1", "2.3.0")


def main() -> None:
    """Write the file anew."""
    lines = []
    for version in sys.argv[1:] or VERSIONS:
        with tempfile.TemporaryDirectory() as folder:
            program = jar("Processes", version, Path(folder))
            (document,) = explorer.capture(program, flink_lib=lib(version))
            lines.append(json.dumps(document, ensure_ascii=False))
    text = "".join(f"{line}\n" for line in lines)
    (GOLDEN / "processes.jsonl.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main()
