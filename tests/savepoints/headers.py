"""Metadata and headers of savepoints: those of clusters, and some that are written by hand."""

import base64
import struct
from functools import cache
from typing import Any, Final

from explorer.savepoints import Savepoint
from explorer.savepoints.saved_states import StateSchema
from tests.golden_files import cases

JAVA: Final = b"\xac\xed\x00\x05"
LONG: Final = "org.apache.flink.api.common.typeutils.base.LongSerializer$LongSerializerSnapshot"
LIST: Final = "org.apache.flink.api.common.typeutils.base.ListSerializerSnapshot"


@cache
def saved() -> tuple[dict[str, Any], ...]:
    """The restores of which the golden file has the savepoint."""
    return tuple(case for case in cases("schemas") if case["metadata"])


def metadata(case: dict[str, Any]) -> bytes:
    return base64.b64decode(case["metadata"])


def utf(text: str) -> bytes:
    return struct.pack(">H", len(text)) + text.encode()


def snapshot(name: str, version: int, content: bytes = b"") -> bytes:
    return utf(name) + struct.pack(">i", version) + content


def nested(*snapshots: bytes) -> bytes:
    return struct.pack(">iii", 1333245, 1, len(snapshots)) + b"".join(snapshots)


def composite(*snapshots: bytes) -> bytes:
    return struct.pack(">ii", 911108, 1) + nested(*snapshots)


def keyed_header(*values: bytes, key: bytes = snapshot(LONG, 3), number_of_kind: int = 0) -> bytes:
    """A keyed backend's header with a value state for each serializer snapshot.

    ``number_of_kind``: of ``BackendStateType``, 4 for the API of asynchronous state.
    """
    states = b"".join(
        utf(f"s{number}")
        + struct.pack(">ii", number_of_kind, 1)
        + utf("KEYED_STATE_TYPE")
        + utf("VALUE")
        + struct.pack(">i", 1)
        + utf("VALUE_SERIALIZER")
        + struct.pack(">i", 2)
        + value
        for number, value in enumerate(values)
    )
    return struct.pack(">iBi", 6, 0, 2) + key + struct.pack(">H", len(values)) + states


def with_file(name: bytes) -> bytes:
    """Metadata of one operator with keyed state in a file next to it."""
    stream = b"\6" + struct.pack(">H", len(name)) + name + struct.pack(">q", 99)
    subtask = struct.pack(">iii", 0, 0, 0) + b"\3" + struct.pack(">ii", 0, 0) + stream
    operator = b"\1" * 16 + struct.pack(">ii", 1, 1) + b"\0" + struct.pack(">i", 1)
    ending = b"\0" + struct.pack(">ii", 0, 0)
    return struct.pack(">Iiqii", 0x4960672D, 3, 1, 0, 1) + operator + subtask + ending


def only_schema(savepoint: Savepoint) -> StateSchema:
    return savepoint.operators[0].schema


def nested_lists(depth: int) -> bytes:
    found = snapshot(LONG, 3)
    for _ in range(depth):
        found = snapshot(LIST, 3, composite(found))
    return found
