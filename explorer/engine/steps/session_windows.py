"""Session windows: records of a key that lie near each other in time, in one window.

Mirrors ``WindowOperator`` over ``EventTimeSessionWindows`` with its ``MergingWindowSet``.
"""

import numpy as np

from explorer.engine.rows.batch import Batch, Longs, concat
from explorer.engine.state.aggregate_state import Added, Aggregates, Fired, joined_fired
from explorer.engine.state.aggregates import Aggregate
from explorer.engine.state.buffered_rows import BufferedRows, Part
from explorer.engine.state.keyed_state import Runs
from explorer.engine.steps.step_work import MIN_WATERMARK
from explorer.engine.steps.time_windows import NOT_DUE, due_sessions, over_at, session_of_last
from explorer.engine.steps.window_plans import TimeWindows
from explorer.model.row_type import RowType


class Sessions:
    """Session windows merge when they touch, so records are stored until theirs is closed."""

    def __init__(
        self, windows: TimeWindows, aggregates: tuple[Aggregate, ...], input_type: RowType
    ) -> None:
        self._windows, self._gap, self._lateness = windows, windows.size, windows.lateness
        self._aggregates, self._input_type = aggregates, input_type
        self._buffered = BufferedRows()
        self._fired_to = MIN_WATERMARK

    def add(self, batch: Batch, places: Longs, times: Longs, watermark: int) -> Added:
        """Store records of open sessions; a session past its end fires again at each record."""
        part = batch.with_timestamps(None), places, times
        late = np.zeros(len(batch), np.bool_)
        fired: list[Fired] = []
        for at, record in self._buffered.add_in_turn(part, times + self._gap - 1 <= watermark):
            late[at] = not self._add_late(record, watermark, fired)
        return Added(late, joined_fired(fired))

    def _add_late(self, record: Part, watermark: int, fired: list[Fired]) -> bool:
        """Add a record of a window that is over; return False if its session is closed."""
        _, place, time = record
        times = self._buffered.times[self._buffered.places == place]
        start, end = session_of_last(np.append(times, time), self._gap)
        # ``WindowOperator.processElement`` asks whether the merged window is late, not the record's
        # own: a late record that still touches an open session is added to it.
        if over_at(end, self._lateness) <= watermark:
            return False
        self._buffered.add(*record)
        if end - 1 <= watermark:
            fired.append(self._session(place, start, end))
        return True

    def _session(self, place: Longs, start: Longs, end: Longs) -> Fired:
        """Aggregate the current content of one session."""
        times = self._buffered.times
        in_session = (
            (self._buffered.places == place) & (times >= start) & (times <= end - self._gap)
        )
        rows = concat([batch for batch, *_ in self._buffered.where(in_session)])
        aggregates = Aggregates(self._aggregates, self._input_type)
        slot = np.zeros(1, np.int64)
        aggregates.roll(rows, Runs.of(np.zeros(len(rows), np.int64)))
        return Fired(place, start, end, aggregates.values(slot), aggregates.origins(slot))

    def fire(self, watermark: int) -> Fired | None:
        """Emit the sessions that the watermark passes, and remove the closed ones."""
        following, self._fired_to = self._fired_to, watermark
        if not self._buffered:
            return None
        buffered, windows = self._buffered, self._windows
        due = due_sessions(buffered.places, buffered.times, windows, following, watermark)
        aggregates = Aggregates(self._aggregates, self._input_type)
        left = due.sessions[due.sessions != NOT_DUE]
        for batch, *_ in buffered.where(due.sessions != NOT_DUE):
            aggregates.roll(batch, Runs.of(left[: len(batch)]))
            left = left[len(batch) :]
        buffered.keep(due.stays)
        slots = np.arange(len(due.ends))
        values, origins = aggregates.values(slots), aggregates.origins(slots)
        return Fired(due.places, due.starts, due.ends, values, origins)
