"""Passes records on unchanged: every operator without a described function."""

from typing import ClassVar, Final

from explorer.engine.rows.batch import Batch
from explorer.engine.steps.planned import Outcome, PlanningRequest
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import Emission, StatelessStep
from explorer.flink.kinds import KINDS
from explorer.wording import quoted

_PASSED_ON: Final = (
    "{name} passes its rows on unchanged in this run, as they arrive, because it has no {needs}; "
    "Flink emits rows at the end of the input"
)


class PassOn(StatelessStep, Step, frozen=True, kw_only=True):
    """Pass every record on unchanged, with its timestamp."""

    verb: ClassVar = "passes it on"
    traits = Traits(order_sensitive=False, emits_each=True)

    def process(self, operator: str, batch: Batch) -> list[Emission]:
        return [(None, batch)]

    def explain_emission(self, emitted: Emitted) -> str:
        return "It passes every row on."

    def explain_silence(self) -> str:
        return "It hands no row on."


def plan_operator(request: PlanningRequest) -> Outcome:
    """Plan no steps: rows of all types are passed on; warn where Flink would not do so."""
    t = request.t
    needs = KINDS[t.type].run_needs
    if not needs:
        return Outcome()
    return Outcome(warnings=(_PASSED_ON.format(name=quoted(t.name or t.id), needs=needs),))
