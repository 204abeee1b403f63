"""Records of a savepoint's or checkpoint's metadata; mirrors ``CheckpointMetadata``."""

from collections.abc import Collection, Iterable
from functools import cached_property
from typing import Any, Final

import msgspec

from explorer.model.serializer_types import type_members
from explorer.savepoints.partial_matches import PartialMatches
from explorer.savepoints.saved_states import StateSchema

IN_FLIGHT: Final = frozenset({"input channel", "result subpartition"})
"""The kinds of state that an unaligned checkpoint saves of a task's channels."""


class StateHeader(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Location of some state's serializers: in the metadata or at the start of a file."""

    backend: str
    """``keyed`` or ``operator``."""
    content: bytes = b""
    file: str | None = None
    offset: int = 0
    """Where the state begins in a file that several states share."""
    entries_at: int = 0
    """Where the entries of the first key group begin, from the state's own begin; 0: not known."""


class StateHandle(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Location and size of some state of a subtask."""

    kind: str
    """``operator``, ``keyed``, ``input channel`` or ``result subpartition``."""
    format: str
    """``canonical``, ``native``, ``incremental`` or ``changelog``; empty save of keyed state."""
    bytes: int
    """The value of Flink's ``StateObject.getStateSize``."""
    files: tuple[str, ...]
    """Paths of the files that hold it; none: it is in the metadata itself."""
    is_relocatable: bool
    """Whether all of it is in the metadata or in the savepoint's own folder."""
    names: tuple[str, ...] = ()
    """The states by name, as far as the metadata and the files at hand say them."""
    key_groups: tuple[int, int] | None = None
    """The first and the last key group, of keyed state."""
    headers: tuple[StateHeader, ...] = ()
    """Where serializers stand; none once they are read into ``OperatorState.schema``."""


def joined(
    handles: Collection[StateHandle],
    *,
    kind: str,
    layout: str,
    key_groups: tuple[int, int] | None = None,
) -> StateHandle:
    """Join the state handles of one kind into one, with the sum of their bytes."""
    return StateHandle(
        kind=kind,
        format=layout,
        bytes=sum(handle.bytes for handle in handles),
        files=tuple(file for handle in handles for file in handle.files),
        is_relocatable=all(handle.is_relocatable for handle in handles),
        names=_names(handles),
        key_groups=key_groups,
        headers=tuple(header for handle in handles for header in handle.headers),
    )


def _names(handles: Iterable[StateHandle]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for handle in handles for name in handle.names))


class SubtaskState(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """``OperatorSubtaskState``: what one subtask left."""

    subtask: int
    finished: bool
    handles: tuple[StateHandle, ...] = ()


class OperatorState(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """``OperatorState``: what one operator left."""

    operator_id: str
    name: str | None
    """None: the metadata's version holds no names, or the operator had none."""
    uid: str | None
    parallelism: int
    max_parallelism: int
    coordinator_bytes: int | None
    """None: it has no coordinator's state."""
    fully_finished: bool
    subtasks: tuple[SubtaskState, ...]
    """Those that the metadata lists, as ``getNumberCollectedStates`` counts them: a subtask may be
    listed that left nothing."""
    schema: StateSchema = StateSchema()
    """Its states with their serializers, as far as the headers of the state could be read."""
    partial_matches: PartialMatches | None = None
    """Of a pattern; None: it has no state of one."""

    @property
    def handles(self) -> tuple[StateHandle, ...]:
        """State handles of all subtasks."""
        return tuple(handle for subtask in self.subtasks for handle in subtask.handles)

    @property
    def has_state(self) -> bool:
        """Whether the operator has state by Flink's ``hasState``; being finished is none."""
        return self.coordinator_bytes is not None or bool(self.kinds)

    @property
    def has_own_state(self) -> bool:
        """Whether there is more than the records in flight of its task's channels."""
        return self.coordinator_bytes is not None or not IN_FLIGHT.issuperset(self.kinds)

    @property
    def state_bytes(self) -> int:
        """``OperatorState.getStateSize``: bytes of the coordinator's and of all subtasks' state."""
        return (self.coordinator_bytes or 0) + sum(handle.bytes for handle in self.handles)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of the operator's state, each once."""
        return tuple(dict.fromkeys(handle.kind for handle in self.handles))

    @property
    def state_names(self) -> tuple[str, ...]:
        """The operator's states by name, each once; timers are not among them."""
        read = [state.name for state in self.schema.states if state.kind != "TIMERS"]
        return tuple(dict.fromkeys((*_names(self.handles), *read)))

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members; ``name`` and ``uid`` are absent where the metadata has none."""
        named = {"name": self.name, "uid": self.uid}
        return {
            "operator_id": self.operator_id,
            **{field: text for field, text in named.items() if text is not None},
            "parallelism": self.parallelism,
            "max_parallelism": self.max_parallelism,
            "subtasks_with_state": len(self.subtasks),
            "coordinator_bytes": self.coordinator_bytes or 0,
            "state_bytes": self.state_bytes,
            "fully_finished": self.fully_finished,
            "kinds": list(self.kinds),
            "state_names": list(self.state_names),
            "key": type_members(self.schema.key),
            "states": [state.to_dict() for state in self.schema.states],
            "state_problems": list(self.schema.problems),
        }


class Savepoint(msgspec.Struct, frozen=True, kw_only=True):
    """``CheckpointMetadata``: a savepoint or a retained checkpoint."""

    version: int
    """Version of the metadata, not of Flink."""
    checkpoint_id: int
    operators: tuple[OperatorState, ...]
    """In the order of the metadata, which is the order in which a restore asks for them."""
    master_states: tuple[str, ...]
    """Names of the states of master hooks."""
    path: str
    """Where it was read from; '' where it came as bytes."""

    @property
    def format(self) -> str:
        """The keyed state's format; ``unknown`` where there is no keyed state to show it."""
        formats = {handle.format for handle in self._handles() if handle.format}
        return " and ".join(sorted(formats)) or "unknown"

    @property
    def self_contained(self) -> bool:
        """Whether the savepoint can be moved as a folder: no file is named by an absolute path."""
        return all(handle.is_relocatable for handle in self._handles())

    @property
    def transfer(self) -> str:
        """``self_contained`` in words."""
        return "self-contained" if self.self_contained else "names files by absolute paths"

    def _handles(self) -> list[StateHandle]:
        return [handle for operator in self.operators for handle in operator.handles]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members."""
        return {
            "version": self.version,
            "checkpoint_id": self.checkpoint_id,
            "format": self.format,
            "self_contained": self.self_contained,
            "master_states": list(self.master_states),
            "operators": [operator.to_dict() for operator in self.operators],
        }
