"""Computes a new row of each row. Mirrors ``StreamMap``."""

from typing import ClassVar

from explorer.engine.rows.batch import Batch
from explorer.engine.rows.errors import ExpressionError
from explorer.engine.rows.expressions.ir import Expression
from explorer.engine.steps.planned import Arriving, Outcome, PlanningRequest
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import Emission, StatelessStep, evaluate_select
from explorer.model.row_type import RowType, SchemaError
from explorer.wording import listed


class Select(StatelessStep, Step, frozen=True, kw_only=True):
    """Compute a new row of each row; the timestamp stays."""

    verb: ClassVar = "makes a row of it"
    columns: tuple[Expression, ...]
    row_type: RowType
    in_place: bool = False
    """Whether the incoming row object is changed and emitted."""

    @property
    def traits(self) -> Traits:
        changes = self.in_place
        return Traits(order_sensitive=False, emits_each=True, changes_rows=changes)

    def process(self, operator: str, batch: Batch) -> list[Emission]:
        result = evaluate_select(operator, self.columns, self.row_type, batch)
        return [(None, result.with_objects(batch.objects) if self.in_place else result)]

    def explain_emission(self, emitted: Emitted) -> str:
        pairs = zip(self.row_type.names, self.columns, strict=True)
        return f"It computes {listed(f'{name} = {expression.text}' for name, expression in pairs)}."

    def explain_silence(self) -> str:
        return ""


def plan_operator(request: PlanningRequest) -> Outcome:
    """Plan a ``select`` for each row type; without one rows are passed on."""
    if not request.t.select:
        return Outcome()
    return request.each([plan_select(request, arriving) for arriving in request.arriving])


def plan_select(request: PlanningRequest, arriving: Arriving) -> Select:
    """Plan the ``select`` of one input; raises ``ExplorerError`` for an untyped column."""
    for column in arriving.selected:
        if column.type is None:
            problem = "a bare NULL has no type; write cast(null as LONG), for example"
            raise ExpressionError(column.place, column.text, problem)
    t, row_type = request.t, request.given_type(arriving)
    if t.mutates and row_type != arriving.row_type:
        msg = (
            f"{request.label}: mutates changes the row that comes in, so select must give "
            f"its columns, {arriving.row_type}, and gives {row_type}"
        )
        raise SchemaError(msg)
    return Select(columns=arriving.selected, row_type=row_type, in_place=t.mutates)
