"""A change of a pipeline document as data, a record a kind; ``edits`` carries it out.

Nothing in Flink mirrors this: a chaining rule or a check proposes such changes, and states that in
a label.
"""

from typing import TypeAlias

import msgspec

from explorer.model.pipeline import Transformation


class SetField(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Give a field of a transformation a value; None: its default."""

    id: str
    field: str
    value: str | int | None


class SetEnvironment(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Give a field of the environment a value; None: its default."""

    field: str
    value: str | int | bool | None


class SetOption(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Give an option of the environment's configuration a value; None removes it."""

    name: str
    value: str | int | float | bool | None


class SetCheckpointing(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Give a field of the environment's ``checkpointing`` a value; None: its default."""

    field: str
    value: str | int | bool | None


class SetExpectation(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Expect another number of tasks or slots; None: no longer."""

    field: str
    value: int | None


class SetExpectedId(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Expect another ID of an operator; None: no longer."""

    name: str
    value: str | None


class SetRelease(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Let the document be for another release."""

    flink: str


class SetPartitioner(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Partition the stream between two operators otherwise; None: as Flink chooses."""

    source: str
    target: str
    partitioner: str | None


class ReplaceTransformation(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Put a transformation in the place of the one with its id."""

    transformation: Transformation


OneChange: TypeAlias = (
    SetField
    | SetEnvironment
    | SetOption
    | SetCheckpointing
    | SetExpectation
    | SetExpectedId
    | SetRelease
    | SetPartitioner
    | ReplaceTransformation
)


class Together(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Several changes, of which none makes sense without the others, in this order."""

    changes: tuple[OneChange, ...]


Change: TypeAlias = OneChange | Together


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """A change that may help, not tried yet."""

    label: str
    """A button's label, such as ``Set parallelism of count to 2``."""
    change: Change


def to_set(id: str, field: str, value: str | int | None, label: str) -> Proposal:
    """Propose another value for a field of a transformation; None: its default."""
    return Proposal(label=label, change=SetField(id=id, field=field, value=value))
