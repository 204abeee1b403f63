"""A savepoint from a folder, a file or bytes. Mirrors ``Checkpoints.loadCheckpointMetadata``."""

from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from explorer.flink.releases import LATEST, release
from explorer.locations import local_path
from explorer.savepoints.data_input import DataInput, SavepointError
from explorer.savepoints.handles import (
    read_channel_state,
    read_keyed_state,
    read_operator_state,
    read_stream,
)
from explorer.savepoints.savepoint import OperatorState, Savepoint, StateHandle, SubtaskState
from explorer.savepoints.state_files import with_schemas
from explorer.wording import counted, first_listed, quoted

MAX_METADATA: Final = 20 * 1024 * 1024
"""Bytes of a ``_metadata`` file that is read."""
MOST_OPERATORS: Final = 20_000
"""Operators of a savepoint that are read: as many as a document may have."""
OLDEST, NEWEST = 2, release(LATEST).newest_metadata
"""The versions of metadata that are read: from Flink 1.2's on."""

_MAGIC: Final = 0x4960672D
_HEAD: Final = 8
"""Bytes of the magic number and the version."""
_MASTER_STATE: Final = -915728746
_FILE: Final = "_metadata"
_LISTED: Final = 5
"""Savepoints of a folder that a message lists."""
_MOST_FOUND: Final = 1_000
_FINISHED_SINCE, _NAMES_SINCE, _TYPED_CHANNELS_SINCE = 3, 5, 6
_LEGACY: Final = (
    "the savepoint holds state of Flink 1.1 or older, which no supported release reads; "
    "restore it with Flink 1.2 to 1.6 and take a new one"
)


def is_remote(place: str | Path) -> bool:
    """Whether a text is a URI of a file system that is not read here, as ``s3://bucket/sp-1``.

    >>> is_remote("s3a://bucket/sp-1"), is_remote("file:///sp-1"), is_remote("http://host/jobs/1")
    (True, False, False)
    """
    return _is_remote(local_path(place))


def _is_remote(path: str) -> bool:
    scheme, separator, _ = path.partition("://")
    return bool(separator) and scheme.lower() not in {"http", "https", "local"}


def load_savepoint(source: str | Path | bytes) -> Savepoint:
    """Read a savepoint's metadata: a folder, its ``_metadata`` file, or that file's bytes.

    A path may be a ``file:`` URI. Raises ``SavepointError`` where it is none. Nothing is
    deserialised as Java.
    """
    if isinstance(source, bytes):
        return read_metadata(source)
    return _load(local_path(source))


def savepoint_at(place: str | Path) -> Savepoint | None:
    """Read the savepoint at a path or a URI; None: no savepoint, but what may be a document.

    Raises ``SavepointError`` where it is remote or broken.
    """
    path = local_path(place)
    return _load(path) if _is_remote(path) or _is_savepoint(Path(path)) else None


def _load(path: str) -> Savepoint:
    if _is_remote(path):
        msg = (
            f"the savepoint {quoted(path, 200)} is not on this machine: copy its {_FILE} "
            "file, and name that"
        )
        raise SavepointError(msg)
    content = _content(Path(path), MAX_METADATA + 1)
    try:
        return read_metadata(content, str(Path(path)))
    except SavepointError as error:
        msg = f"cannot read the savepoint {quoted(path, 200)}: {error}"
        raise SavepointError(msg) from None


def metadata_version(source: str | Path | bytes) -> int:
    """The version of a local savepoint's metadata, of which only the first bytes are read.

    Raises ``SavepointError`` where it is no savepoint, or of an unknown version.
    """
    content = source if isinstance(source, bytes) else _content(Path(local_path(source)), _HEAD)
    return _read_version(DataInput(content))


def is_savepoint(source: str | Path) -> bool:
    """Whether a path is treated as a savepoint: a folder, or a file with Flink's magic number."""
    return _is_savepoint(Path(local_path(source)))


def _is_savepoint(path: Path) -> bool:
    try:
        if path.is_dir():
            return True
        with path.open("rb") as opened:
            return path.name == _FILE or is_metadata(opened.read(_HEAD))
    except (OSError, ValueError):
        return path.name == _FILE


def is_metadata(content: bytes) -> bool:
    """Whether bytes begin with Flink's magic number."""
    return content.startswith(_MAGIC.to_bytes(4, "big"))


def _content(path: Path, limit: int) -> bytes:
    try:
        file = path / _FILE if path.is_dir() else path
        with file.open("rb") as opened:
            return opened.read(limit)
    except (OSError, ValueError) as error:
        if within := _savepoints_in(path):
            savepoints = counted(len(within), "savepoint")
            names = first_listed([quoted(str(item), 200) for item in within], _LISTED)
            msg = f"{quoted(str(path), 200)} is a folder of {savepoints}; name one of them: {names}"
            raise SavepointError(msg) from None
        if path.is_dir() and isinstance(error, FileNotFoundError):
            msg = f"the folder {quoted(str(path), 200)} is no savepoint: it has no file {_FILE}"
            raise SavepointError(msg) from None
        why = (getattr(error, "strerror", None) or "it cannot be read").lower()
        msg = f"cannot read the savepoint {quoted(str(path), 200)}: {why}"
        raise SavepointError(msg) from None


def _savepoints_in(folder: Path) -> list[Path]:
    """Find savepoints in a folder or one folder below, the newest first."""
    with suppress(OSError, ValueError):
        files = islice(chain(folder.glob(f"*/{_FILE}"), folder.glob(f"*/*/{_FILE}")), _MOST_FOUND)
        newest = sorted(files, key=lambda file: file.stat().st_mtime, reverse=True)
        return [file.parent for file in newest]
    return []


def read_metadata(content: bytes, path: str = "") -> Savepoint:
    """Read the bytes of a savepoint's metadata; ``path``: where they are from.

    Raises ``SavepointError`` where they are none.
    """
    if len(content) > MAX_METADATA:
        msg = f"the metadata is larger than {MAX_METADATA >> 20} MB, the most that is read"
        raise SavepointError(msg)
    data = DataInput(content)
    return _checkpoint(data, _read_version(data), path)


def _read_version(data: DataInput) -> int:
    """Read Flink's magic number and the version behind it."""
    if data.left < _HEAD or data.read_int() != _MAGIC:
        msg = (
            "this is no savepoint's metadata: it does not begin with Flink's magic number; name "
            f"the savepoint's folder or the file {_FILE} in it"
        )
        raise SavepointError(msg)
    version = data.read_int()
    if not OLDEST <= version <= NEWEST:
        msg = (
            f"the metadata is of version {version}; versions {OLDEST} to {NEWEST}, those of Flink "
            f"1.2 to {LATEST}, are read"
        )
        raise SavepointError(msg)
    return version


def _checkpoint(data: DataInput, version: int, path: str) -> Savepoint:
    checkpoint_id = data.read_long()
    if checkpoint_id < 0:
        msg = f"invalid checkpoint ID: {checkpoint_id}"
        raise SavepointError(msg)
    masters = [_master_state(data) for _ in range(data.read_count("master states", 14))]
    count = data.read_count("operators", 28)
    if count > MOST_OPERATORS:
        msg = f"the savepoint has {count:,} operators; at most {MOST_OPERATORS:,} are read"
        raise SavepointError(msg)
    operators = [_operator(data, version) for _ in range(count)]
    # From version 4 on the checkpoint's properties follow as a Java object, which is left alone.
    savepoint = Savepoint(
        version=version,
        checkpoint_id=checkpoint_id,
        operators=tuple(operators),
        master_states=tuple(masters),
        path=path,
    )
    return with_schemas(savepoint)


def _master_state(data: DataInput) -> str:
    if data.read_int() != _MASTER_STATE:
        msg = f"the metadata has no master state at byte {data.at - 4:,}, where one must be"
        raise SavepointError(msg)
    # ``MetadataV2V3SerializerBase.serializeMasterState`` writes its length: what a hook of the
    # program wrote is passed over without its class.
    inner = DataInput(bytes(data.take(data.read_count("bytes of a master state", 1))))
    inner.read_int()
    return inner.read_utf()


def _operator(data: DataInput, version: int) -> OperatorState:
    """``deserializeOperatorState``; an ID is written lower half first, as it is printed."""
    names = (data.read_utf(), data.read_utf()) if version >= _NAMES_SINCE else ("", "")
    operator_id = bytes(data.take(16)).hex()
    parallelism, max_parallelism = data.read_int(), data.read_int()
    coordinator = read_stream(data) if version >= _FINISHED_SINCE else None
    # ``MetadataV2Serializer`` wrote the length of the chain of operators here;
    # ``MetadataV3Serializer`` writes the coordinator's state before it, and no length.
    if version < _FINISHED_SINCE:
        data.read_int()
    count = data.read_int()
    # ``MetadataV3Serializer.serializeOperatorState`` writes -1 for an operator whose subtasks have
    # all finished: read as a count, the number refuses every such savepoint.
    fully_finished = version >= _FINISHED_SINCE and count < 0
    listed = 0 if fully_finished else data.held(count, "subtasks", 4)
    subtasks = [_subtask(data, version) for _ in range(listed)]
    return OperatorState(
        operator_id=operator_id,
        name=names[0] or None,
        uid=names[1] or None,
        parallelism=parallelism,
        max_parallelism=max_parallelism,
        coordinator_bytes=None if coordinator is None else coordinator.size,
        fully_finished=fully_finished,
        subtasks=tuple(subtasks),
    )


def _raw(handle: StateHandle | None) -> StateHandle | None:
    return None if handle is None else replace(handle, headers=())


def _subtask(data: DataInput, version: int) -> SubtaskState:
    number = data.read_int()
    if version >= _FINISHED_SINCE and number < 0:
        # A finished subtask is written as its number below zero, since 0 has no sign: one off, and
        # the first subtask would count as running.
        return SubtaskState(subtask=-number - 1, finished=True)
    if version < _FINISHED_SINCE:
        data.read_long()
        if data.read_int() > 0:
            raise SavepointError(_LEGACY)
    # Managed state, then raw, of which only the operator knows what it is.
    # ``MetadataV2V3SerializerBase.serializeSingleton`` writes 0 or 1 as an int before operator
    # state, and none before keyed state, where null has a type of its own.
    handles = [read_operator_state(data) if data.read_int() != 0 else None]
    handles += [_raw(read_operator_state(data)) if data.read_int() != 0 else None]
    handles += [read_keyed_state(data), _raw(read_keyed_state(data))]
    if version >= _FINISHED_SINCE:
        typed = version >= _TYPED_CHANNELS_SINCE
        for kind in ("input channel", "result subpartition"):
            count = data.read_count(f"{kind} states", 5)
            handles += [read_channel_state(data, kind, typed=typed) for _ in range(count)]
    state_handles = tuple(handle for handle in handles if handle is not None)
    return SubtaskState(subtask=number, finished=False, handles=state_handles)
