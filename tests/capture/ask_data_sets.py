"""Writes ``data_set_programs.jsonl.gz``: the DataSet program of programs/, captured from releases.

``python -m tests.capture.ask_data_sets`` asks four releases; IDs differ each time.
"""

import gzip
import tempfile
from pathlib import Path

import msgspec

import explorer
from tests.capture.flinks import jar, lib
from tests.golden_files import GOLDEN

RELEASES = ("1.10.3", "1.13.6", "1.17.2", "1.20.5")

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        lines = []
        for version in RELEASES:
            program = jar("DataSets", version, Path(folder))
            (document,) = explorer.capture(program, flink_lib=lib(version), parallelism=2)
            lines.append(msgspec.json.encode(document) + b"\n")
    (GOLDEN / "data_set_programs.jsonl.gz").write_bytes(gzip.compress(b"".join(lines), 9, mtime=0))
