"""Savepoints of real clusters of 1.20 and 2.2, and metadata of one operator."""

import base64
import struct
from functools import cache
from typing import Any

from tests.golden_files import cases

MAGIC = 0x4960672D


@cache
def restores() -> tuple[dict[str, Any], ...]:
    return tuple(cases("restores"))


def any_savepoint() -> bytes:
    return metadata_of(restores()[0]["flink"][0])


def metadata_of(outcome: dict[str, Any]) -> bytes:
    return base64.b64decode(outcome["metadata"])


def outcome_of(case: dict[str, Any], version: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in case["flink"] if one["version"] == version)
    return found


def one_operator(keyed: bytes) -> bytes:
    """Metadata of one operator with one subtask that has this keyed state."""
    subtask = struct.pack(">iii", 0, 0, 0) + keyed + b"\0" + struct.pack(">ii", 0, 0)
    operator = b"\1" * 16 + struct.pack(">ii", 1, 1) + b"\0" + struct.pack(">i", 1) + subtask
    return struct.pack(">Iiqii", MAGIC, 3, 1, 0, 1) + operator
