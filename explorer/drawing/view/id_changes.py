"""Operators and IDs that changed, and the effect on a savepoint.

A savepoint contains state by operator ID; ``identity`` pairs the operators.
"""

from collections.abc import Iterator
from typing import Literal, TypeAlias

import msgspec

from explorer.comparison.compare import Comparison, OperatorChange
from explorer.drawing.view.elements import GraphView, NodeView
from explorer.restore.verdict import RestoredOperator, RestoreVerdict


class ChangeRow(msgspec.Struct, frozen=True, kw_only=True):
    """One operator, before and after."""

    key: str | None
    """Its node in the graph that is drawn, where it has one."""
    change: OperatorChange

    @property
    def differs(self) -> bool:
        """Whether a reader of the table notices a difference."""
        old, new = self.change.before, self.change.after
        if old is None or new is None:
            return True
        return (old.name, old.id, old.vertex) != (new.name, new.id, new.vertex)


def change_rows(comparison: Comparison, view: GraphView | None) -> Iterator[ChangeRow]:
    """Yield a row for each operator; ``view``: the drawn graph, in which a row is picked."""
    drawn = {node.identity: node.key for node in (view.nodes if view else ())}
    for change in comparison.operators:
        yield ChangeRow(key=drawn.get((change.after or change).identity), change=change)


Tone: TypeAlias = Literal["good", "bad", "mute"]


class IdRow(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One operator and its ID, now and in the baseline."""

    key: str
    node: NodeView
    colour: int
    """The number that chooses its chain's colour."""
    chain_name: str
    """What drawings write above its chain."""
    before: str | None
    """The ID that it had; None where it had the same one, or was not there."""
    consequence: str
    tone: Tone
    """Whether its state comes back; ``mute`` where there is none to speak of."""
    rescued: bool = False
    """Whether state is found all the same, by a uid hash that is the ID of before."""


def id_rows(view: GraphView, restore: RestoreVerdict | None = None) -> tuple[IdRow, ...]:
    """Return a row for each operator, by node ID; ``restore``: the restore from the baseline."""
    operators = restore.operators if restore else ()
    reported: dict[int | None, RestoredOperator] = {
        operator.node: operator for operator in operators
    }
    nodes = sorted(view.nodes, key=lambda node: node.id)
    return tuple(_row(view, node, reported.get(node.id)) for node in nodes)


def _row(view: GraphView, node: NodeView, reported: RestoredOperator | None) -> IdRow:
    chain, consequence = view.vertex_of[node.vertex], ""
    if reported and (reported.change != "kept" or reported.endangered):
        consequence = "new" if reported.change == "new" else reported.sentence
    moved = reported is not None and reported.change == "moved"
    return IdRow(
        key=node.key,
        node=node,
        colour=chain.colour,
        chain_name=f"{view.words.chain} {chain.number}",
        before=reported.operator_id if reported and moved else None,
        consequence=f"ID changed: {consequence}" if moved else consequence,
        tone=tone(reported),
        rescued=reported is not None and reported.rescued,
    )


def tone(reported: RestoredOperator | None) -> Tone:
    """Return ``good`` where state is found under another ID, ``bad`` where it is not found."""
    if reported is None or reported.change == "new":
        return "mute"
    if reported.endangered:
        return "bad"
    return "mute" if reported.state == "none" else "good"
