"""What the jars of all releases declare as options, and which of it a plan needs.

``python -m tests.flink.ask_options FOLDER...`` asks the lib folders (``AskOptions.java``), writes
``tests/golden/options.jsonl.gz`` and derives ``explorer/flink/changed_options.json``.
"""

import gzip
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from shutil import which
from typing import Any, Final

from tests.golden_files import GOLDEN, cases

SOURCE: Final = Path(__file__).with_name("AskOptions.java")
DERIVED: Final = Path(__file__).parents[2] / "explorer" / "flink" / "changed_options.json"
UNITS: Final = {"ms": 1, "s": 1_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}
SIZES: Final = {"bytes": 1, "b": 1, "kb": 1 << 10, "mb": 1 << 20, "m": 1 << 20, "gb": 1 << 30}
NOTHING: Final = {"", "null", "[]", "{}"}


def ask(lib: Path) -> dict[str, list[str]]:
    """By key, the default and the older keys that the jars of a folder declare."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([which("javac") or "", "-d", folder, SOURCE], check=True)
        done = subprocess.run(
            [which("java") or "", "-Xmx400m", "-cp", folder, "AskOptions", lib],
            check=True,
            capture_output=True,
            text=True,
        )
    rows = (line.split("\t") for line in done.stdout.splitlines())
    return {key: [default, older] for key, default, older in rows}


def derive(releases: Sequence[tuple[str, Mapping[str, Sequence[str]]]]) -> dict[str, Any]:
    """Keys that a release removed or added again, and defaults that are other values."""
    known = [
        (release, {*options, *(key for _, older in options.values() for key in older.split())})
        for release, options in releases
    ]
    keys = sorted({key for _, all_keys in known for key in all_keys})
    presence = {key: _changes([(r, key in all_keys) for r, all_keys in known]) for key in keys}
    defaults = {
        key: _changes([(r, o[key][0]) for r, o in releases if key in o], _as_value) for key in keys
    }
    return {
        "presence": {key: row for key, row in presence.items() if _is_removed(row)},
        "defaults": {key: row for key, row in defaults.items() if _has_two_values(row)},
    }


def _changes(
    row: Sequence[tuple[str, Any]], value: Callable[[Any], object] = lambda one: one
) -> dict[str, Any]:
    """By release, each entry that differs from the one before it."""
    found: dict[str, Any] = {}
    last: object = None
    for release, one in row:
        if not found or value(one) != last:
            found[release] = one
        last = value(one)
    return found


def _is_removed(row: Mapping[str, bool]) -> bool:
    states = [*row.values()]
    return any(before and not after for before, after in pairwise(states))


def _has_two_values(row: Mapping[str, str]) -> bool:
    return len({_as_value(one) for one in row.values() if one not in NOTHING}) > 1


def _as_value(text: str) -> object:
    """A default as a value: releases spell one duration or size in several ways."""
    found = re.fullmatch(r"(-?\d+(?:\.\d+)?) ?([a-z]*)", text.lower())
    if found is None:
        return re.sub(r"\$[0-9a-f]+", "", text.upper().replace("-", "_"))
    factor = {**UNITS, **SIZES}.get(found[2], 1)
    return float(found[1]) * factor


def golden() -> list[tuple[str, dict[str, list[str]]]]:
    return [(each["release"], each["options"]) for each in cases("options")]


def main(folders: Sequence[str]) -> None:
    """Ask the folders, in the order of their releases."""
    lines = []
    for folder in folders:
        version = Path(folder).parent.name
        release = version.rpartition(".")[0]
        line = {"release": release, "version": version, "options": ask(Path(folder))}
        lines.append(json.dumps(line, sort_keys=True))
    packed = gzip.compress("\n".join(lines).encode(), mtime=0)
    (GOLDEN / "options.jsonl.gz").write_bytes(packed)
    DERIVED.write_text(json.dumps(derive(golden()), indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
