"""Which operators differ between two compilations? One row an operator, as a table shows it."""

from collections.abc import Iterator

import msgspec

from explorer.analysis.compare import Comparison, OperatorState
from explorer.drawing.graph_view import GraphView


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
