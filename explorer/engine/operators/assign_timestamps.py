"""Assigns event time: timestamps from a column, and watermarks that trail them.

Mirrors ``TimestampsAndWatermarksOperator`` with ``BoundedOutOfOrdernessWatermarks``, and with a
punctuated generator.
"""

from typing import ClassVar

import numpy as np

from explorer.engine.rows.batch import Batch, Longs
from explorer.engine.rows.errors import ExpressionError, RowError
from explorer.engine.steps.planned import Arriving, Outcome, PlanningRequest
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import (
    MIN_WATERMARK,
    EmittedWatermark,
    Output,
    SubtaskContext,
    Waitless,
)
from explorer.model.pipeline import Timestamps
from explorer.model.row_type import LONG, RowType


class AssignTimestamps(Step, frozen=True, kw_only=True):
    """Set each record's timestamp from a column."""

    verb: ClassVar = "gives it a timestamp"
    traits = Traits(order_sensitive=False, emits_each=True, assigns_watermarks=True)
    column: int
    punctuated: int | None = None
    """Milliseconds by which a watermark trails each record; None: only the last is emitted."""

    def work(
        self, operator: str, row_type: RowType, share: SubtaskContext
    ) -> "AssignTimestampsWork":
        return AssignTimestampsWork(operator, self, share)

    def explain_emission(self, emitted: Emitted) -> str:
        return f"Its timestamp is {emitted.timestamp} from now on."


def plan_operator(request: PlanningRequest) -> Outcome:
    """Plan the timestamps for each row type; without a column rows are passed on."""
    times = request.t.timestamps
    if times is None:
        return Outcome()

    def build(arriving: Arriving) -> AssignTimestamps:
        column = request.column(arriving, "timestamps.column", times.column)
        if arriving.row_type.types[column] is not LONG:
            problem = (
                f"a timestamp is LONG milliseconds, and this is {arriving.row_type.types[column]}"
            )
            raise ExpressionError(request.where("timestamps.column"), times.column, problem)
        trails = times.out_of_orderness if times.watermarks == "punctuated" else None
        return AssignTimestamps(column=column, punctuated=trails)

    steps = [build(item) for item in request.arriving]
    return request.each(steps, clock_warnings(request.label, times))


def clock_warnings(label: str, times: Timestamps) -> tuple[str, ...]:
    """What a strategy does by the clock, which a trial does not have."""
    result = []
    if times.idleness is not None:
        result.append(
            f"{label}: a source is idle by the clock, and a trial has none; as "
            "in a short Flink job, none becomes idle"
        )
    if times.alignment is not None:
        result.append(
            f"{label}: aligned sources wait for each other by the clock, and a trial has none; "
            "a Flink job lasts longer, with the same records where none is late"
        )
    return tuple(result)


class AssignTimestampsWork(Waitless):
    """Reads each record's timestamp from a column.

    Flink emits a watermark every 200 ms of the clock. A trial has no clock: as in a job that ends
    sooner, only the last watermark is emitted, so no record is late. A punctuated generator emits
    a watermark after each record that raises it.
    """

    def __init__(self, operator: str, step: AssignTimestamps, share: SubtaskContext) -> None:
        self._operator, self._plan = operator, step
        self._generator: _Punctuated = share.common.setdefault("generator", _Punctuated())

    def process(self, batch: Batch) -> list[Output]:
        column = batch.columns[self._plan.column]
        if column.null_count:
            at = int(np.argmax(column.is_null().to_numpy(zero_copy_only=False)))
            place = f"timestamps.{batch.row_type.names[self._plan.column]}"
            raise RowError(self._operator, place, "", batch.row(at), "a timestamp cannot be NULL")
        times: Longs = column.to_numpy()
        timed = batch.with_timestamps(times)
        if self._plan.punctuated is None:
            return [(None, timed)]
        rises: list[Output] = []
        start = 0
        # ``WatermarkGenerator.onEvent`` runs after the record was emitted: the watermark that a
        # record raises stands behind it, so the record itself is never late.
        for at, watermark in self._generator.rises(times, self._plan.punctuated):
            rises += [(None, timed.slice(start, at + 1)), EmittedWatermark(watermark)]
            start = at + 1
        return rises if start == len(batch) else [*rises, (None, timed.slice(start, len(batch)))]


class _Punctuated:
    """A generator that checks each record, and an output that accepts only rising watermarks."""

    def __init__(self) -> None:
        self._highest = self._sent = MIN_WATERMARK

    def rises(self, times: Longs, trails: int) -> list[tuple[int, int]]:
        """Return the records after which a watermark is emitted, with the watermarks."""
        old_array = np.maximum.accumulate(np.concatenate(([self._highest], times)))
        raised = np.flatnonzero(times > old_array[:-1])
        self._highest = int(old_array[-1])
        pairs = []
        # As in Java, a difference below the least LONG overflows to the greatest.
        for at, watermark in zip(
            raised.tolist(), (times[raised] - trails - 1).tolist(), strict=True
        ):
            if watermark > self._sent:
                self._sent = watermark
                pairs.append((at, watermark))
        return pairs
