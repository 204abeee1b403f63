"""Stages of saved partial matches: what clusters saved, and what hostile entries may say."""

import base64
import struct
from functools import cache
from pathlib import Path
from typing import Any, Final

from hypothesis import given
from hypothesis import strategies as st

from explorer import load_savepoint
from explorer.savepoints import Savepoint
from explorer.savepoints.partial_matches import MOST_STAGES, PartialMatches, read_matches
from explorer.savepoints.savepoint import StateHandle, StateHeader
from tests.golden_files import cases
from tests.many_cases import for_each
from tests.savepoints.test_state_files import with_handles

SAVED: Final = {
    "a,b,c": ("a", "b", "c"),
    "a,b+,c": ("a", "b", "b:0", "b:1", "c"),
    "a,b2,c": ("a", "b", "b:0", "c"),
    "a,!b,c": ("a", "c"),
}
"""By pattern, the stages that the events of ``AskPatterns`` leave matches in."""


@cache
def metadata(pattern: str, version: str = "2.2.1") -> bytes:
    (case,) = (
        case
        for case in cases("pattern_restores")
        if case.get("pattern") == pattern and case["version"] == version
    )
    return base64.b64decode(case["metadata"])


def matches(savepoint: Savepoint) -> PartialMatches:
    (found,) = filter(None, (operator.partial_matches for operator in savepoint.operators))
    return found


@cache
def state_file() -> tuple[bytes, int]:
    """The keyed state of a pattern, and where its entries begin."""
    content = metadata("a,b,c")
    at = content.index(b"\0\0\0\x06\0\0\0\0\2")
    length = int.from_bytes(content[at - 4 : at], "big")
    state = content[at : at + length]
    entry = state.index(b"\0\0\0", state.rindex(b"VoidNamespaceSerializerSnapshot"))
    return state, next(
        at for at in range(entry, length) if read_matches(state, at).stages == SAVED["a,b,c"]
    )


@for_each("version", ["1.20.5", "2.2.1"])
@for_each(("pattern", "stages"), SAVED.items())
def test_the_stages_of_a_cluster_are_read(
    version: str, pattern: str, stages: tuple[str, ...]
) -> None:
    found = matches(load_savepoint(metadata(pattern, version)))

    assert found == PartialMatches(stages=stages, first_stages=("a",))


def in_file(folder: Path, layout: str, content: bytes, entries_at: int) -> PartialMatches:
    (folder / "data").write_bytes(content)
    header = StateHeader(backend="keyed", file="data", entries_at=entries_at)
    handle = StateHandle(
        kind="keyed",
        format=layout,
        bytes=1,
        files=("data",),
        is_relocatable=True,
        headers=(header,),
    )
    return matches(with_handles(folder, handle))


def test_entries_in_a_file_are_read_and_others_are_reported(tmp_path: Path) -> None:
    state, at = state_file()
    compressed = state[:4] + b"\1" + state[5:]

    assert in_file(tmp_path, "canonical", state, at).stages == SAVED["a,b,c"]
    assert in_file(tmp_path, "canonical", state, 0) == PartialMatches()
    assert (
        in_file(tmp_path, "native", state, at).problem == "its keyed state is native, not canonical"
    )
    assert in_file(tmp_path, "canonical", compressed, at).problem == "its entries are compressed"
    assert in_file(tmp_path, "canonical", state[:-40], at).problem is not None


def entry(value: bytes) -> bytes:
    """A key group with one entry of the first state."""
    key = b"\x80\0"
    parts = struct.pack(">Hi", 0, len(key)), key, struct.pack(">i", len(value)), value
    return b"".join(parts) + b"\xff\xff"


@given(content=st.binary(max_size=80), framed=st.booleans())
def test_hostile_entries_are_a_problem_and_no_error(content: bytes, framed: bool) -> None:  # noqa: FBT001 - drawn
    state, at = state_file()
    hostile = state[:at] + (entry(content) if framed else content)

    found: Any = read_matches(hostile, at)

    assert isinstance(found, PartialMatches)


def test_lengths_beyond_the_file_and_too_many_stages_are_problems() -> None:
    state, at = state_file()
    names = [f"{number:08}".encode() for number in range(MOST_STAGES + 1)]
    value = struct.pack(">i", len(names)) + b"".join(
        b"\x09" + name + b"\0" + struct.pack(">i", 0) + b"\0" * 17 for name in names
    )
    found = read_matches(state[:at] + entry(value + struct.pack(">i", 0)), at)
    endless = read_matches(state[:at] + entry(struct.pack(">i", 1) + b"\xff" * 40), at)

    assert found.problem == "they are in more than 1,000 stages"
    assert endless.problem == "the entries of its partial matches cannot be read"


def test_a_name_beyond_ascii_has_units_of_more_than_one_byte() -> None:
    state, at = state_file()
    name = b"".join((b"\x03", b"\xfc\x01", b"\xac\x82\x01"))  # two units: U+00FC and U+412C
    match = name + b"\0" + struct.pack(">i", 0) + b"\0" * 17
    value = struct.pack(">i", 1) + match + struct.pack(">i", 0)

    assert read_matches(state[:at] + entry(value), at).stages == ("\u00fc\u412c",)
