"""Which of Flink's own operators register state, as the jars of released Flinks hold them.

``python -m tests.flink.ask_state_calls FOLDER...`` reads installations (``lib`` and ``opt``) and
writes ``tests/golden/state_calls.jsonl.gz``: a line for each release, by operator class the calls
in it and its superclasses that register state or timers.
"""

import gzip
import json
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from explorer.capture.installation import find_installation
from explorer.documents.readers.class_files import ClassFile, read_class
from tests.golden_files import GOLDEN

JARS: Final = re.compile(r"flink-(dist|table-runtime|table-blink|cep|python)[_-].*\.jar")
OPERATORS: Final = re.compile(
    r"org/apache/flink/(?!.*(shaded|optimizer|api/java)).*Operator(\$\w+)?\.class"
)
ABSTRACT: Final = 0x0400
CALLS: Final = frozenset(
    {
        *("getInternalTimerService", "getOrCreateKeyedState", "getPartitionedState", "getState"),
        *("getMapState", "getListState", "getUnionListState", "getBroadcastState"),
    }
)


def ask(folder: Path) -> dict[str, Any]:
    """The release of an installation, and by class the calls that register state."""
    classes = {one.name: one for one in _operators(folder)}

    def calls(name: str | None) -> set[str]:
        one = classes.get(name or "")
        return set() if one is None else _own_calls(one) | calls(one.super_name)

    concrete = sorted(name for name, one in classes.items() if not one.access & ABSTRACT)
    return {
        "version": find_installation(folder / "lib").version,
        "calls": {name: sorted(calls(name)) for name in concrete},
    }


def _operators(folder: Path) -> Iterator[ClassFile]:
    for jar in sorted(folder.glob("*/*.jar")):
        if JARS.fullmatch(jar.name):
            with zipfile.ZipFile(jar) as archive:
                names = filter(OPERATORS.fullmatch, archive.namelist())
                yield from (read_class(archive.read(name)) for name in names)


BASES: Final = re.compile(r".*/Abstract(Async\w*)?(Udf)?StreamOperator(V2)?")
"""Superclasses of all operators, which declare these methods themselves."""


def _own_calls(one: ClassFile) -> set[str]:
    if BASES.fullmatch(one.name):
        return set()
    return {call.name for method in one.methods for _, call in one.calls(method)} & CALLS


if __name__ == "__main__":
    lines = [json.dumps(ask(Path(folder)), sort_keys=True) for folder in sys.argv[1:]]
    target = GOLDEN / "state_calls.jsonl.gz"
    target.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
