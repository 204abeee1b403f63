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
        return Traits(order_sensitive=False, buffers=False, emits_each=True, changes_rows=changes)

    def process(self, operator: str, batch: Batch) -> list[Emission]:
        made = evaluate_select(operator, self.columns, self.row_type, batch)
        return [(None, made.with_objects(batch.objects) if self.in_place else made)]

    def explain_emission(self, emitted: Emitted) -> str:
        pairs = zip(self.row_type.names, self.columns, strict=True)
        return f"It computes {listed(f'{name} = {one.text}' for name, one in pairs)}."

    def explain_silence(self) -> str:
        return ""


def plan_operator(request: PlanningRequest) -> Outcome:
    """Plan a ``select`` for each row type; without one rows are passed on."""
    if not request.t.select:
        return Outcome()
    return request.each([plan_select(request, one) for one in request.arriving])


def plan_select(request: PlanningRequest, one: Arriving) -> Select:
    """Plan the ``select`` of one input; raises ``ExplorerError`` for an untyped column."""
    for column in one.selected:
        if column.type is None:
            problem = "a bare NULL has no type; write cast(null as LONG), for example"
            raise ExpressionError(column.place, column.text, problem)
    t, made = request.t, request.given_type(one)
    if t.mutates and made != one.row_type:
        msg = (
            f"{request.label}: mutates changes the row that comes in, so select must give "
            f"its columns, {one.row_type}, and gives {made}"
        )
        raise SchemaError(msg)
    return Select(columns=one.selected, row_type=made, in_place=t.mutates)
