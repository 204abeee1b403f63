"""Asynchronous requests: waits until the answers arrive. Mirrors ``AsyncWaitOperator``."""

from collections.abc import Sequence
from time import sleep
from typing import ClassVar

import msgspec

from explorer.engine.operators.planned import Arriving, Outcome, PlanningContext, each
from explorer.engine.operators.step import Emitted, Step, Traits
from explorer.engine.operators.step_work import Emission, StatelessStep
from explorer.engine.rows.batch import Batch
from explorer.model.pipeline import Transformation


class Await(StatelessStep, Step, frozen=True, kw_only=True):
    """Pass every record on when its answer has arrived, with ``capacity`` requests at once."""

    verb: ClassVar = "waits for its answer"
    traits = Traits(order_sensitive=False, buffers=False, emits_each=True)
    delay: int
    """Milliseconds after which an answer arrives."""
    capacity: int

    def process(self, operator: str, batch: Batch) -> list[Emission]:
        """Return the records unchanged after their answers' time.

        All answers last equally long, so they arrive in the order of the records.
        """
        rounds = -(-len(batch) // self.capacity)
        sleep(rounds * self.delay / 1000)
        return [(None, batch)]

    def passed(self, emitted: Emitted) -> str:
        return f"The answer takes {self.delay:,} ms, and {self.capacity:,} rows may wait at once."

    def ended(self) -> str:
        return ""


def plan_operator(
    t: Transformation, arriving: Sequence[Arriving], setting: PlanningContext
) -> Outcome:
    """Plan the requests; without a delay rows are passed on."""
    if t.wait is None or not t.wait.delay:
        return Outcome()
    wait = t.wait
    step = Await(delay=wait.delay, capacity=wait.capacity)
    warning = (
        f"transformation {t.id!r}: a trial waits {wait.delay:,} ms for each {wait.capacity:,} rows "
        "of a subtask, in their order"
    )
    return msgspec.structs.replace(each(arriving, [step for _ in arriving]), warnings=(warning,))
