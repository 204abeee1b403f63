"""Asynchronous requests: waits until the answers arrive. Mirrors ``AsyncWaitOperator``."""

from time import sleep
from typing import ClassVar

from explorer.engine.rows.batch import Batch
from explorer.engine.steps.planned import Outcome, PlanningRequest
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import Emission, StatelessStep


class Await(StatelessStep, Step, frozen=True, kw_only=True):
    """Pass every record on when its answer has arrived, with ``capacity`` requests at once."""

    verb: ClassVar = "waits for its answer"
    traits = Traits(order_sensitive=False, emits_each=True)
    delay: int
    """Milliseconds after which an answer arrives."""
    capacity: int

    def process(self, operator: str, batch: Batch) -> list[Emission]:
        # All answers take equally long, so they arrive in the order of the records.
        # ``AsyncWaitOperator`` waits in ``addToWorkQueue`` once ``capacity`` requests are open: a
        # smaller capacity holds back the operators before it.
        rounds = -(-len(batch) // self.capacity)
        sleep(rounds * self.delay / 1000)
        return [(None, batch)]

    def explain_emission(self, emitted: Emitted) -> str:
        return f"The answer takes {self.delay:,} ms, and {self.capacity:,} rows may wait at once."


def plan_operator(request: PlanningRequest) -> Outcome:
    """Plan the requests; without a delay rows are passed on."""
    wait = request.t.wait
    if wait is None or not wait.delay:
        return Outcome()
    step = Await(delay=wait.delay, capacity=wait.capacity)
    warning = (
        f"{request.label}: a trial waits {wait.delay:,} ms for each "
        f"{wait.capacity:,} rows of a subtask, in their order"
    )
    return request.each([step for _ in request.arriving], (warning,))
