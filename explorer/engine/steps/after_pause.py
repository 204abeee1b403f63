"""Emits a key's last row after a pause: the state shape ``pause``.

Mirrors ``KeyedProcessOperator`` over a function with an event-time timer.
"""

from typing import ClassVar

import numpy as np
import pyarrow as pa

from explorer.engine.rows.batch import Batch
from explorer.engine.state.accumulators import grown
from explorer.engine.state.aggregated_origins import AggregatedOrigins
from explorer.engine.state.keyed_state import KeyedPlaces, Runs
from explorer.engine.state.latest_rows import LatestRows
from explorer.engine.steps.keyed import KeyedStep, ShapedState
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import MIN_WATERMARK, Emission, SubtaskContext, times_of
from explorer.model.row_type import RowType


class AfterPause(KeyedStep, Step, frozen=True, kw_only=True):
    """Emit a key's last row and row count when it has had no row for ``gap`` milliseconds."""

    verb: ClassVar = "waits for a pause"
    traits = Traits(order_sensitive=True, emits_each=False)
    gap: int

    def work(self, operator: str, row_type: RowType, share: SubtaskContext) -> "AfterPauseWork":
        return AfterPauseWork(operator, self)

    def explain_emission(self, emitted: Emitted) -> str:
        return f"Its key had no other row for {self.gap:,} ms, and a timer fired."

    def explain_silence(self) -> str:
        return f"Another row of its key came within {self.gap:,} ms."


def plan_shape(state: ShapedState) -> AfterPause:
    """Plan the timer of each key."""
    return AfterPause(keys=state.keys, gap=state.state.gap or 1, row_type=state.row_type)


class AfterPauseWork:
    """A timer for each key, postponed by every later row; when it fires, the last row is emitted.

    The timer is set to the key's highest timestamp plus the gap, like one that is deleted and
    registered again; a timer before the watermark fires with the next watermark.
    """

    def __init__(self, operator: str, step: AfterPause) -> None:
        self._operator, self._plan = operator, step
        self._keys = KeyedPlaces()
        self._due = np.empty(0, np.int64)
        self._count = np.empty(0, np.int64)
        """By place: when the timer fires, and the number of rows since the last pause."""
        self._rows = LatestRows()
        self._origins = AggregatedOrigins()

    def process(self, batch: Batch) -> list[Emission]:
        """Count rows, store each key's last, and postpone its timer."""
        times = times_of(self._operator, "state", batch)
        runs = Runs.of(self._keys.of(batch, self._plan.keys))
        self._due = grown(self._due, len(self._keys), MIN_WATERMARK)
        self._count = grown(self._count, len(self._keys), 0)
        highest = times[runs.order] + self._plan.gap
        runs.fold(np.maximum, highest)
        places = runs.places
        self._due[places] = np.maximum(self._due[places], highest[runs.ends])
        self._count[places] += runs.lengths
        self._origins.roll(batch.origins, runs)
        newest = batch.take(runs.order[runs.ends]).with_origins(None)
        self._rows.put(newest, places)
        return []

    def advance(self, time: int) -> list[Emission]:
        """Emit the last row and the number of rows of keys with a due timer, earliest first."""
        fired = np.flatnonzero((self._count > 0) & (self._due <= time))
        fired = fired[np.argsort(self._due[fired], kind="stable")]
        columns = self._rows.columns(fired)
        if columns is None or not len(fired):
            return []
        counts, origins = pa.array(self._count[fired]), self._origins.of(fired)
        batch = Batch(self._plan.row_type, (*columns, counts), self._due[fired], origins)
        for state in (self._rows, self._origins):
            state.forget(fired)
        self._due[fired], self._count[fired] = MIN_WATERMARK, 0
        return [(None, batch)]
