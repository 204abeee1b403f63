"""Verdicts on serializers: can each operator of the new program read the state that it takes?

A judge compares what one side left with what the other side declares. ``JUDGES`` lists them; the
first judge that knows an operator's states decides on it.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from explorer.analysis.baseline import Deployed
from explorer.flink.compiler import Compilation
from explorer.model.coverage import StateVerdict
from explorer.model.document import Document
from explorer.model.stream_graph import NodeId


class StateCase(NamedTuple):
    """Two sides of one restore, and which new operator takes which saved state."""

    old: Deployed
    """With its savepoint, and its program where that is known."""
    document: Document
    new: Compilation
    """The compilation of ``document``."""
    takers: Mapping[str, NodeId]
    """By operator ID in the savepoint, the new node to which Flink assigns the state."""


StateVerdicts: TypeAlias = Mapping[str, tuple[StateVerdict, ...]]
"""By operator ID in the savepoint, the verdicts on its key and on each of its states."""
Judge: TypeAlias = Callable[[StateCase], StateVerdicts]

JUDGES: Final[tuple[Judge, ...]] = ()
"""The most reliable first, such as the serializer snapshots of a savepoint."""


def state_verdicts(case: StateCase) -> dict[str, tuple[StateVerdict, ...]]:
    """The verdicts of the first judge that knows each operator; others are left out."""
    found: dict[str, tuple[StateVerdict, ...]] = {}
    for judge in JUDGES:
        found = {**judge(case), **found}
    return found
