"""Windows of a number of records of a key.

Mirrors ``countWindow(size)``, a ``GlobalWindows`` with a purging ``CountTrigger``, and
``countWindow(size, slide)``, one with a ``CountEvictor``.
"""

from typing import ClassVar

import numpy as np
import pyarrow as pa

from explorer.engine.rows.batch import Batch, Longs
from explorer.engine.rows.ragged import positions
from explorer.engine.state.accumulators import grown
from explorer.engine.state.aggregate_state import Aggregates, KeyRows, at_once
from explorer.engine.state.aggregates import Aggregate
from explorer.engine.state.keyed_state import OpenSlots, Runs
from explorer.engine.steps.keyed import KeyedStep, by_functions
from explorer.engine.steps.planned import Outcome, PlanningRequest
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import Emission, SubtaskContext, Waitless
from explorer.engine.steps.window_plans import size_and_slide, window_keys
from explorer.java_numbers import LONG_MAX
from explorer.model.pipeline import Window
from explorer.model.row_type import RowType


class CountWindows(KeyedStep, Step, frozen=True, kw_only=True):
    """Aggregate each key's last ``size`` rows at every ``slide`` of its rows."""

    verb: ClassVar = "counts it into windows"
    traits = Traits(order_sensitive=True, emits_each=False)
    aggregates: tuple[Aggregate, ...]
    size: int
    slide: int

    def work(self, operator: str, row_type: RowType, share: SubtaskContext) -> "CountWindowsWork":
        return CountWindowsWork(self, row_type)

    def explain_emission(self, emitted: Emitted) -> str:
        return (
            f"At every {self.slide:,} rows of a key it aggregates the last {self.size:,}: "
            f"{by_functions(self, self.aggregates)}."
        )

    def explain_silence(self) -> str:
        return f"Its key has not had the {self.slide:,} rows yet at which a window goes on."


def plan_count_windows(request: PlanningRequest, window: Window) -> Outcome:
    """Plan windows of a number of records."""
    size, slide = size_and_slide(request.t.id, window)
    steps = [
        CountWindows(
            keys=window_keys(request, arriving),
            aggregates=request.aggregates(arriving),
            size=size,
            slide=slide,
            row_type=request.given_type(arriving),
        )
        for arriving in request.arriving
    ]
    return request.each(steps)


class CountWindowsWork(Waitless):
    """Stores, for each key, the number of its records and its open windows.

    Window k of a key ends with record k times ``slide`` and has at most ``size`` records.
    """

    def __init__(self, step: CountWindows, input_type: RowType) -> None:
        self._plan = step
        self._keys = KeyRows()
        self._seen = np.empty(0, np.int64)
        """The number of records of each key, by place."""
        self._slots = OpenSlots()
        self._aggregates = Aggregates(step.aggregates, input_type)

    def process(self, batch: Batch) -> list[Emission]:
        maximum = at_once(self._plan.size, self._plan.slide)
        places = self._keys.of(batch, self._plan.keys)
        # Number each record among those of its key, from 0 on.
        self._seen = grown(self._seen, int(places.max(initial=-1)) + 1, 0)
        runs = Runs.of(places)
        within = np.arange(len(places)) - np.repeat(runs.starts, runs.lengths)
        numbers = runs.back(within) + self._seen[places]
        self._seen[runs.places] += runs.lengths
        pairs = []
        for start in range(0, len(batch), maximum):
            part = slice(start, start + maximum)
            records = batch.slice(start, min(start + maximum, len(batch)))
            pairs += self._fold(records, places[part], numbers[part])
        return pairs

    def _fold(self, batch: Batch, places: Longs, numbers: Longs) -> list[Emission]:
        size, slide = self._plan.size, self._plan.slide
        # ``CountTrigger`` counts every record of a key and ``CountEvictor`` keeps the last ones:
        # the first windows of a key are shorter than the size.
        first = numbers // slide + 1
        copies = np.maximum((numbers + size) // slide - first + 1, 0)
        records = np.repeat(np.arange(len(batch)), copies)
        if not len(records):
            return []
        windows = positions(first, copies)
        slots, _ = self._slots.of(places[records], windows)
        ends = numbers[records] + 1 == windows * slide
        rolled, origins = self._aggregates.roll(batch.take(records), Runs.of(slots))
        value = slots[ends]
        self._slots.close(value)
        self._aggregates.forget(value)
        if not len(value):
            return []
        picked = pa.array(np.flatnonzero(ends))
        aggregates = (column.take(picked) for column in rolled)
        columns = (*self._keys.at(places[records[ends]]), *aggregates)
        # ``GlobalWindow.maxTimestamp``
        times, traced = np.full(len(value), LONG_MAX), None if origins is None else origins.at(ends)
        return [(None, Batch(self._plan.row_type, columns, times, traced))]
