"""Handles of state: each kind by its type, and streams that nest."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import load_savepoint
from explorer.savepoints.data_input import DataInput, SavepointError
from explorer.savepoints.handles import (
    read_channel_state,
    read_keyed_state,
    read_operator_state,
    read_stream,
)
from explorer.savepoints.savepoint import StateHandle
from tests.savepoints.clusters import one_operator
from tests.savepoints.headers import utf

KEYED = b"\3" + struct.pack(">ii", 0, 0)
"""``KeyGroupsStateHandle`` without key groups; a stream follows."""


@given(st.integers(0, 2_000), st.booleans())
def test_nested_streams_are_read_or_refused(depth: int, is_null: bool) -> None:  # noqa: FBT001
    stream = (b"\3" + struct.pack(">ii", 0, 0)) * depth + (b"\0" if is_null else b"\x10")
    content = one_operator(KEYED + stream)
    if depth < 8:
        assert load_savepoint(content).operators[0].has_state
        return
    with pytest.raises(SavepointError, match="nests stream handles deeper than 8"):
        load_savepoint(content)


def stream(size: int, path: bytes = b"data", *, relative: bool = False) -> bytes:
    text = struct.pack(">H", len(path)) + path
    return (
        (b"\6" + text + struct.pack(">q", size))
        if relative
        else b"\2" + struct.pack(">q", size) + text
    )


def in_metadata(content: bytes) -> bytes:
    return b"\1" + utf("name") + struct.pack(">i", len(content)) + content


def keyed(content: bytes) -> StateHandle:
    """The keyed state of these bytes, of which none is left."""
    data = DataInput(content)
    found = read_keyed_state(data)
    assert found is not None
    assert data.left == 0
    return found


GROUPS = struct.pack(">iiqq", 4, 2, 0, 10)
"""Key groups 4 and 5 with their offsets."""
RANGE = struct.pack(">ii", 4, 2)


def test_a_stream_is_bytes_or_a_file() -> None:
    found = [
        read_stream(DataInput(content))
        for content in (
            in_metadata(b"abc"),
            stream(9),
            stream(9, relative=True),
            b"\x0f" + struct.pack(">qqi", 5, 9, 0) + utf("merged") + utf("id"),
            b"\x10",
            b"\0",
        )
    ]

    assert [one and (one.size, one.file, one.is_relocatable, one.offset) for one in found] == [
        (3, None, True, 0),
        (9, "data", False, 0),
        (9, "data", True, 0),
        (9, "merged", False, 5),
        (0, None, True, 0),
        None,
    ]


@pytest.mark.parametrize(
    ("type", "layout", "ending"),
    [(3, "native", b""), (7, "canonical", b""), (12, "native", utf("id"))],
)
def test_a_full_snapshot_has_key_groups_and_one_file(type: int, layout: str, ending: bytes) -> None:
    found = keyed(bytes([type]) + GROUPS + stream(99) + ending)

    assert (found.format, found.key_groups, found.bytes) == (layout, (4, 5), 99)
    assert (found.files, found.is_relocatable) == (("data",), False)
    assert [header.file for header in found.headers] == ["data"]


def test_an_incremental_snapshot_adds_up_its_files() -> None:
    def named(*sizes: int) -> bytes:
        files = b"".join(utf(f"f{size}") + stream(size, b"s%d" % size) for size in sizes)
        return struct.pack(">i", len(sizes)) + files

    content = struct.pack(">q", 1) + utf("id") + RANGE
    old = keyed(b"\5" + content + stream(1) + named(10, 20) + named(300))
    new = keyed(
        b"\x0b"
        + content
        + struct.pack(">q", 7)
        + stream(1)
        + named(10, 20)
        + named(300)
        + utf("id")
    )

    assert old == new
    assert (old.bytes, old.files, old.format) == (
        331,
        ("data", "s10", "s20", "s300"),
        "incremental",
    )


def test_a_changelog_joins_what_was_materialised_and_the_changes() -> None:
    materialised = struct.pack(">i", 1) + b"\3" + GROUPS + stream(100)
    change = struct.pack(">ii", 4, 3) + b"abc"
    in_memory = b"\x09" + RANGE + struct.pack(">qqi", 0, 1, 1) + change + utf("id")
    whole = RANGE + struct.pack(">q", 1) + materialised + struct.pack(">i", 1) + in_memory
    found = keyed(b"\x08" + whole + struct.pack(">q", 1) + utf("id"))

    assert (found.format, found.bytes, found.key_groups) == ("changelog", 103, (4, 5))
    assert found == keyed(b"\x0e" + whole + struct.pack(">qq", 1, 1) + utf("id"))


def test_an_operator_state_has_the_names_of_its_states() -> None:
    def state(name: str, mode: int) -> bytes:
        return utf(name) + bytes([mode]) + struct.pack(">iqq", 2, 0, 8)

    states = struct.pack(">i", 2) + state("held", 0) + state("rules", 2)
    found = read_operator_state(DataInput(b"\4" + states + in_metadata(b"1234")))
    merged = read_operator_state(
        DataInput(b"\x11" + states + utf("a") + utf("b") + b"\0" + in_metadata(b"1234"))
    )

    assert found is not None
    assert (found.names, found.bytes) == (("held", "rules"), 4)
    assert merged == found
    with pytest.raises(SavepointError, match="in a mode that Flink does not know"):
        read_operator_state(DataInput(b"\4" + struct.pack(">i", 1) + state("held", 3)))


def test_records_in_flight_count_their_own_size() -> None:
    place = struct.pack(">iii", 0, 0, 0) + struct.pack(">iq", 1, 0)
    old = read_channel_state(
        DataInput(place + struct.pack(">q", 12) + stream(99)), "input channel", typed=False
    )
    new = read_channel_state(
        DataInput(b"\1" + place + struct.pack(">q", 12) + stream(99)), "input channel", typed=True
    )

    assert (old.kind, old.bytes, old.headers) == ("input channel", 12, ())
    assert new == old


def test_long_lists_are_read_whose_elements_are_as_short_as_can_be() -> None:
    """A count is refused where the rest of the bytes cannot hold it, and only there."""
    nulls, materialised = bytes(100), b"\3" + GROUPS + stream(100)
    lists = struct.pack(">i", 101) + nulls + materialised + struct.pack(">i", 100) + nulls
    changelog = b"\x08" + RANGE + struct.pack(">q", 1) + lists + struct.pack(">q", 1) + utf("id")
    offsets = struct.pack(">i", 100) + bytes(800)
    channel = struct.pack(">iii", 0, 0, 0) + offsets + struct.pack(">q", 12) + stream(99)
    elements = struct.pack(">i", 1) + utf("held") + b"\0" + offsets
    states = struct.pack(">i", 100) + (utf("") + b"\0" + struct.pack(">i", 0)) * 100

    assert keyed(changelog).bytes == 100
    assert keyed(b"\3" + struct.pack(">ii", 4, 100) + bytes(800) + stream(99)).bytes == 99
    assert read_channel_state(DataInput(channel), "input channel", typed=False).bytes == 12
    for content in (elements, states):
        operator = read_operator_state(DataInput(b"\4" + content + stream(99)))
        assert operator is not None
        assert operator.bytes == 99


@pytest.mark.parametrize("content", [b"\x63", b"\x01"])
def test_a_type_that_flink_does_not_have_is_named(content: bytes) -> None:
    with pytest.raises(
        SavepointError, match=f"a keyed state of unknown type {content[0]} at byte 0"
    ):
        read_keyed_state(DataInput(content))
