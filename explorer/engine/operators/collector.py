"""What becomes of rows that no operator takes? A sink keeps them, or the tail of an iteration.

A sink counts its rows, keeps some to be shown, and writes its part. Mirrors a
``FileSink``'s writer as far as files go: a part is hidden while it is in progress.
"""

from time import perf_counter_ns

from explorer.engine import plan
from explorer.engine.counters import Part
from explorer.engine.operators.step import Emission, Share, Waitless, busy_until
from explorer.engine.rows.batch import Batch
from explorer.engine.rows.pieces import fitting
from explorer.engine.rows.sinks.part_files import PartWriter
from explorer.engine.rows.sizes import KEPT_BYTES
from explorer.model.row_type import RowType


class Collector(Waitless):
    """Counts rows; those that it keeps wait in ``kept`` until they are sent to the driver."""

    def __init__(self, step: plan.Collect, row_type: RowType, share: Share) -> None:
        self.row_type, self._room, self._cost = step.row_type, step.limit, step.cost
        self._bytes = KEPT_BYTES
        self.rows = 0
        self.kept: list[Batch] = []
        self._part = _part_of(step, row_type, share)

    def process(self, batch: Batch) -> list[Emission]:
        """Take rows; a sink hands nothing on."""
        begun = perf_counter_ns()
        busy_until(begun, len(batch), self._cost)
        self.rows += len(batch)
        if self._part is not None:
            self._part.write(batch)
        if self._room is not None:
            batch = batch.slice(0, min(len(batch), self._room))
            kept = fitting(batch, self._bytes)
            self._room = self._room - len(kept) if len(kept) == len(batch) else 0
            self._bytes -= kept.nbytes()
            batch = kept
        if len(batch):
            self.kept.append(Batch(batch.row_type, batch.columns))
        return []

    def drain(self) -> list[Batch]:
        """Give away the rows kept since the last time."""
        kept, self.kept = self.kept, []
        return kept

    def close(self) -> Part | None:
        """Finish the part that was written; None: there is none."""
        part = self._part
        if part is None or not self.rows:
            return None
        part.close()
        return Part(file=part.path.name, rows=self.rows, bytes=part.bytes, too_large=part.too_large)


def _part_of(step: plan.Collect, row_type: RowType, share: Share) -> PartWriter | None:
    to = step.write
    if to is None:
        return None
    return PartWriter(to.folder, to.name, to.format, row_type, share.subtask, to.most)


class FedBack(Waitless):
    """Keeps records for the head of an iteration; a watermark goes no further, as in Flink.

    Mirrors ``StreamIterationTail$RecordPusher`` with its ``IterationTailOutput``: records go to the
    head through a queue of the process, by ``BlockingQueueBroker``, and so cost no bytes.
    """

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
