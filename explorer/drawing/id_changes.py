"""Which operators and IDs differ from those before, and what would that do to a savepoint?

A savepoint keeps state by operator ID; which operator is which one of before, ``identity`` says.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from explorer.analysis.compare import Comparison, OperatorState
from explorer.drawing.elements import GraphView, NodeView, VertexView
from explorer.flink.kinds import KINDS, State


class ChangeRow(msgspec.Struct, frozen=True, kw_only=True):
    """One operator, before and after; None where it is not there."""

    key: str | None
    """Its node in the graph that is drawn, where it has one."""
    verdict: str
    before: OperatorState | None
    after: OperatorState | None

    @property
    def differs(self) -> bool:
        """Whether a reader of the table sees a difference."""
        old, new = self.before, self.after
        if old is None or new is None:
            return True
        return (old.name, old.id, old.vertex) != (new.name, new.id, new.vertex)


def change_rows(comparison: Comparison, view: GraphView | None) -> Iterator[ChangeRow]:
    """One row an operator; ``view`` is what is drawn, in which a row is picked."""
    drawn = {node.identity: node.key for node in (view.nodes if view else ())}
    for change in comparison.operators:
        yield ChangeRow(
            key=drawn.get(change.identity),
            verdict=change.verdict,
            before=change.before,
            after=change.after,
        )


KEPT: Final = "ID changed: its uid hash finds the state"
_LOST: Final[Mapping[State, str]] = {
    "keyed": "keyed state",
    "read position": "read position",
    "operator": "state",
    "none": "state, if it has any,",
}
"""By what a savepoint holds of an operator, what a new ID does not find."""


class IdRow(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One operator and its ID, now and before."""

    key: str
    id: int
    name: str
    transformation: str | None
    uid: str | None
    hash: str
    before: str | None
    """The ID that it had; None where it had the same one, or was not there."""
    added: bool
    """Whether there was no such operator before."""
    vertex: str
    chain: int
    chain_index: int
    consequence: str
    kept: bool = False
    """Whether state is found all the same, by a uid hash that is the ID of before."""


def id_rows(view: GraphView, before: GraphView | None = None) -> tuple[IdRow, ...]:
    """One row an operator, in the order of the node ids, compared with ``before``."""
    known = {node.identity: node for node in (before.nodes if before else ())}
    rows = [
        _row(
            node, view.vertex_of[node.vertex], known.get(node.identity), compared=before is not None
        )
        for node in view.nodes
    ]
    return tuple(sorted(rows, key=lambda row: row.id))


def _row(node: NodeView, vertex: VertexView, old: NodeView | None, *, compared: bool) -> IdRow:
    """``old`` is the operator before; ``compared``: whether there is a before."""
    added = compared and old is None
    before = old.hash if old is not None and old.hash != node.hash else None
    kept = before is not None and node.uid_hash == before
    said = ""
    if before is not None:
        said = KEPT if kept else consequence(node.type)
    return IdRow(
        key=node.key,
        id=node.id,
        name=node.name,
        transformation=node.transformation,
        uid=node.uid,
        hash=node.hash,
        before=before,
        added=added,
        vertex=vertex.key,
        chain=vertex.number,
        chain_index=node.chain_index,
        consequence="new" if added else said,
        kept=kept,
    )


def consequence(type: str) -> str:
    """What a changed ID of an operator does when the job is restored from a savepoint.

    ``type``: its transformation's; empty where only the StreamGraph is known.

    >>> consequence("reduce")
    'ID changed: keyed state would be lost'
    """
    kind = KINDS.get(type)
    return f"ID changed: {_LOST[kind.state if kind else 'operator']} would be lost"
