"""A sink that counts its rows and keeps some of them for the report."""

from explorer.rows.batch import Batch
from explorer.task import plan
from explorer.task.operators.step import Emission


class Collector:
    """Counts rows; those that it keeps wait in ``kept`` until they are sent to the driver."""

    def __init__(self, step: plan.Collect) -> None:
        self.row_type, self._room = step.row_type, step.limit
        self.rows = 0
        self.kept: list[Batch] = []

    def process(self, batch: Batch) -> list[Emission]:
        """Take rows; a sink hands nothing on."""
        self.rows += len(batch)
        if self._room is not None:
            batch = batch.slice(0, min(len(batch), self._room))
            self._room -= len(batch)
        if len(batch):
            self.kept.append(batch.with_timestamps(None))
        return []

    def advance(self, time: int) -> list[Emission]:  # noqa: ARG002 - it waits for nothing
        """Nothing waits for a watermark."""
        return []

    def drain(self) -> list[Batch]:
        """Give away the rows kept since the last time."""
        kept, self.kept = self.kept, []
        return kept
