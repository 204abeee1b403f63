"""Emits the rows for which a condition holds. Mirrors ``StreamFilter``."""

from collections.abc import Sequence
from typing import ClassVar

from explorer.engine.operators.planned import Arriving, Outcome, PlanningContext, each, where
from explorer.engine.operators.step import Emitted, Step, Traits
from explorer.engine.operators.step_work import Emission, StatelessStep, computed
from explorer.engine.rows.batch import Batch
from explorer.engine.rows.expressions.evaluator import holds
from explorer.engine.rows.expressions.ir import Expression
from explorer.engine.rows.sizes import Budget
from explorer.model.pipeline import Transformation
from explorer.model.row_type import BOOLEAN
from explorer.wording import quoted


class Where(StatelessStep, Step, frozen=True, kw_only=True):
    """Emit the rows for which the condition holds."""

    verb: ClassVar = "lets it pass"
    traits = Traits(order_sensitive=False, buffers=False, emits_each=False)
    condition: Expression

    def process(self, operator: str, batch: Batch) -> list[Emission]:
        """Return the rows for which the condition is true."""
        accepted = batch.filter(computed(operator, self.condition, batch, holds, Budget()))
        return [(None, accepted)] if len(accepted) else []

    def passed(self, emitted: Emitted) -> str:
        return f"Its condition {quoted(self.condition.text, 200)} holds for the row."

    def ended(self) -> str:
        return f"Its condition {quoted(self.condition.text, 200)} does not hold for the row."


def plan_operator(
    t: Transformation, arriving: Sequence[Arriving], setting: PlanningContext
) -> Outcome:
    """Plan the condition for each row type; without one rows are passed on."""
    from explorer.engine.rows.expressions.parser import compile_expression

    if t.where is None:
        return Outcome()
    text = t.where

    def build(one: Arriving) -> Where:
        condition = compile_expression(text, one.row_type, where(t, "where"), BOOLEAN)
        return Where(condition=condition)

    return each(arriving, [build(one) for one in arriving])
