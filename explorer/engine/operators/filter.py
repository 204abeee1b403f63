"""Emits the rows for which a condition holds. Mirrors ``StreamFilter``."""

from typing import ClassVar

from explorer.engine.rows.batch import Batch
from explorer.engine.rows.expressions.evaluator import holds
from explorer.engine.rows.expressions.ir import Expression
from explorer.engine.rows.sizes import Budget
from explorer.engine.steps.planned import Outcome, PlanningRequest
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import Emission, StatelessStep, compute
from explorer.model.row_type import BOOLEAN
from explorer.wording import quoted


class Where(StatelessStep, Step, frozen=True, kw_only=True):
    """Emit the rows for which the condition holds."""

    verb: ClassVar = "lets it pass"
    traits = Traits(order_sensitive=False, emits_each=False)
    condition: Expression

    def process(self, operator: str, batch: Batch) -> list[Emission]:
        accepted = batch.filter(compute(operator, self.condition, batch, holds, Budget()))
        return [(None, accepted)] if len(accepted) else []

    def explain_emission(self, emitted: Emitted) -> str:
        return f"Its condition {quoted(self.condition.text, 200)} holds for the row."

    def explain_silence(self) -> str:
        return f"Its condition {quoted(self.condition.text, 200)} does not hold for the row."


def plan_operator(request: PlanningRequest) -> Outcome:
    """Plan the condition for each row type; without one rows are passed on."""
    from explorer.engine.rows.expressions.parser import compile_expression

    text, place = request.t.where, request.where("where")
    if text is None:
        return Outcome()
    conditions = [
        compile_expression(text, arriving.row_type, place, BOOLEAN) for arriving in request.arriving
    ]
    return request.each([Where(condition=condition) for condition in conditions])
