"""Records of the changed part of a graph: operators and edges of NEW, and of OLD alone."""

from typing import Literal, TypeAlias

import msgspec

PartChange: TypeAlias = Literal["added", "removed", "changed", "same"]


class ShownOperator(msgspec.Struct, frozen=True, kw_only=True):
    """An operator of NEW, or one of OLD that NEW does not have."""

    key: int
    """Its number in the diagram."""
    name: str
    parallelism: int
    change: PartChange
    changes: tuple[tuple[str, str], ...] = ()
    """What changed of it, as it was and as it is: its ID, its parallelism."""


class ShownEdge(msgspec.Struct, frozen=True, kw_only=True):
    """A stream between two shown operators, by their keys."""

    source: int
    target: int
    change: PartChange
    chained: bool
    partitioner: str
    was_chained: bool
    old_partitioner: str


class ChangedGraph(msgspec.Struct, frozen=True, kw_only=True):
    """The diagram; without operators where nothing of the graph changed."""

    operators: tuple[ShownOperator, ...] = ()
    """In NEW's order, those that only OLD has at the end."""
    edges: tuple[ShownEdge, ...] = ()
    left_out: int = 0
    """Number of further operators that changed or are next to one that did."""
