"""Ask every release for the headers of its state files, and write ``state_headers.jsonl.gz``.

``python -m tests.savepoints.ask_headers RELEASE...``: the releases' jars lie in the cache.
"""

import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.golden_files import GOLDEN
from tests.savepoints.ask_schemas import CACHE, tool

PROGRAM = Path(__file__).parent / "programs" / "HeaderFacts.java"


def headers(version: str) -> tuple[str, str]:
    """The headers of a keyed and of an operator backend, in base64."""
    jars = ":".join(map(str, (CACHE / version / "lib").glob("*.jar")))
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [tool("javac"), "-nowarn", "-d", folder, "-cp", jars, str(PROGRAM)],
            check=True,
            timeout=120,
        )
        lines = subprocess.run(
            [tool("java"), "-cp", f"{folder}:{jars}", PROGRAM.stem],
            check=True,
            timeout=120,
            capture_output=True,
            text=True,
        ).stdout.splitlines()
    keyed, operator = (line for line in lines if " " not in line)
    return keyed, operator


def main(versions: list[str]) -> None:
    """One line for the releases that write the same bytes."""
    found: dict[tuple[str, str], list[str]] = {}
    for version in versions:
        found.setdefault(headers(version), []).append(version)
    lines = [
        json.dumps({"keyed": keyed, "operator": operator, "versions": listed})
        for (keyed, operator), listed in found.items()
    ]
    place = GOLDEN / "state_headers.jsonl.gz"
    place.write_bytes(gzip.compress("\n".join(lines).encode(), 9, mtime=0))


if __name__ == "__main__":
    main(sys.argv[1:])
