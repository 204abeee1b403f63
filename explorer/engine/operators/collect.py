"""Collects the rows of a sink: counts them, retains some for the report, writes its part file.

Mirrors the files of a ``FileSink``'s writer: a part is hidden while it is in progress.
"""

from collections.abc import Sequence
from time import perf_counter_ns
from typing import ClassVar

import msgspec

from explorer.engine.counters import Part
from explorer.engine.rows.batch import Batch
from explorer.engine.rows.pieces import fitting
from explorer.engine.rows.sinks.part_files import PartWriter
from explorer.engine.rows.sizes import MOST_BYTES
from explorer.engine.steps.planned import Arriving, Outcome, PlanningContext, distinct_types, each
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import Emission, SubtaskContext, Waitless, busy_until
from explorer.model.pipeline import TableFormat
from explorer.model.row_type import RowType


class PartFiles(msgspec.Struct, frozen=True, kw_only=True):
    """Where the rows of a sink are written: one file per subtask, in a folder the run creates."""

    folder: str
    """Absolute path for parts in progress."""
    name: str
    """The folder's name in the document."""
    format: TableFormat
    most: int | None = None
    """Limit of bytes for one subtask; a subtask with more writes no file and reports that."""


class Collect(Step, frozen=True, kw_only=True):
    """Count rows and retain up to ``limit`` of them; None: all, 0: none."""

    verb: ClassVar = "collects it"
    traits = Traits(order_sensitive=False, emits_each=False)
    row_type: int
    """The position among the sink's row types."""
    limit: int | None
    cost: float = 0.0
    """Microseconds that each record costs."""
    write: PartFiles | None = None

    def work(self, operator: str, row_type: RowType, share: SubtaskContext) -> "Collector":
        return Collector(self, row_type, share)

    def explain_emission(self, emitted: Emitted) -> str:
        return self.explain_silence()

    def explain_silence(self) -> str:
        return "It is a row of the sink."


def plan_collect(arriving: Sequence[Arriving], setting: PlanningContext, cost: float) -> Outcome:
    """Plan a sink, which emits nothing; ``cost``: microseconds that each row costs."""
    types = distinct_types([item.row_type for item in arriving])
    kinds = (types.index(one.row_type) for one in arriving)
    return each(arriving, [Collect(row_type=at, limit=setting.limit, cost=cost) for at in kinds])


class Collector(Waitless):
    """Counts rows; ``collected`` holds retained rows until they are sent to the driver."""

    def __init__(self, step: Collect, row_type: RowType, share: SubtaskContext) -> None:
        self.row_type, self._room, self._cost = step.row_type, step.limit, step.cost
        self._bytes = MOST_BYTES
        self.rows = 0
        self.collected: list[Batch] = []
        to, self._part = step.write, None
        if to is not None:
            self._part = PartWriter(to.folder, to.name, to.format, row_type, share.subtask, to.most)

    def process(self, batch: Batch) -> list[Emission]:
        begun = perf_counter_ns()
        busy_until(begun, len(batch), self._cost)
        self.rows += len(batch)
        if self._part is not None:
            self._part.write(batch)
        if self._room is not None:
            batch = batch.slice(0, min(len(batch), self._room))
            collected = fitting(batch, self._bytes)
            self._room = self._room - len(collected) if len(collected) == len(batch) else 0
            self._bytes -= collected.nbytes()
            batch = collected
        if len(batch):
            self.collected.append(Batch(batch.row_type, batch.columns))
        return []

    def drain(self) -> list[Batch]:
        """Return the rows retained since the last call."""
        collected, self.collected = self.collected, []
        return collected

    def close(self) -> Part | None:
        """Finish the part file and return it; None: nothing was written."""
        part = self._part
        if part is None or not self.rows:
            return None
        part.close()
        return Part(file=part.path.name, rows=self.rows, bytes=part.bytes, too_large=part.too_large)
