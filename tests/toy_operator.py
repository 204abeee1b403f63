"""A made-up operator for ``test_new_operator``: emits every row several times."""

from collections.abc import Sequence
from typing import ClassVar

from explorer.engine.operators.planned import Arriving, Outcome, PlanningContext, each
from explorer.engine.operators.step import Emitted, Step, Traits
from explorer.engine.operators.step_work import Emission, StatelessStep
from explorer.engine.rows.batch import Batch
from explorer.model.pipeline import Transformation


class Repeat(StatelessStep, Step, frozen=True, kw_only=True):
    """Emit every row ``times`` times."""

    verb: ClassVar = "repeats it"
    traits = Traits(order_sensitive=False, buffers=False, emits_each=True)
    times: int

    def process(self, operator: str, batch: Batch) -> list[Emission]:
        return [(None, batch)] * self.times

    def passed(self, emitted: Emitted) -> str:
        return f"It emits every row {self.times} times."

    def ended(self) -> str:
        return ""


def plan_operator(
    t: Transformation, arriving: Sequence[Arriving], setting: PlanningContext
) -> Outcome:
    """Plan the repetitions: one for each character of the name."""
    return each(arriving, [Repeat(times=len(t.name or "")) for _ in arriving])
