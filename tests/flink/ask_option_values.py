"""How releases read texts as values of options.

``python -m tests.flink.ask_option_values FOLDER...`` asks the lib folders of installations
(``AskOptionValues.java``) and writes ``tests/golden/option_values.jsonl.gz``: a line for each
release, with the answers in the order of ``TEXTS``.
"""

import gzip
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import which
from typing import Final

from tests.golden_files import GOLDEN

SOURCE: Final = Path(__file__).with_name("AskOptionValues.java")
BY_TYPE: Final[Mapping[str, Sequence[str]]] = {
    "Boolean": ("true", "TRUE", "yes", "1", "", " true", "false ", "ture"),
    "Integer": (
        *("4", "+4", "-4", " 4", "4 ", "04", "1_000", "4.0", "abc", "", "2147483648"),
        *("-2147483648", "0x10", "1e3"),
    ),
    "Long": ("4", "9223372036854775807", "9223372036854775808", "4l", "abc", "", " 5"),
    "Float": (
        *("0.5", ".5", "5.", "1e3", "abc", "", "NaN", "Infinity", "0,5", " 0.5 ", "1e50", "0.5f"),
        *("0x1p3", "1d"),
    ),
    "Double": ("0.5", ".5", "1e400", "abc", "", "NaN", "0,5", " 0.5 ", "0.5d", "1e-400"),
    "Duration": (
        *("10", "10 s", "10s", "10 seconds", "10 Sec", "1.5 s", "", "-1", "abc", "10 parsecs"),
        *("1 min", "1m", "2 h", "3 days", "5 µs", "9223372036854775808", "9223372036854775807"),
        *("10 s 5 ms", " 10 ", "10 S", "PT10S", "PT-1S", "P1D", "+5 s", "99999999999999999 d"),
        *("-1 ms", "60 sekunden"),
    ),
    "MemorySize": (
        *("10", "10 mb", "10MB", "10 MiB", "1g", "1.5g", "", "-1", "abc", "64 kb", "5 petabytes"),
        *("10 k", "9223372036854775808", "99999999999 tb", " 10 m ", "4096M", "10 b", "1 t"),
    ),
    "Map": (
        *("a:1,b:2", "a", "", "a:1:2", "a:1,b", "{a: 1, b: 2}", "{a: 1", "a: 1", "'a:b':c"),
        *("a:'1,2'", "a:b,c: d:e"),
    ),
    "enum": ("SECONDS", "seconds", "Days", "foo", "", " DAYS", "days "),
    "List<String>": ("a;b", "a,b", "[a, b]", "[a", "", "a", "'a;b';c", "'a", '"a', "'a'b"),
    "List<Integer>": ("1;2", "1,2", "[1, 2]", "[a]", "", "a;b", "1; 2"),
    "List<enum>": ("SECONDS;DAYS", "[SECONDS]", "foo"),
    "List<Map>": ("a:1;b:2", "[{a: 1}]", "x"),
    "String": ("", " a ", "'a'"),
}
"""Texts by type; the enum is ``java.util.concurrent.TimeUnit``."""
TEXTS: Final = tuple((name, text) for name, texts in BY_TYPE.items() for text in texts)


def ask(lib: Path, classes: str) -> list[str]:
    """The value of each text, or ``!`` and the exception's message."""
    file = Path(classes, "texts")
    file.write_text("\n".join("\t".join(pair) for pair in TEXTS), encoding="utf-8")
    java = which("java") or ""
    answer = subprocess.run(
        [java, "-Xmx300m", "-cp", classes, "AskOptionValues", lib, file],
        check=True,
        capture_output=True,
        text=True,
    )
    return [line.split("\t")[0] for line in answer.stdout.split("\n")[: len(TEXTS)]]


def main(folders: Sequence[str]) -> None:
    """Ask the folders, in the order of their releases."""
    lines = []
    with tempfile.TemporaryDirectory() as classes:
        subprocess.run([which("javac") or "", "-d", classes, SOURCE], check=True)
        for folder in map(Path, folders):
            release = folder.parent.name.rpartition(".")[0]
            lines.append(json.dumps({"release": release, "answers": ask(folder, classes)}))
    packed = gzip.compress("\n".join(lines).encode(), mtime=0)
    (GOLDEN / "option_values.jsonl.gz").write_bytes(packed)


if __name__ == "__main__":
    main(sys.argv[1:])
