"""The golden files: what sixteen released Flinks printed, and how to compare with it."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).parent / "golden"


def cases(name: str) -> Iterator[dict[str, Any]]:
    """The cases of one file: ``name``, ``pipeline`` and ``flink``, the outcomes by releases."""
    with gzip.open(GOLDEN / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def differences(wanted: Any, found: Any, path: str = "") -> list[str]:
    """Where ``found`` is not what ``wanted`` says; members that only ``found`` has are its own."""
    if isinstance(wanted, dict):
        if not isinstance(found, dict):
            absent = found is None and all(value is None for value in wanted.values())
            return [] if absent else [f"{path}: {wanted} is {found}"]
        return [
            line
            for key in wanted
            for line in differences(wanted[key], found.get(key), f"{path}.{key}")
        ]
    if isinstance(wanted, list):
        if not isinstance(found, list) or len(found) != len(wanted):
            return [f"{path}: {wanted} is {found}"]
        return [
            line
            for position, (a, b) in enumerate(zip(wanted, found, strict=True))
            for line in differences(a, b, f"{path}[{position}]")
        ]
    return (
        []
        if wanted == found and isinstance(wanted, bool) == isinstance(found, bool)
        else [f"{path}: {wanted!r} is {found!r}"]
    )
