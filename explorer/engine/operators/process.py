"""Routes rows to side outputs by condition. Mirrors ``ProcessOperator``."""

from typing import ClassVar

import numpy as np

from explorer.engine.rows.batch import Batch
from explorer.engine.rows.expressions.evaluator import holds
from explorer.engine.rows.expressions.ir import Expression
from explorer.engine.rows.sizes import Budget
from explorer.engine.steps.planned import Arriving, Outcome, PlanningRequest
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import Emission, StatelessStep, compute, timestamped
from explorer.model.row_type import BOOLEAN
from explorer.wording import listed, quoted


class Route(StatelessStep, Step, frozen=True, kw_only=True):
    """Emit a row to the side output of each tag with a true condition, else to the main output."""

    verb: ClassVar = "routes it"
    traits = Traits(order_sensitive=False, emits_each=False)
    conditions: tuple[tuple[str, Expression], ...]

    def process(self, operator: str, batch: Batch) -> list[Emission]:
        """Return the rows of each side output, then those of the main output.

        ``Context.output`` gives a record without a timestamp ``Long.MIN_VALUE`` as its timestamp.
        """
        remaining_array, budget = np.ones(len(batch), np.bool_), Budget()
        emissions: list[Emission] = []
        for tag, condition in self.conditions:
            met = compute(operator, condition, batch, holds, budget)
            remaining_array &= ~met
            if met.any():
                emissions.append((tag, timestamped(batch.filter(met))))
        if remaining_array.any():
            emissions.append((None, batch.filter(remaining_array)))
        return emissions

    def explain_emission(self, emitted: Emitted) -> str:
        conditions = dict(self.conditions)
        if emitted.tag in conditions:
            met = quoted(conditions[emitted.tag].text)
            return f"The condition {met} of side output {quoted(emitted.tag)} holds for it."
        return f"No condition of {listed(map(quoted, conditions))} holds for it."

    def explain_silence(self) -> str:
        return ""  # Every record goes to some output.


def plan_operator(request: PlanningRequest) -> Outcome:
    """Plan the conditions for each row type; without any rows are passed on."""
    from explorer.engine.rows.expressions.parser import compile_expression

    conditions = request.t.side_outputs
    if not conditions:
        return Outcome()

    def compiled(arriving: Arriving, tag: str, text: str) -> Expression:
        place = request.where(f"side_outputs.{tag}")
        return compile_expression(text, arriving.row_type, place, BOOLEAN)

    steps = [
        Route(
            conditions=tuple((tag, compiled(item, tag, text)) for tag, text in conditions.items())
        )
        for item in request.arriving
    ]
    return request.each(steps)
