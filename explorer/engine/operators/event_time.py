"""Where does event time begin? Timestamps from a column, and watermarks that trail them.

Mirrors ``TimestampsAndWatermarksOperator`` with ``BoundedOutOfOrdernessWatermarks``, and with a
generator that is punctuated.
"""

import numpy as np

from explorer.engine import plan
from explorer.engine.operators.step import MIN_WATERMARK, Output, Rise, Share, Waitless
from explorer.engine.rows.batch import Batch, Longs
from explorer.engine.rows.errors import RowError


class AssignTimestamps(Waitless):
    """Each record's timestamp from a column of its own.

    Flink emits a watermark every 200 ms of the clock. A trial knows no clock: as in a job that is
    over before, only the last watermark goes on, so no record is late. A generator that is
    punctuated emits one behind each record that raises it, clock or no clock.
    """

    def __init__(self, operator: str, step: plan.AssignTimestamps, share: Share) -> None:
        self._operator, self._plan = operator, step
        self._generator: _Punctuated = share.common.setdefault("generator", _Punctuated())

    def process(self, batch: Batch) -> list[Output]:
        """The records with their timestamps, and between them the watermarks that they raise."""
        times = self._times(batch)
        timed = batch.with_timestamps(times)
        if self._plan.punctuated is None:
            return [(None, timed)]
        found: list[Output] = []
        start = 0
        for at, watermark in self._generator.rises(times, self._plan.punctuated):
            found += [(None, timed.slice(start, at + 1)), Rise(watermark)]
            start = at + 1
        return found if start == len(batch) else [*found, (None, timed.slice(start, len(batch)))]

    def _times(self, batch: Batch) -> Longs:
        times = batch.columns[self._plan.column]
        if times.null_count:
            at = int(np.argmax(times.is_null().to_numpy(zero_copy_only=False)))
            place = f"timestamps.{batch.row_type.names[self._plan.column]}"
            raise RowError(self._operator, place, "", batch.row(at), "a timestamp cannot be NULL")
        found: Longs = times.to_numpy()
        return found


class _Punctuated:
    """A generator that looks at each record, and an output that takes only what rises."""

    def __init__(self) -> None:
        self._highest = self._sent = MIN_WATERMARK

    def rises(self, times: Longs, trails: int) -> list[tuple[int, int]]:
        """The records behind which a watermark goes on, and the watermark."""
        before = np.maximum.accumulate(np.concatenate(([self._highest], times)))
        raised = np.flatnonzero(times > before[:-1])
        self._highest = int(before[-1])
        found = []
        # As in Java, what goes below the least LONG starts over at the greatest.
        for at, watermark in zip(
            raised.tolist(), (times[raised] - trails - 1).tolist(), strict=True
        ):
            if watermark > self._sent:
                self._sent = watermark
                found.append((at, watermark))
        return found
