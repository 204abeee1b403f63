"""The handles of a subtask's state: location, size and names.

Mirrors ``MetadataV2V3SerializerBase`` and ``ChannelStateHandleSerializerV1`` and ``V2``. A handle
is identified by one byte; a row of a table reads each kind.
"""

from collections.abc import Callable, Collection
from struct import unpack
from typing import Final, NamedTuple

from explorer.savepoints.data_input import DataInput, SavepointError
from explorer.savepoints.saved_states import HEADER_BYTES
from explorer.savepoints.savepoint import StateHandle, StateHeader, joined
from explorer.savepoints.state_names import keyed_state_names

_NULL: Final = 0
"""The type that stands for Java's null."""
_MODES: Final = 3
"""Number of values of ``OperatorStateHandle.Mode``."""
_DEEPEST: Final = 8
"""How deep changelog handles, or streams, may be nested: Flink nests either of them once."""
_NESTED: Final = 3
"""The type of a stream that holds another stream: ``KeyGroupsStateHandle``."""


class _StreamHandle(NamedTuple):
    size: int
    file: str | None
    is_relocatable: bool
    content: bytes = b""
    offset: int = 0


_NOTHING: Final = _StreamHandle(0, None, is_relocatable=True)


def _read_type(data: DataInput, what: str, known: Collection[int]) -> int:
    type = data.read_byte()
    if type not in known:
        msg = f"the metadata has {what} of unknown type {type} at byte {data.at - 1:,}"
        raise SavepointError(msg)
    return type


def read_stream(data: DataInput) -> _StreamHandle | None:
    """A ``StreamStateHandle``; None stands for Java's null."""
    for _ in range(_DEEPEST):
        type = _read_type(data, "a stream handle", {_NULL, _NESTED, *_STREAMS})
        if type == _NULL:
            return None
        # ``MetadataV2V3SerializerBase.deserializeStreamStateHandle`` reads a
        # ``KeyGroupsStateHandle`` where any stream may stand: its offsets come first, and the
        # stream behind them.
        if type != _NESTED:
            return _STREAMS[type](data)
        _key_group_offsets(data)
    msg = f"the metadata nests stream handles deeper than {_DEEPEST} at byte {data.at:,}"
    raise SavepointError(msg)


def _bytes(data: DataInput) -> _StreamHandle:
    data.read_utf()
    content = bytes(data.take(data.read_count("bytes of state", 1)))
    return _StreamHandle(len(content), None, is_relocatable=True, content=content)


def _segment(data: DataInput) -> _StreamHandle:
    offset = data.read_long()
    size = data.read_long()
    data.read_int()
    path = data.read_utf()
    data.read_utf()
    return _StreamHandle(size, path, is_relocatable=False, offset=offset)


_STREAMS: Final[dict[int, Callable[[DataInput], _StreamHandle]]] = {
    1: _bytes,
    2: lambda data: _StreamHandle(data.read_long(), data.read_utf(), is_relocatable=False),
    6: lambda data: _StreamHandle(file=data.read_utf(), size=data.read_long(), is_relocatable=True),
    15: _segment,
    16: lambda _: _NOTHING,
}
"""Readers by type of a ``StreamStateHandle`` that holds no other."""


def read_operator_state(data: DataInput) -> StateHandle | None:
    """An ``OperatorStateHandle``: its states by name, and where they lie."""
    type = _read_type(data, "an operator state", (_NULL, 4, 17))
    if type == _NULL:
        return None
    names = [_operator_state_name(data) for _ in range(data.read_count("operator states", 7))]
    if type == 17:
        # Two folders of merged files, and whether the handle is an empty one.
        data.read_utf(), data.read_utf(), data.read_byte()
    stream = read_stream(data)
    return _handle("operator", "", [stream], names=tuple(names), described_by=stream)


def _operator_state_name(data: DataInput) -> str:
    name = data.read_utf()
    if data.read_byte() >= _MODES:
        msg = f"the operator state {name!r} is distributed in a mode that Flink does not know"
        raise SavepointError(msg)
    data.take(8 * data.read_count("offsets", 8))
    return name


def read_keyed_state(data: DataInput, depth: int = 0) -> StateHandle | None:
    """A ``KeyedStateHandle``."""
    type = _read_type(data, "a keyed state", {_NULL, *_KEYED} if depth <= _DEEPEST else {_NULL})
    return None if type == _NULL else _KEYED[type](data, type, depth)


def _key_group_range(data: DataInput) -> tuple[int, int]:
    first, count = data.read_int(), data.read_int()
    # The metadata hold the first group and their number, where ``KeyGroupRange`` has first and
    # last.
    return first, first + count - 1


def _key_group_offsets(data: DataInput) -> tuple[tuple[int, int], int]:
    """Read the first and the last key group, and where the entries of the first one begin; 0: none.

    The offset of a key group without entries is 0.
    """
    first, count = data.read_int(), data.read_count("key groups", 8)
    offsets = unpack(f">{count}q", data.take(8 * count))
    # ``KeyGroupRangeOffsets`` has 0 for a group without entries; the least of all offsets would be
    # the header's own begin.
    begins = min((offset for offset in offsets if offset > 0), default=0)
    return (first, first + count - 1), begins


def _full(data: DataInput, type: int, _: int) -> StateHandle:
    """``KeyGroupsStateHandle``; type 7 is a canonical savepoint's, 12 has an id of its own."""
    (groups, entries_at), stream = _key_group_offsets(data), read_stream(data)
    if type == 12:
        data.read_utf()
    # ``KeyGroupsSavepointStateHandle`` has a type of its own: only its bytes do not depend on the
    # backend, so both backends restore it.
    layout = "canonical" if type == 7 else "native"
    return _handle(
        "keyed", layout, [stream], described_by=stream, key_groups=groups, entries_at=entries_at
    )


def _incremental(data: DataInput, type: int, _: int) -> StateHandle:
    """``IncrementalRemoteKeyedStateHandle``; type 11 has a size and an id of its own."""
    data.read_long(), data.read_utf()
    groups = _key_group_range(data)
    if type == 11:
        data.read_long()
    meta = read_stream(data)
    # ``MetadataV2V3SerializerBase.serializeKeyedStateHandle`` writes shared state before private
    # state, each with its own count.
    streams = [meta, *_paths_and_handles(data), *_paths_and_handles(data)]
    if type == 11:
        data.read_utf()
    return _handle("keyed", "incremental", streams, described_by=meta, key_groups=groups)


def _paths_and_handles(data: DataInput) -> list[_StreamHandle | None]:
    stream_handles = []
    for _ in range(data.read_count("files", 3)):
        data.read_utf()
        stream_handles.append(read_stream(data))
    return stream_handles


def _changelog(data: DataInput, type: int, depth: int) -> StateHandle:
    """``ChangelogStateBackendHandle``: what was materialised, and the changes since."""
    groups = _key_group_range(data)
    data.read_long()
    parts = []
    for what in ("materialised states", "changes"):
        parts += [read_keyed_state(data, depth + 1) for _ in range(data.read_count(what, 1))]
    data.read_long()
    if type == 14:
        data.read_long()
    data.read_utf()
    state_handles = [part for part in parts if part is not None]
    return joined(state_handles, kind="keyed", layout="changelog", key_groups=groups)


def _changes_in_memory(data: DataInput, _: int, __: int) -> StateHandle:
    """``InMemoryChangelogStateHandle``."""
    groups = _key_group_range(data)
    data.read_long(), data.read_long()
    size = 0
    for _change in range(data.read_count("changes", 8)):
        data.read_int()
        size += len(data.take(data.read_count("bytes of a change", 1)))
    data.read_utf()
    stream = _StreamHandle(size, None, is_relocatable=True)
    return _handle("keyed", "changelog", [stream], key_groups=groups)


def _changes_in_files(data: DataInput, type: int, _depth: int) -> StateHandle:
    """``ChangelogStateHandleStreamImpl``; its own size counts, not that of its files."""
    groups = _key_group_range(data)
    streams = []
    for _ in range(data.read_count("files", 9)):
        data.read_long()
        streams.append(read_stream(data))
    # ``ChangelogStateHandleStreamImpl.getStateSize`` counts the changes, each from its own offset
    # in a file that several uploads share; the sizes of the files would count too much.
    size = data.read_long()
    data.read_long(), data.read_utf()
    if type == 13:
        data.read_utf()
    return _handle("keyed", "changelog", streams, key_groups=groups, size=size)


_KEYED: Final[dict[int, Callable[[DataInput, int, int], StateHandle]]] = {
    3: _full,
    12: _full,
    7: _full,
    5: _incremental,
    11: _incremental,
    8: _changelog,
    14: _changelog,
    9: _changes_in_memory,
    10: _changes_in_files,
    13: _changes_in_files,
}
"""Readers by type of a ``KeyedStateHandle``; the higher of two types is the newer form."""


def read_channel_state(data: DataInput, kind: str, *, typed: bool) -> StateHandle:
    """In-flight records of an unaligned checkpoint; ``typed``: a type stands before, since V6."""
    type = _read_type(data, "a channel state", (1, 2, 3, 4)) if typed else _NULL
    data.read_int()
    if type in (3, 4):
        size, stream = data.read_long(), read_stream(data)
        data.take(data.read_count("bytes of offsets", 1))
        return _handle(kind, "", [stream], size=size)
    # Which gate and channel, or which partition and subpartition; then the records' offsets.
    data.read_int(), data.read_int()
    data.take(8 * data.read_count("offsets", 8))
    size = data.read_long()
    return _handle(kind, "", [read_stream(data)], size=size)


def _handle(
    kind: str,
    layout: str,
    streams: list[_StreamHandle | None],
    *,
    names: tuple[str, ...] = (),
    key_groups: tuple[int, int] | None = None,
    size: int | None = None,
    described_by: _StreamHandle | None = None,
    entries_at: int = 0,
) -> StateHandle:
    """Build a handle; ``described_by``: the stream that begins with the states' serializers."""
    stream_handles = [stream for stream in streams if stream is not None]
    headers: tuple[StateHeader, ...] = ()
    if described_by is not None and (described_by.content or described_by.file):
        if kind == "keyed":
            names = keyed_state_names(described_by.content)
        header = StateHeader(
            backend=kind,
            content=described_by.content[:HEADER_BYTES],
            file=described_by.file,
            offset=described_by.offset,
            entries_at=entries_at,
        )
        headers = (header,)
    return StateHandle(
        kind=kind,
        format=layout,
        bytes=sum(stream.size for stream in stream_handles) if size is None else size,
        files=tuple(stream.file for stream in stream_handles if stream.file is not None),
        is_relocatable=all(stream.is_relocatable for stream in stream_handles),
        names=names,
        key_groups=key_groups,
        headers=headers,
    )
