"""Splits a text of each row into rows. Mirrors ``StreamFlatMap``."""

from typing import ClassVar

from explorer.engine.rows.batch import Batch
from explorer.engine.rows.errors import ExpressionError
from explorer.engine.rows.expressions.evaluator import evaluate
from explorer.engine.rows.expressions.ir import Expression
from explorer.engine.rows.sizes import Budget
from explorer.engine.steps.planned import Arriving, Outcome, PlanningRequest
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import Emission, StatelessStep, compute
from explorer.engine.steps.text_splitting import separators, split_column
from explorer.model.row_type import STRING, RowType
from explorer.wording import quoted


class SplitText(StatelessStep, Step, frozen=True, kw_only=True):
    """Split a text at every match of a pattern: one row for each part that is not empty."""

    verb: ClassVar = "splits it"
    traits = Traits(order_sensitive=False, emits_each=False)
    value: Expression
    pattern: str
    row_type: RowType

    def process(self, operator: str, batch: Batch) -> list[Emission]:
        texts = compute(operator, self.value, batch, evaluate, Budget())
        words, parents = split_column(texts, self.pattern, separators(self.pattern))
        if not len(words):
            return []
        times = None if batch.timestamps is None else batch.timestamps[parents()]
        origins = None if batch.origins is None else batch.origins.at(parents())
        return [(None, Batch(self.row_type, (words,), times, origins))]

    def explain_emission(self, emitted: Emitted) -> str:
        return f"It splits {self._split()}."

    def explain_silence(self) -> str:
        return f"It splits {self._split()}, and no part is left."

    def _split(self) -> str:
        return f"{self.value.text} at every match of {quoted(self.pattern, 200)}"


def plan_operator(request: PlanningRequest) -> Outcome:
    """Plan the split for each row type; without one rows are passed on."""
    from explorer.engine.rows.expressions.parser import compile_expression
    from explorer.engine.rows.expressions.patterns import problem as pattern_problem

    split = request.t.split
    if split is None:
        return Outcome()
    if problem := pattern_problem(split.pattern):
        raise ExpressionError(request.where("split.pattern"), split.pattern, problem)

    def build(arriving: Arriving) -> SplitText:
        value = compile_expression(
            split.value, arriving.row_type, request.where("split.value"), STRING
        )
        return SplitText(value=value, pattern=split.pattern, row_type=request.given_type(arriving))

    return request.each([build(item) for item in request.arriving])
