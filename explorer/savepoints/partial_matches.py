"""The stages in which saved partial matches of a pattern wait, read from entries of keyed state.

Mirrors ``FullSnapshotAsyncWriter``, which writes canonical savepoints, and ``NFAStateSerializer``.
Entries of native state have no length, and those of incremental state are files of RocksDB: neither
is read.
"""

from collections.abc import Iterable, Iterator
from struct import Struct, error
from typing import Final

import msgspec

from explorer.model.serializer_types import SerializerType
from explorer.savepoints.data_input import DataInput, SavepointError
from explorer.savepoints.saved_states import read_schema

MOST_ENTRY_BYTES: Final = 32 << 20
"""Bytes of one savepoint's entries that are read."""
MOST_STAGES: Final = 1_000
"""Stages of one pattern that are read."""
_SERIALIZER: Final = "NFAStateSerializer"
_PREVIOUS_TIMESTAMP: Final = "previous timestamp"
_IS_COMPRESSED: Final = 4
"""Where the flag of compressed entries stands in a header, behind its version."""
_END_OF_KEY_GROUP: Final = 0xFFFF
_LAST_OF_STATE: Final = 0x80
"""``FIRST_BIT_IN_BYTE_MASK``: on a key's first byte, that the number of another state follows."""
_STATE_NUMBER: Final = Struct(">H")
_LENGTH: Final = Struct(">i")
_EVENT_ID: Final = 4 + 8
_MOST_SHIFT: Final = 35
"""Bits of a length: those of an ``int`` in groups of seven."""
_MATCH_BYTES: Final = 15
"""A partial match has a name, a predecessor, a version, a time and a start event."""


class PartialMatches(msgspec.Struct, frozen=True, kw_only=True):
    """The partial matches of all keys of an operator with a pattern."""

    stages: tuple[str, ...] = ()
    """Names of the states of the ``NFA`` that they are in, sorted."""
    first_stages: tuple[str, ...] = ()
    """Those of partial matches that wait for their first event, sorted."""
    problem: str | None = None
    """Why not all of them could be read; None: all were."""


def holds_partial_matches(type: SerializerType | None) -> bool:
    """Whether a state's values are partial matches of a pattern."""
    return type is not None and type.serializer.startswith(_SERIALIZER)


def joined_matches(parts: list[PartialMatches]) -> PartialMatches:
    """One record for the parts of an operator's subtasks."""
    return PartialMatches(
        stages=_sort_stages(stage for part in parts for stage in part.stages),
        first_stages=_sort_stages(stage for part in parts for stage in part.first_stages),
        problem=next((part.problem for part in parts if part.problem is not None), None),
    )


def _sort_stages(stages: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(stages)))


def read_matches(content: bytes, entries_at: int) -> PartialMatches:
    """Read the partial matches of a canonical state file; a problem is reported, not raised.

    Args:
        content: The whole file: its header, then the entries.
        entries_at: Where the entries of its first key group begin; 0: it has none.
    """
    schema = read_schema("keyed", content)
    states = schema.states
    numbers = [at for at, state in enumerate(states) if holds_partial_matches(state.value)]
    if entries_at <= 0 or (not numbers and not schema.problems):
        return PartialMatches()
    if not numbers:
        return PartialMatches(problem=schema.problems[0])
    if content[_IS_COMPRESSED]:
        return PartialMatches(problem="its entries are compressed")
    value = states[numbers[0]].value
    has_previous = value is not None and _PREVIOUS_TIMESTAMP in value.parameters
    matches: set[tuple[str, bool]] = set()
    problem = None
    try:
        for entry in _entries(content, entries_at, numbers[0]):
            matches.update(_matches(DataInput(entry), has_previous=has_previous))
            if len(matches) > MOST_STAGES:
                return PartialMatches(problem=f"they are in more than {MOST_STAGES:,} stages")
    except (IndexError, SavepointError, error):
        problem = "the entries of its partial matches cannot be read"
    return PartialMatches(
        stages=_sort_stages(stage for stage, _ in matches),
        first_stages=_sort_stages(stage for stage, is_first in matches if is_first),
        problem=problem,
    )


def _entries(content: bytes, at: int, number: int) -> Iterator[bytes]:
    """Yield the values of the state of that number, key group by key group."""
    while at < len(content):
        (state,) = _STATE_NUMBER.unpack_from(content, at)
        at += _STATE_NUMBER.size
        # ``FullSnapshotUtil.END_OF_KEY_GROUP_MARK`` stands where a state's number would: the next
        # two bytes begin another key group.
        follows = state != _END_OF_KEY_GROUP
        while follows:
            # ``FullSnapshotUtil.setMetaDataFollowsFlagInKey`` marks the first byte of the last key
            # of a state: a key group has fewer than 2^15 numbers, so that bit is free.
            key_length, follows = _length(content, at), not content[at + 4] & _LAST_OF_STATE
            at += _LENGTH.size + key_length
            length = _length(content, at)
            at += _LENGTH.size + length
            if state == number:
                yield content[at - length : at]


def _length(content: bytes, at: int) -> int:
    (length,) = _LENGTH.unpack_from(content, at)
    if not 0 <= length <= len(content) - at:
        msg = f"an entry at byte {at:,} is longer than its file"
        raise SavepointError(msg)
    return int(length)


def _matches(data: DataInput, *, has_previous: bool) -> Iterator[tuple[str, bool]]:
    """``NFAStateSerializer.deserialize``: partial matches, then completed ones.

    Yields each one's stage, and whether no event precedes it.
    """
    for kind in ("partial matches", "completed matches"):
        for _ in range(data.read_count(kind, _MATCH_BYTES)):
            stage = _read_string(data)
            has_events = data.read_byte() != 0
            if has_events:  # ``NodeId`` of the event before.
                data.take(_EVENT_ID)
                _read_string(data)
            data.take(4 * data.read_count("digits of a version", 4))
            data.take(8 + 8 * has_previous)
            if data.read_byte():
                data.take(_EVENT_ID)
            yield stage, not has_events


def _read_string(data: DataInput) -> str:
    """``StringValue.readString``: the length plus one and UTF-16 units, of seven bits a byte."""
    length = _read_seven_bits(data) - 1
    if length > data.left:
        msg = "a name is longer than its entry"
        raise SavepointError(msg)
    # Java's cast to ``char`` keeps 16 bits; without it a damaged unit would fit no two bytes.
    units = b"".join((_read_seven_bits(data) & 0xFFFF).to_bytes(2, "big") for _ in range(length))
    return units.decode("utf-16-be", "replace")


def _read_seven_bits(data: DataInput) -> int:
    value = 0
    for shift in range(0, _MOST_SHIFT, 7):
        byte = data.read_byte()
        value |= (byte & 0x7F) << shift
        if not byte & 0x80:
            return value
    msg = "a name has a length that Java does not write"
    raise SavepointError(msg)
