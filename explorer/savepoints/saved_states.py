"""The states that a backend saved, with their serializers: the header of a state file.

Mirrors ``KeyedBackendSerializationProxy``, ``OperatorBackendSerializationProxy`` and
``StateMetaInfoSnapshot``. The header stands before the state itself, in canonical savepoints,
native ones and incremental checkpoints alike.
"""

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from explorer.flink.releases import LATEST, VERSIONS
from explorer.model.serializer_types import SerializerType, type_members
from explorer.savepoints.data_input import DataInput, SavepointError
from explorer.savepoints.serializer_snapshots import SnapshotReader
from explorer.savepoints.state_names import keyed_state_names

HEADER_BYTES: Final = 1 << 20
"""Bytes from the start of a state file that are read."""
_KINDS: Final = ("key/value", "operator", "broadcast", "priority queue", "key/value of v2")
"""``StateMetaInfoSnapshot.BackendStateType`` by number."""
_V2: Final = _KINDS[-1]
_VERSIONS: Final = {"keyed": (6,), "operator": (5, 6)}
"""The header versions that the supported releases write, by backend."""
_COMPRESSION_SINCE: Final = 6
_PROXY_VERSION: Final = 2
"""``TypeSerializerSnapshotSerializationProxy``: before it serializers were Java objects."""
_MOST_ENTRIES: Final = 64
"""Options or serializers of a state; Flink writes three at most."""


class SavedState(msgspec.Struct, frozen=True, kw_only=True):
    """A ``StateMetaInfoSnapshot``: a state's name, kind and serializers."""

    name: str
    backend: str
    """``keyed`` or ``operator``: which backend of the operator has it."""
    kind: str
    """``VALUE``, ``LIST``, ``MAP``, ``REDUCING``, ``AGGREGATING``, ``UNION``, ``SPLIT_DISTRIBUTE``,
    ``BROADCAST`` or ``TIMERS``; empty where it is unknown."""
    key: SerializerType | None = None
    """Of a broadcast state's or of a map's keys; None otherwise."""
    namespace: SerializerType | None = None
    value: SerializerType | None = None
    """None: the header could not be read so far."""
    is_v2: bool = False
    """Whether it is of the API for asynchronous state, in ``o.a.f.api.common.state.v2``."""

    @property
    def words(self) -> str:
        """The state's kind and types in words, as in ``value state of Long``."""
        kind = f"{self.kind.lower().replace('_', ' ')} state" if self.kind else "state"
        if self.is_v2:
            kind = f"{kind} (v2)"
        if self.value is None:
            return f"{kind} of a type that could not be read"
        keyed = f"{self.key.words} to " if self.key is not None else ""
        within = self.namespace
        per = (
            "" if within is None or within.type_name == "VoidNamespace" else f" per {within.words}"
        )
        return f"{kind} of {keyed}{self.value.words}{per}"

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members; a type that is not known is null."""
        types = ("key", "namespace", "value")
        return {
            "name": self.name,
            "backend": self.backend,
            "kind": self.kind or None,
            **{field: type_members(getattr(self, field)) for field in types},
        }


class StateSchema(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a state file's header."""

    key: SerializerType | None = None
    """The key serializer of a keyed backend."""
    states: tuple[SavedState, ...] = ()
    problems: tuple[str, ...] = ()
    """Why some of it is unknown; none: all was read."""


def joined_schemas(schemas: Iterable[StateSchema]) -> StateSchema:
    """One schema for the headers of an operator's subtasks; a state counts once."""
    listed = list(schemas)
    states: dict[tuple[str, str], SavedState] = {}
    for state in (state for schema in listed for state in schema.states):
        saved_state = states.get((state.backend, state.name))
        if saved_state is None or (saved_state.value is None and state.value is not None):
            states[state.backend, state.name] = state
    problems = dict.fromkeys(problem for schema in listed for problem in schema.problems)
    return StateSchema(
        key=next((schema.key for schema in listed if schema.key is not None), None),
        states=tuple(states.values()),
        problems=tuple(problems),
    )


def read_schema(backend: str, content: bytes) -> StateSchema:
    """Read the header of a ``keyed`` or ``operator`` backend; problems are reported, not raised."""
    header = _Header(backend, content)
    header.read()
    return header.schema()


class _Header:
    def __init__(self, backend: str, content: bytes) -> None:
        self.backend, self.content = backend, content[:HEADER_BYTES]
        self.data = DataInput(self.content)
        self.snapshots = SnapshotReader(self.data)
        self.key: SerializerType | None = None
        self.states: list[SavedState] = []
        self.problem: str | None = None

    def schema(self) -> StateSchema:
        names = keyed_state_names(self.content) if self.problem and self.backend == "keyed" else ()
        known = {state.name for state in self.states}
        remaining_states = [
            SavedState(name=name, backend=self.backend, kind="")
            for name in names
            if name not in known
        ]
        problems = () if self.problem is None else (self.problem,)
        return StateSchema(
            key=self.key, states=(*self.states, *remaining_states), problems=problems
        )

    def read(self) -> None:
        try:
            version = self.data.read_int()
            if version not in _VERSIONS[self.backend]:
                self.problem = (
                    f"the {self.backend} state's header has the version {version}, which Flink "
                    f"{VERSIONS[0]} to {LATEST} do not write; its types are not read"
                )
                return
            # ``KeyedBackendSerializationProxy.write`` writes the flag before the key serializer: a
            # byte skipped or not, all names behind it are shifted.
            if version >= _COMPRESSION_SINCE:
                self.data.read_byte()
            if self.backend == "keyed":
                self.key = self._snapshot()
            else:
                # ``OperatorBackendSerializationProxy.write`` writes both lists in this order, each
                # with its count.
                self._states()  # Operator states; broadcast states follow.
            self._states()
        except SavepointError as error:
            self.problem = f"the {self.backend} state's header cannot be read: {error}"

    def _states(self) -> None:
        if self.problem is not None:
            return
        # ``KeyedBackendSerializationProxy.write`` counts the states in a short, where the lists
        # within a state are counted in an int.
        count = int.from_bytes(self.data.take(2), "big")
        for _ in range(self.data.held(count, "states", 14)):
            self._state()
            if self.problem is not None:
                return

    def _state(self) -> None:
        """``StateMetaInfoSnapshotReadersWriters.CurrentReaderImpl``."""
        name, number = self.data.read_utf(), self.data.read_int()
        if not 0 <= number < len(_KINDS):
            self.problem = f"the state {name[:80]!r} is of a kind that Flink does not know"
            return
        count = self._entries("options")
        options = {self.data.read_utf(): self.data.read_utf() for _ in range(count)}
        serializers: dict[str, SerializerType] = {}
        for _ in range(self._entries("serializers")):
            called = self.data.read_utf()
            serializers[called] = self._snapshot()
            if self.problem is not None:
                break
        # ``StateMetaInfoSnapshot.CommonOptionsKeys`` are written as names, not as numbers; a
        # priority queue has neither option.
        spelled = options.get("KEYED_STATE_TYPE") or options.get("OPERATOR_STATE_DISTRIBUTION_MODE")
        self.states.append(
            SavedState(
                name=name,
                backend=self.backend,
                kind="TIMERS" if _KINDS[number] == "priority queue" else spelled or "",
                key=serializers.get("KEY_SERIALIZER"),
                namespace=serializers.get("NAMESPACE_SERIALIZER"),
                value=serializers.get("VALUE_SERIALIZER"),
                is_v2=_KINDS[number] == _V2,
            )
        )

    def _entries(self, what: str) -> int:
        count = self.data.read_count(what, 4)
        if count > _MOST_ENTRIES:
            msg = f"a state has {count:,} {what}, more than {_MOST_ENTRIES}"
            raise SavepointError(msg)
        return count

    def _snapshot(self) -> SerializerType:
        """``TypeSerializerSnapshotSerializationUtil.readSerializerSnapshot``."""
        version = self.data.read_int()
        if version != _PROXY_VERSION:
            self.problem = (
                "a serializer stands as a Java object, as before Flink 1.7, and is not read"
                if version == 1
                else f"a serializer snapshot has the unknown version {version}"
            )
            return SerializerType(serializer="", known=False)
        serializer_type = self.snapshots.read()
        if self.snapshots.stopped is not None:
            self.problem = (
                f"the serializer snapshot {self.snapshots.stopped} is not one of Flink's that can "
                "be read, and nothing behind it is"
            )
        return serializer_type
