"""The setters of a declared transformation; mirrors those of Flink's operators."""

from collections.abc import Mapping
from typing import Any, Self, TypedDict

from explorer.datastream.program import Program, ProgramError
from explorer.model.pipeline import Resources
from explorer.wording import quoted


class Settings(TypedDict, total=False):
    """The settings that every operator accepts, by keyword or by a setter of the same name."""

    name: str
    parallelism: int
    max_parallelism: int
    uid: str
    uid_hash: str
    slot_sharing_group: str
    co_location_group: str
    chaining_strategy: str
    buffer_timeout: int
    managed_memory_weight: int
    resources: Resources | Mapping[str, float]


class WindowFields(TypedDict, total=False):
    """The arguments of a window assigner: milliseconds, of a ``count`` window rows."""

    size: int | None
    slide: int | None
    gap: int | None
    offset: int | None
    time: str | None


def stated(**fields: Any) -> dict[str, Any]:
    """Return the fields of a record that are not None.

    >>> stated(size=5, slide=None)
    {'size': 5}
    """
    return {name: value for name, value in fields.items() if value is not None}


class Handle:
    """A transformation of an environment; each setter changes it and returns the handle."""

    __slots__ = ("_position", "_program")

    def __init__(self, program: Program, position: int) -> None:
        self._program, self._position = program, position

    def __repr__(self) -> str:
        item = self._program[self._position]
        return f"<{type(self).__name__} {item['id']!r}: {item['type']}>"

    @property
    def id(self) -> str:
        """Its id in the pipeline document."""
        return str(self._program[self._position]["id"])

    @property
    def type(self) -> str:
        """Its type, a row of ``explorer.flink.kinds``."""
        return str(self._program[self._position]["type"])

    def name(self, name: str) -> Self:
        """Name the operator."""
        return self._set("name", name)

    def parallelism(self, parallelism: int) -> Self:
        """Set how many subtasks the operator has."""
        return self._set("parallelism", parallelism)

    def max_parallelism(self, max_parallelism: int) -> Self:
        """Set how many key groups the operator's state has."""
        return self._set("max_parallelism", max_parallelism)

    def uid(self, uid: str) -> Self:
        """Fix the operator's ID, whatever else changes."""
        return self._set("uid", uid)

    def uid_hash(self, uid_hash: str) -> Self:
        """Give the operator's ID itself, as 32 hex digits."""
        return self._set("uid_hash", uid_hash)

    def slot_sharing_group(self, group: str) -> Self:
        """Let the operator share slots with this group only."""
        return self._set("slot_sharing_group", group)

    def co_location_group(self, key: str) -> Self:
        """Let subtasks with the same number and key run in the same slot."""
        return self._set("co_location_group", key)

    def buffer_timeout(self, milliseconds: int) -> Self:
        """Flush buffers after so long; 0 each record, -1 only full ones."""
        return self._set("buffer_timeout", milliseconds)

    def managed_memory_weight(self, weight: int) -> Self:
        """Set the operator's weight when managed memory is shared out."""
        return self._set("managed_memory_weight", weight)

    def resources(self, *, cpu: float, heap_mb: int) -> Self:
        """Set the operator's CPU cores and task heap."""
        return self._set("resources", {"cpu": cpu, "heap_mb": heap_mb})

    def chaining_strategy(self, strategy: str) -> Self:
        """Set the strategy by name: NEVER, HEAD; a multiple_input also accepts the other two."""
        return self._set("chaining_strategy", strategy)

    def disable_chaining(self) -> Self:
        """Keep the operator in a task of its own."""
        return self._set("chaining_strategy", "NEVER")

    def start_new_chain(self) -> Self:
        """Begin a task with this operator."""
        return self._set("chaining_strategy", "HEAD")

    def position_in(self, program: Program, type: str) -> int:
        """Return the position in ``program``; raises ``ProgramError`` in another environment."""
        if self._program is program:
            return self._position
        msg = (
            f"a {type} reads streams of one environment, but {quoted(self.id)} was declared in "
            "another; declare it in this one"
        )
        raise ProgramError(msg)

    def _set(self, field: str, value: Any) -> Self:
        self._program.change(self._position, field, value)
        return self
