"""The two sides of one restore, as the judges of ``state_types`` compare them."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from explorer.analysis.baseline import Deployed
from explorer.flink.compiler import Compilation
from explorer.model.coverage import StateVerdict
from explorer.model.document import Document
from explorer.model.stream_graph import NodeId


class StateCase(NamedTuple):
    """Two sides of one restore, and which new operator restores which saved state."""

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
