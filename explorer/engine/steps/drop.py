"""Drops records: windows that never fire in a run without a clock, iterations without an exit."""

from typing import ClassVar

from explorer.engine.rows.batch import Batch
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import Emission, StatelessStep


class Drop(StatelessStep, Step, frozen=True, kw_only=True):
    """Read every record and emit none."""

    verb: ClassVar = "drops it"
    traits = Traits(order_sensitive=False, emits_each=False)

    def process(self, operator: str, batch: Batch) -> list[Emission]:
        return []

    def explain_emission(self, emitted: Emitted) -> str:
        return ""

    def explain_silence(self) -> str:
        return "It drops every row."
