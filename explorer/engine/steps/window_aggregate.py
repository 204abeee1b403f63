"""Aggregates by key and window of time; a window's row is emitted when the window ends.

Mirrors ``WindowOperator`` with ``TumblingEventTimeWindows``, ``SlidingEventTimeWindows``,
``EventTimeSessionWindows`` and ``EventTimeTrigger``, with allowed lateness and a side output for
records that arrive later.
"""

from typing import ClassVar

import msgspec
import numpy as np
import pyarrow as pa

from explorer.engine.rows.batch import Batch, Longs
from explorer.engine.state.aggregate_state import (
    Added,
    Aggregates,
    Fired,
    KeyRows,
    at_once,
    joined_fired,
)
from explorer.engine.state.aggregates import Aggregate
from explorer.engine.state.keyed_state import OpenSlots, Runs
from explorer.engine.steps.keyed import KeyedStep
from explorer.engine.steps.planned import Outcome, PlanningRequest, distinct_types
from explorer.engine.steps.session_windows import Sessions
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import (
    MIN_WATERMARK,
    DropsLate,
    Emission,
    SubtaskContext,
    later,
)
from explorer.engine.steps.time_windows import over_at, window_starts, window_times
from explorer.engine.steps.window_plans import (
    TimeWindows,
    adapt_to_clock,
    plan_windows,
    window_keys,
)
from explorer.model.narrated_step import Details
from explorer.model.pipeline import Window
from explorer.model.row_type import RowType


class WindowAggregate(KeyedStep, Step, frozen=True, kw_only=True):
    """Aggregate rows by key and window; emit a window's row when it is complete."""

    verb: ClassVar = "puts it into windows"
    traits = Traits(order_sensitive=True, emits_each=False)
    aggregates: tuple[Aggregate, ...]
    windows: TimeWindows
    late_output: str | None = None
    """The tag of the side output for late records; None: they are dropped."""

    def work(
        self, operator: str, row_type: RowType, share: SubtaskContext
    ) -> "WindowAggregateWork":
        return WindowAggregateWork(operator, self, row_type)

    def explain_emission(self, emitted: Emitted) -> str:
        if emitted.tag is not None:
            return "All its windows were over, so it comes too late for them."
        assigner = self.windows.assigner
        return (
            f"It puts the row into its {assigner} windows, and a window's row goes on as it ends."
        )

    def explain_silence(self) -> str:
        return "The watermark had passed the end of all its windows: it comes too late."

    def facts(self, emitted: Emitted) -> Details:
        if emitted.tag is not None:
            return ()
        spans = tuple(f"{row['window_start']} to {row['window_end']}" for row in emitted.rows)
        return (("window", spans),)


def plan_time_windows(request: PlanningRequest, window: Window) -> Outcome:
    """Plan tumbling, sliding or session windows."""
    steps = [
        WindowAggregate(
            keys=window_keys(request, arriving),
            aggregates=request.aggregates(arriving),
            windows=plan_windows(request.t, window),
            row_type=request.given_type(arriving),
            late_output=window.late_output,
        )
        for arriving in request.arriving
    ]
    outcome = request.each(steps)
    if window.late_output is not None:
        tagged = {window.late_output: distinct_types([item.row_type for item in request.arriving])}
        outcome = msgspec.structs.replace(outcome, tagged=tagged)
    return adapt_to_clock(request, window, outcome)


class WindowAggregateWork(DropsLate):
    """Stores the open windows of every key."""

    def __init__(self, operator: str, step: WindowAggregate, input_type: RowType) -> None:
        self._operator, self._plan = operator, step
        self._watermark = MIN_WATERMARK
        self._keys = KeyRows()
        kind = Sessions if step.windows.assigner == "session" else _TimeWindows
        self._windows: _TimeWindows | Sessions = kind(step.windows, step.aggregates, input_type)

    def process(self, batch: Batch) -> list[Emission]:
        """Add records to their windows; a retained window that is over fires at once."""
        times = window_times(self._operator, self._plan.windows, batch)
        places = self._keys.of(batch, self._plan.keys)
        added = self._windows.add(batch, places, times, self._watermark)
        rows = self._rows(added.fired)
        # ``isElementLate``: no window accepted the record, and it is behind the watermark.
        tag, lateness = self._plan.late_output, self._plan.windows.lateness
        behind = added.late & (later(times, lateness) <= self._watermark)
        if tag is None:
            self.late_dropped += int(np.count_nonzero(behind))
        elif behind.any():
            rows.append((tag, batch.filter(behind)))
        return rows

    def advance(self, time: int) -> list[Emission]:
        """Emit the rows of all windows that end before ``time``, earliest first."""
        self._watermark = max(self._watermark, time)
        return self._rows(self._windows.fire(self._watermark))

    def _rows(self, fired: Fired | None) -> list[Emission]:
        if fired is None or not len(fired.places):
            return []
        ends = (pa.array(fired.starts), pa.array(fired.ends))
        columns = (*self._keys.at(fired.places), *ends, *fired.aggregates)
        # ``WindowOperator.emitWindowContents`` sets ``TimeWindow.maxTimestamp``: a second window of
        # the same size downstream then holds the row in the same window.
        return [(None, Batch(self._plan.row_type, columns, fired.ends - 1, fired.origins))]


class _TimeWindows:
    """Tumbling and sliding windows: a record's windows depend on its timestamp alone."""

    def __init__(
        self, windows: TimeWindows, aggregates: tuple[Aggregate, ...], input_type: RowType
    ) -> None:
        self._size, self._slide, self._lateness = windows.size, windows.slide, windows.lateness
        self._offset = windows.offset
        self._slots = OpenSlots()
        self._aggregates = Aggregates(aggregates, input_type)
        self._open = np.empty((4, 0), np.int64)
        """Shape (4, open windows): key place, window start, slot, and 1 where it has fired."""

    def add(self, batch: Batch, places: Longs, times: Longs, watermark: int) -> Added:
        """Fold records into their windows, a limited number at once."""
        maximum = at_once(self._size, self._slide)
        parts = []
        for start in range(0, max(len(batch), 1), maximum):
            stop = min(start + maximum, len(batch))
            mine = slice(start, stop)
            part = batch.slice(start, stop)
            parts.append(self._fold(part, places[mine], times[mine], watermark))
        late = np.concatenate([part.late for part in parts])
        return Added(late, joined_fired([part.fired for part in parts if part.fired]))

    def _fold(self, batch: Batch, places: Longs, times: Longs, watermark: int) -> Added:
        """Fold records into their windows; a closed window accepts no more."""
        records, starts = window_starts(times, self._size, self._slide, self._offset)
        # ``WindowOperator.isWindowLate`` compares the cleanup time, the last timestamp plus
        # lateness, with the watermark: a window whose cleanup time is reached is gone.
        live = over_at(starts + self._size, self._lateness) > watermark
        records, starts = records[live], starts[live]
        late = np.ones(len(batch), np.bool_)
        late[records] = False
        if not len(records):
            return Added(late)
        mine = places[records]
        slots, opened = self._slots.of(mine, starts)
        ends = starts + self._size
        # ``EventTimeTrigger.onElement`` fires at once where the watermark has passed the window's
        # last timestamp: each late record within the lateness emits the window's row again.
        array = ends - 1 <= watermark
        new = np.stack([mine[opened], starts[opened], slots[opened], array[opened]])
        self._open = np.hstack([self._open, new])
        rolled, origins = self._aggregates.roll(batch.take(records), Runs.of(slots))
        if not array.any():
            return Added(late)
        values = [column.filter(pa.array(array)) for column in rolled]
        traced = None if origins is None else origins.at(array)
        return Added(late, Fired(mine[array], starts[array], ends[array], values, traced))

    def fire(self, watermark: int) -> Fired:
        """Emit the windows that the watermark passes, and remove the closed ones."""
        ends = self._open[1] + self._size
        complete = (ends - 1 <= watermark) & (self._open[3] == 0)
        self._open[3, complete] = 1
        fired = self._open[:, complete]
        # Timers fire by time; the order of keys at one time depends on Flink's heap.
        places, starts, slots, _ = fired[:, np.lexsort((fired[0], fired[1]))]
        values, origins = self._aggregates.values(slots), self._aggregates.origins(slots)
        over = over_at(ends, self._lateness) <= watermark
        closed, self._open = self._open[2, over], self._open[:, ~over]
        self._slots.close(closed)
        self._aggregates.forget(closed)
        return Fired(places, starts, starts + self._size, values, origins)
