"""What waits at the tail of an iteration? All records that the head has not taken yet.

Mirrors ``StreamIterationTail$RecordPusher`` with its ``IterationTailOutput``: records go to the
head through a queue of the process, by ``BlockingQueueBroker``, and so cost no bytes.
"""

from explorer.rows.batch import Batch
from explorer.task.operators.step import Emission, Waitless


class FedBack(Waitless):
    """Keeps records for the head; a watermark goes no further, as in Flink."""

    def __init__(self) -> None:
        self._queue: list[Batch] = []

    def process(self, batch: Batch) -> list[Emission]:
        """Take records; a tail hands nothing on through the network."""
        # What the next round changes is not what this one's operators share.
        self._queue.append(batch.with_objects(None))
        return []

    def drain(self) -> list[Batch]:
        """Give the head what came since the last time, in its order."""
        queue, self._queue = self._queue, []
        return queue
