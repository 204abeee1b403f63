"""The two sides of one restore, for verdicts on the types of state."""

from collections.abc import Mapping
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
    """Maps operator IDs in the savepoint to the new nodes that Flink assigns the state to."""


StateVerdicts: TypeAlias = Mapping[str, tuple[StateVerdict, ...]]
"""Maps operator IDs in the savepoint to the verdicts on the key and on each state."""
