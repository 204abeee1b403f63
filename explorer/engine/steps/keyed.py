"""Fields and sentences that all keyed steps share."""

from collections.abc import Iterable

import msgspec

from explorer.engine.rows.batch import Batch, Column
from explorer.engine.rows.errors import ExpressionError
from explorer.engine.state.aggregates import Aggregate
from explorer.engine.steps.planned import Arriving, PlanningRequest
from explorer.model.pipeline import KeyedState
from explorer.model.row_type import DOUBLE, LONG, RowType
from explorer.wording import listed


class KeyedStep(msgspec.Struct, frozen=True, kw_only=True):
    """Fields of a step with keyed state that emits rows of its own type."""

    keys: tuple[int, ...]
    """The positions of the key columns."""
    row_type: RowType
    """The type of the emitted rows."""


def by_keys(step: KeyedStep) -> str:
    """Name the key columns, as in `` by user``; empty without keys."""
    return f" by {listed(step.row_type.names[key] for key in step.keys)}" if step.keys else ""


def by_functions(step: KeyedStep, aggregates: Iterable[Aggregate]) -> str:
    """Name the aggregates with their functions and the key columns."""
    return f"{listed(f'{item.name} by {item.function}' for item in aggregates)}{by_keys(step)}"


def extended(batch: Batch, row_type: RowType, column: Column) -> Batch:
    """Return the same records with one more column."""
    return Batch(row_type, (*batch.columns, column), batch.timestamps, batch.origins)


class ShapedState(msgspec.Struct, frozen=True, kw_only=True):
    """The ``state`` of a keyed process function, on rows of one type."""

    request: PlanningRequest
    arriving: Arriving
    state: KeyedState
    keys: tuple[int, ...]
    row_type: RowType
    """The type of the emitted rows."""

    @property
    def column(self) -> int:
        """The position of the state's column; raises ``ExpressionError``."""
        return self.request.column(self.arriving, "state.column", self.state.column or "")

    @property
    def number(self) -> int:
        """The position of the state's column, which must be a number."""
        at = self.column
        kind = self.arriving.row_type.types[at]
        if kind not in (LONG, DOUBLE):
            problem = f"{self.state.shape} takes a LONG or DOUBLE column, and this is {kind}"
            raise ExpressionError(
                self.request.where("state.column"), self.state.column or "", problem
            )
        return at
