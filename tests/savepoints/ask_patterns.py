"""Ask clusters what becomes of saved partial matches when a pattern changes.

``python -m tests.savepoints.ask_patterns`` writes ``pattern_restores.jsonl.gz``: for each release a
line with the captured ``document`` of each pattern and, of an old one, the ``metadata`` of its
savepoint in base64; then a line for each pair with ``flink``, ``restored`` or the exception, and
``matches``, those with events from before the savepoint. ``programs/AskPatterns.java`` explains
how patterns and matches are written.
"""

import base64
import gzip
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from explorer.capture import capture
from tests.capture.flinks import jar_of, lib
from tests.golden_files import GOLDEN
from tests.quick_java import QUICK

VERSIONS: Final = ("1.20.5", "2.2.1")
FILE: Final = GOLDEN / "pattern_restores.jsonl.gz"
PROGRAM: Final = Path(__file__).parent / "programs" / "AskPatterns.java"
PAIRS: Final[dict[str, tuple[str, ...]]] = {
    "a,b,c": (
        *("a,b,c", "a,b,c,d", "a,d,b,c", "z,a,b,c", "a,b,x=d,c"),
        *("a,c", "b,c", "a,b", "a,x=b,c", "x=a,b,c", "a,b,x=c", "b,a,c"),
        *("a,b=d,c", "a,b+,c", "a,b?,c", "a,b*,c", "a,b2,c", "a,>b,c", "a,~b,c", "a,!b,c"),
        *("a,b,c/w3600000", "a,b,c/w1", "a,b,c/past", "a,b,c/next", "a,b,c/firstb"),
    ),
    "a,b+,c": ("a,b+,c", "a,b,c", "a,b?,c", "a,b*,c", "a,b2,c", "a,c", "a,x+=b,c", "a,b+,d,c"),
    "a,b?,c": ("a,b?,c", "a,b,c", "a,b+,c", "a,c"),
    "a,b*,c": ("a,b*,c", "a,b,c", "a,b+,c"),
    "a,b2,c": ("a,b2,c", "a,b,c", "a,b+,c"),
    "a,!b,c": ("a,!b,c", "a,c", "a,!d,c", "a,b,c"),
    "a,>b,c": ("a,>b,c", "a,b,c", "a,c"),
    "a,b,c/w3600000": ("a,b,c/w3600000", "a,b,c", "a,b,c/w7200000", "a,b,c/w1"),
    "a,b,c/past": ("a,b,c/past", "a,b,c", "a,b,c/next"),
}
"""The new patterns by the old one."""


def main() -> None:
    """Ask both releases and write the file."""
    lines = [json.dumps(line) for version in VERSIONS for line in ask(version)]
    FILE.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode(), 9, mtime=0))


def ask(version: str) -> Iterator[dict[str, Any]]:
    """Run every pair in one JVM, and capture every pattern in another."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        jar = jar_of(PROGRAM, version, folder)
        runs = list(run_pairs(version, jar, folder))
        patterns = list(dict.fromkeys((*PAIRS, *(new for news in PAIRS.values() for new in news))))
        documents = capture(jar, patterns, flink_lib=lib(version), main_class=PROGRAM.stem)
        savepoints = {run["old"]: read_metadata(run.pop("savepoint")) for run in runs}
        for pattern, document in zip(patterns, documents, strict=True):
            metadata = savepoints.get(pattern)
            yield {
                "version": version,
                "pattern": pattern,
                "document": document,
                **({"metadata": metadata} if metadata else {}),
            }
        yield from runs


def run_pairs(version: str, jar: Path, folder: Path) -> Iterator[dict[str, Any]]:
    """Yield what the program prints for each pair."""
    class_path = os.pathsep.join(map(str, [jar, *lib(version).glob("*.jar")]))
    pairs = [f"{old}:{new}" for old, news in PAIRS.items() for new in news]
    java = ["java", *QUICK, "-cp", class_path, PROGRAM.stem, str(folder), version, *pairs]
    printed = subprocess.run(java, check=True, stdout=subprocess.PIPE, text=True)
    lines = printed.stdout.splitlines()
    yield from (json.loads(line) for line in lines if line.startswith('{"version"'))


def read_metadata(savepoint: str) -> str:
    """Return a savepoint's metadata, which holds all of its state, in base64."""
    file = Path(unquote(urlsplit(savepoint).path)) / "_metadata"
    return base64.b64encode(file.read_bytes()).decode()


if __name__ == "__main__":
    main()
