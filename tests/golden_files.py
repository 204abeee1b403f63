"""The golden files: what sixteen released Flinks printed, and how to compare with it."""

import gzip
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

GOLDEN = Path(__file__).parent / "golden"

FILES = ("classics", "random", "constructs")
"""Those that hold whole compilations, by every release that accepts them."""
NAMED_AND_RANDOM = ("classics", pytest.param("random", marks=pytest.mark.law), "constructs")
"""The same for a test to be given: what holds for hundreds of random programs is a law."""


def cases(name: str) -> Iterator[dict[str, Any]]:
    """The cases of one file: ``name``, ``pipeline`` and ``flink``, the outcomes by releases.

    They are the caller's own, to change as it likes.
    """
    return map(msgspec.json.decode, _lines(name))


@cache
def _lines(name: str) -> list[bytes]:
    """The lines of one file, unpacked once: it is read for every release."""
    return gzip.decompress((GOLDEN / f"{name}.jsonl.gz").read_bytes()).splitlines()


def as_printed(members: dict[str, Any]) -> Any:
    """The members as one who reads their JSON has them."""
    return msgspec.json.decode(msgspec.json.encode(members))


def iterations_before(outcome: dict[str, Any]) -> int:
    """How many iterations the JVM that printed this had numbered for other programs."""
    ids = [node["id"] for node in outcome.get("stream_graph", {}).get("nodes", [])]
    newest = max((id for id in ids if id < 0), default=-1)
    return (-newest - 1) // 2


def differences(wanted: Any, found: Any, path: str = "") -> list[str]:
    """Where ``found`` is not what ``wanted`` says; members that only ``found`` has are its own."""
    if isinstance(wanted, dict):
        if not isinstance(found, dict):
            absent = found is None and all(value is None for value in wanted.values())
            return [] if absent else [f"{path}: {wanted} is {found}"]
        return [
            line
            for key, value in wanted.items()
            if not _same(value, found.get(key))
            for line in differences(value, found.get(key), f"{path}.{key}")
        ]
    if isinstance(wanted, list):
        if not isinstance(found, list) or len(found) != len(wanted):
            return [f"{path}: {wanted} is {found}"]
        return [
            line
            for position, (a, b) in enumerate(zip(wanted, found, strict=True))
            if not _same(a, b)
            for line in differences(a, b, f"{path}[{position}]")
        ]
    return (
        []
        if wanted == found and isinstance(wanted, bool) == isinstance(found, bool)
        else [f"{path}: {wanted!r} is {found!r}"]
    )


def _same(wanted: Any, found: Any) -> bool:
    """Whether two values that hold no others are the same: a quick no is asked again."""
    return type(wanted) is type(found) and type(wanted) not in {dict, list} and wanted == found
