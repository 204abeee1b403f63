"""One record for the steps that a player shows, whatever they narrate."""

from collections.abc import Iterable
from typing import Generic, TypeAlias, TypeVar

import msgspec

from explorer.model.stream_graph import NodeId

Event = TypeVar("Event")
Details: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""Headings, each with its lines."""


class Highlighted(msgspec.Struct, frozen=True):
    """The elements of a drawing that a step highlights."""

    node: NodeId | None = None
    """The operator that the step is about."""
    waiting: tuple[NodeId, ...] = ()
    """Hashing: the queue after the step. Chaining: the calls that wait for this one."""
    chain: tuple[NodeId, ...] = ()
    """Chaining: the operators of the current chain so far. A record: those it has passed."""
    edges: tuple[int, ...] = ()
    """Positions of the ``StreamEdge`` records that the step looks at, returns or follows."""
    vertex: str | None = None
    """The name of the job vertex that the step creates."""
    parts: tuple[str, ...] = ()
    """Keys in a drawing: ``n4`` an operator, ``e2`` an edge; of a task's own drawing also ``w0``, a
    network output, and ``in``, the inputs."""


class Narration(msgspec.Struct, frozen=True):
    """Text, highlighted elements and details of one event."""

    title: str
    sentence: str
    highlighted: Highlighted = Highlighted()
    details: Details = ()


class NarratedStep(msgspec.Struct, Generic[Event], frozen=True, kw_only=True):
    """One step for a reader and for a drawing."""

    number: int
    """Counted from 1, within the part unless the maker counts through."""
    part: str
    title: str
    sentence: str
    highlighted: Highlighted
    details: Details
    event: Event
    """What was done, with its values."""

    def text(self) -> dict[str, str | int]:
        """The first members of a step in every player and every JSON form."""
        return {name: getattr(self, name) for name in ("number", "part", "title", "sentence")}


def number_steps(
    narrated: Iterable[tuple[str, Event, Narration]], *, through: bool = False
) -> tuple[NarratedStep[Event], ...]:
    """Number (part, event, narration) triples in each part; ``through``: across all parts."""
    counts: dict[str, int] = {}
    steps = []
    for part, event, narration in narrated:
        counter = "" if through else part
        counts[counter] = number = counts.get(counter, 0) + 1
        members = msgspec.structs.asdict(narration)
        steps.append(NarratedStep(number=number, part=part, event=event, **members))
    return tuple(steps)
