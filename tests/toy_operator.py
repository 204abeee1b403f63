"""A made-up operator for ``test_new_operator``: emits every row several times."""

from typing import ClassVar

from explorer.engine.rows.batch import Batch
from explorer.engine.steps.planned import Outcome, PlanningRequest
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import Emission, StatelessStep


class Repeat(StatelessStep, Step, frozen=True, kw_only=True):
    """Emit every row ``times`` times."""

    verb: ClassVar = "repeats it"
    traits = Traits(order_sensitive=False, emits_each=True)
    times: int

    def process(self, operator: str, batch: Batch) -> list[Emission]:
        return [(None, batch)] * self.times

    def explain_emission(self, emitted: Emitted) -> str:
        return f"It emits every row {self.times} times."


def plan_operator(request: PlanningRequest) -> Outcome:
    """Plan the repetitions: one for each character of the name."""
    return request.each([Repeat(times=len(request.t.name or "")) for _ in request.arriving])
