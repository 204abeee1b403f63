"""Words for changes of operator IDs, and marks of IDs that a running job does not reveal.

REST reports the IDs of job vertices, which are the operator IDs of their heads. The mark of an
unknown ID is no hexadecimal number, so that no lookup by an ID finds it.
"""

from collections.abc import Mapping
from typing import Final

from explorer.model.stream_graph import NodeId

UNKNOWN: Final = "unknown: only IDs of tasks are reported"
"""The beginning of each mark."""
ID_CHANGES: Final[Mapping[str, str]] = {
    "kept": "unchanged",
    "moved": "changed",
    "lost": "removed",
    "new": "new",
    "unclear": "unclear",
    "unknown": "unknown",
}
"""What page and shell show for a change of an operator ID."""


def unknown_id(node: NodeId) -> str:
    """Return the mark of one operator; no two operators of a graph share one.

    >>> unknown_id(NodeId(3))
    'unknown: only IDs of tasks are reported (operator 3)'
    """
    return f"{UNKNOWN} (operator {node})"


def is_unknown(id: str | None) -> bool:
    """Whether an ID is such a mark."""
    return id is not None and id.startswith(UNKNOWN)


def known_id(id: str) -> str | None:
    """Return the ID; None for a mark."""
    return None if is_unknown(id) else id


def is_same_id(first: str, second: str) -> bool:
    """Whether two IDs are equal and known."""
    return first == second and not is_unknown(first)
