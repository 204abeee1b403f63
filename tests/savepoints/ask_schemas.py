"""Ask every release which serializers it reads, and write ``tests/golden/serializers.jsonl.gz``.

``python -m tests.savepoints.ask_schemas RELEASE...``: the releases' jars lie in the cache.
"""

import gzip
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.golden_files import GOLDEN

PROGRAM = Path(__file__).parent / "programs" / "SchemaFacts.java"
CACHE = Path.home() / ".cache" / "streamgraph-explorer" / "flink"
OPENS = ("java.base/java.lang", "java.base/java.util")


def tool(name: str) -> str:
    """The path of a Java tool; ends the program where it is not installed."""
    found = shutil.which(name)
    if found is None:
        sys.exit(f"{name} is not installed")
    return found


def answers(version: str) -> list[tuple[str, str, str, str]]:
    """By case: its name, the release's answer, the old snapshot and the new one in base64."""
    jars = ":".join(map(str, (CACHE / version / "lib").glob("*.jar")))
    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder, "saved")
        saved.mkdir()
        lines = ""
        for number, mode in (("1", "write"), ("2", "ask")):
            place = Path(folder, number)
            place.mkdir()
            source = PROGRAM.read_text().replace(f"//{number} ", "")
            Path(place, PROGRAM.name).write_text(source)
            subprocess.run(
                [tool("javac"), "-nowarn", "-cp", jars, PROGRAM.name],
                cwd=place,
                check=True,
                timeout=120,
            )
            opens = [part for each in OPENS for part in ("--add-opens", f"{each}=ALL-UNNAMED")]
            lines = subprocess.run(
                [tool("java"), *opens, "-cp", f"{place}:{jars}", PROGRAM.stem, mode, str(saved)],
                check=True,
                timeout=120,
                capture_output=True,
                text=True,
            ).stdout
    rows = (line.split("\t") for line in lines.splitlines() if line.count("\t") == 3)
    return [(name, answer, before, after) for name, answer, before, after in rows]


def main(versions: list[str]) -> None:
    """One line a case: its name, its snapshots, and the answers by release."""
    cases: dict[tuple[str, str, str], dict[str, str]] = {}
    for version in versions:
        for name, answer, before, after in answers(version):
            cases.setdefault((name, before, after), {})[version] = answer
    lines = [
        json.dumps({"name": name, "before": before, "after": after, "flink": reported})
        for (name, before, after), reported in cases.items()
    ]
    place = GOLDEN / "serializers.jsonl.gz"
    place.write_bytes(gzip.compress("\n".join(lines).encode(), 9, mtime=0))


if __name__ == "__main__":
    main(sys.argv[1:])
