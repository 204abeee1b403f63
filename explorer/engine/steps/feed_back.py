"""Feeds records back to the head of an iteration.

Mirrors ``StreamIterationTail`` and its queue to the head.
"""

from typing import ClassVar

from explorer.engine.rows.batch import Batch
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import Emission, SubtaskContext, Waitless
from explorer.model.row_type import RowType


class FeedBack(Step, frozen=True, kw_only=True):
    """Queue every row until the head of the iteration reads it."""

    verb: ClassVar = "feeds it back"
    traits = Traits(order_sensitive=False, emits_each=False)

    def work(self, operator: str, row_type: RowType, share: SubtaskContext) -> "FedBack":
        return FedBack()

    def explain_emission(self, emitted: Emitted) -> str:
        return self.explain_silence()

    def explain_silence(self) -> str:
        return "It puts the row into the queue of the head of the iteration."


class FedBack(Waitless):
    """Queues records for the head of an iteration; watermarks end here, as in Flink.

    Mirrors ``StreamIterationTail$RecordPusher`` with its ``IterationTailOutput``: records reach the
    head through a queue in the process, by ``BlockingQueueBroker``, and so cost no bytes.
    """

    def __init__(self) -> None:
        self._queue: list[Batch] = []

    def process(self, batch: Batch) -> list[Emission]:
        # Operators of the next round must not change objects that those of this round share.
        self._queue.append(batch.with_objects(None))
        return []

    def drain(self) -> list[Batch]:
        """Return the records queued since the last call, in order."""
        queue, self._queue = self._queue, []
        return queue
