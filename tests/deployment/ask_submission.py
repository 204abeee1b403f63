"""Writes ``submission.jsonl.gz``: which of the calls that a step may name a release has.

``python -m tests.deployment.ask_submission`` lets javap look into the jars of every release.
"""

import gzip
import re
import shutil
import subprocess
from collections import defaultdict
from itertools import chain
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import msgspec

from explorer.deployment.submission_rows import submission_rows
from explorer.flink.releases import VERSIONS, value_in
from tests.capture.flinks import lib
from tests.deployment.ask_network import RELEASES
from tests.golden_files import GOLDEN
from tests.quick_java import QUICK_TOOL

_CLASS = re.compile(r"(?:[a-z]+ )*(?:class|interface|enum) ([\w.$]+)")
_METHOD = re.compile(r"  .*?([\w$]+)\(.*\)")


def named() -> list[str]:
    """Every call that any row names for any release."""
    rows = chain(*submission_rows().values())
    values = {value_in(row.call, version) for row in rows for version in VERSIONS} - {""}
    return sorted(f"org.apache.flink.{value}" for value in values)


def methods(jar: Path, classes: list[str]) -> dict[str, set[str]]:
    """By class, the names of its own methods."""
    names = set(ZipFile(jar).namelist())
    have = [one for one in classes if f"{one.replace('.', '/')}.class" in names]
    javap = shutil.which("javap")
    assert javap, "javap comes with the Java compiler; .ci/browser-and-java brings it"
    command = [javap, *QUICK_TOOL, "-p", "-cp", str(jar), *have]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: defaultdict[str, set[str]] = defaultdict(set)
    current = ""
    for line in done.stdout.splitlines():
        if match := _CLASS.match(line):
            current = match[1]
        elif match := _METHOD.match(line):
            found[current].add(match[1])
    return found


def asked(version: str) -> dict[str, Any]:
    """The release, and those of the calls that it has."""
    calls = named()
    (jar,) = lib(version).glob("flink-dist*.jar")
    found = methods(jar, sorted({call.partition("#")[0] for call in calls}))
    has = [call for call in calls if call.partition("#")[2] in found[call.partition("#")[0]]]
    return {"version": version.rpartition(".")[0], "calls": has}


if __name__ == "__main__":
    text = b"".join(msgspec.json.encode(asked(version)) + b"\n" for version in RELEASES)
    (GOLDEN / "submission.jsonl.gz").write_bytes(gzip.compress(text, 9, mtime=0))
