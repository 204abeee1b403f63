"""A keyed process function's state in one of a few shapes, over whole batches.

Mirrors ``KeyedProcessOperator`` over a ``KeyedProcessFunction`` that keeps a ``ValueState``, a
``MapState`` or a ``ListState``, and one with an event-time timer.
"""

from bisect import bisect_right

import numpy as np
import pyarrow as pa

from explorer.engine import plan
from explorer.engine.operators.accumulators import accumulator, grown, in_order
from explorer.engine.operators.kept_origins import KeptOrigins
from explorer.engine.operators.keyed_state import KeyedPlaces, Runs
from explorer.engine.operators.latest_rows import LatestRows
from explorer.engine.operators.step import MIN_WATERMARK, Emission, Waitless, times_of
from explorer.engine.rows.batch import Batch, Column, Longs, values_and_nulls
from explorer.engine.rows.origins import NOTHING, Origins
from explorer.model.row_type import LONG, RowType


def extended(batch: Batch, row_type: RowType, column: Column) -> Batch:
    """The same records with one more column."""
    return Batch(row_type, (*batch.columns, column), batch.timestamps, batch.origins)


class RunningColumn(Waitless):
    """How many rows a key has had, or what a column of theirs comes to."""

    def __init__(self, step: plan.RunningColumn, input_type: RowType) -> None:
        self._plan, self._keys = step, KeyedPlaces()
        column = step.aggregate.column
        kind = LONG if column is None else input_type.types[column]
        self._kept = accumulator(step.aggregate.function, kind)
        self._origins = KeptOrigins()

    def process(self, batch: Batch) -> list[Emission]:
        """Every row, with its key's aggregate up to it."""
        runs = Runs.of(self._keys.of(batch, self._plan.keys))
        column = self._plan.aggregate.column
        rolled = self._kept.roll(None if column is None else batch.columns[column], runs)
        made = extended(batch, self._plan.row_type, rolled)
        return [(None, made.with_origins(self._origins.roll(batch.origins, runs)))]


class PreviousValue(Waitless):
    """What a key's row before had in a column."""

    def __init__(self, step: plan.PreviousValue) -> None:
        self._plan, self._keys = step, KeyedPlaces()
        self._last: Column | None = None
        """By place the value of the key's newest row."""
        self._origins = np.empty(0, np.int64)
        """By place the number of that row, where the run is traced."""

    def process(self, batch: Batch) -> list[Emission]:
        """Every row, with the value before it; NULL behind a key's first."""
        runs = Runs.of(self._keys.of(batch, self._plan.keys))
        values = batch.columns[self._plan.column]
        known = 0 if self._last is None else len(self._last)
        more = len(self._keys) - known
        nothing = pa.nulls(more, values.type)
        kept = nothing if self._last is None else pa.concat_arrays([self._last, nothing])
        every = pa.concat_arrays([kept, values])
        before = np.empty(len(batch), np.int64)
        before[1:] = len(kept) + runs.order[:-1]
        before[runs.starts] = runs.places
        newest = np.arange(len(kept))
        newest[runs.places] = len(kept) + runs.order[runs.ends]
        self._last = every.take(pa.array(newest))
        places = runs.back(before)
        made = extended(batch, self._plan.row_type, every.take(pa.array(places)))
        return [(None, made.with_origins(self._traced(batch.origins, places, newest)))]

    def _traced(self, origins: Origins | None, before: Longs, newest: Longs) -> Origins | None:
        """What each row is made of: itself and the one before it; places as in ``process``."""
        if origins is None:
            return None
        kept = grown(self._origins, len(newest), NOTHING)[: len(newest)]
        every = np.concatenate([kept, origins.numbers])
        self._origins = every[newest]
        return origins.joined(Origins(origins.descent, every[before]))


class FirstOnly(Waitless):
    """The first row of each key, or of each value within it."""

    def __init__(self, step: plan.FirstOnly) -> None:
        self._plan, self._seen = step, KeyedPlaces()

    def process(self, batch: Batch) -> list[Emission]:
        """The rows whose like has not come before."""
        known = len(self._seen)
        runs = Runs.of(self._seen.of(batch, self._plan.columns))
        first = np.sort(runs.first_of_new(known))
        return [(None, batch.take(first))] if len(first) else []


class Greatest(Waitless):
    """The rows that are among their key's greatest when they come; of equal ones the earlier."""

    def __init__(self, step: plan.Greatest) -> None:
        self._plan, self._keys = step, KeyedPlaces()
        self._kept: list[list[int]] = []
        """By place the greatest numbers, negated: bisect wants them to rise."""
        self._least = np.empty(0, np.int64)
        """By place what a row must be above; no bound where there is room."""
        self._full = np.empty(0, np.bool_)

    def process(self, batch: Batch) -> list[Emission]:
        """The rows that get into the list, with the rank that they have then."""
        places = self._keys.of(batch, self._plan.keys)
        self._reserve(int(places.max(initial=-1)) + 1)
        numbers, nulls = values_and_nulls(batch.columns[self._plan.column])
        ordered = in_order(numbers)
        may = ~self._full[places] | (ordered > self._least[places])
        candidates = np.flatnonzero(may if nulls is None else may & ~nulls)
        pairs = zip(places[candidates].tolist(), ordered[candidates].tolist(), strict=True)
        ranks = np.array([self._rank(place, value) for place, value in pairs], np.int64)
        inside = ranks > 0
        if not inside.any():
            return []
        taken = batch.take(candidates[inside])
        return [(None, extended(taken, self._plan.row_type, pa.array(ranks[inside])))]

    def _reserve(self, size: int) -> None:
        self._kept += [[] for _ in range(size - len(self._kept))]
        self._least = grown(self._least, size, 0)
        self._full = grown(self._full, size, filler=False)

    def _rank(self, place: int, value: int) -> int:
        """The number's rank in its key's list, from 1 on; 0: it does not get into it."""
        kept, size = self._kept[place], self._plan.size
        rank = bisect_right(kept, -value)
        if rank >= size:
            return 0
        kept.insert(rank, -value)
        del kept[size:]
        if len(kept) == size:
            self._full[place], self._least[place] = True, -kept[-1]
        return rank + 1


class AfterPause:
    """A timer for each key, put off by every later row; when it fires the key's last row goes on.

    The timer stands at the key's highest timestamp plus the gap, as one that is deleted and set
    anew; one that is set behind the watermark fires with the next.
    """

    def __init__(self, operator: str, step: plan.AfterPause) -> None:
        self._operator, self._plan = operator, step
        self._keys = KeyedPlaces()
        self._due = np.empty(0, np.int64)
        self._count = np.empty(0, np.int64)
        """Both by place: when the timer fires, and rows since the last pause."""
        self._rows = LatestRows()
        self._origins = KeptOrigins()

    def process(self, batch: Batch) -> list[Emission]:
        """Count rows, keep each key's last, and put its timer off."""
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
        """The keys whose timer fires, earliest first: last row and number of rows."""
        fired = np.flatnonzero((self._count > 0) & (self._due <= time))
        fired = fired[np.argsort(self._due[fired], kind="stable")]
        columns = self._rows.columns(fired)
        if columns is None or not len(fired):
            return []
        counts, origins = pa.array(self._count[fired]), self._origins.of(fired)
        made = Batch(self._plan.row_type, (*columns, counts), self._due[fired], origins)
        for kept in (self._rows, self._origins):
            kept.forget(fired)
        self._due[fired], self._count[fired] = MIN_WATERMARK, 0
        return [(None, made)]
