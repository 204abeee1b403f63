"""Origins of the rows that a key or a window has aggregated, in addition to its accumulators."""

import numpy as np

from explorer.engine.operators.accumulators import grown
from explorer.engine.operators.keyed_state import Runs
from explorer.engine.rows.batch import Longs
from explorer.engine.rows.origins import NOTHING, Descent, Origins


class AggregatedOrigins:
    """By place, a number that comes of all the rows that came there; see ``Descent``."""

    def __init__(self) -> None:
        self._descent: Descent | None = None
        # One a place, with spare space at the end.
        self._state = np.empty(0, np.int64)

    def roll(self, origins: Origins | None, runs: Runs) -> Origins | None:
        """Add records; return what took part after each, in the records' order.

        None, where the run is not traced, stays None.
        """
        if origins is None:
            return None
        self._descent = origins.descent
        self._state = grown(self._state, int(runs.places.max(initial=-1)) + 1, NOTHING)
        numbers = self._joined(origins.descent, origins.numbers[runs.order], runs)
        self._state[runs.places] = numbers[runs.ends]
        return Origins(origins.descent, runs.back(numbers))

    def _joined(self, descent: Descent, own: Longs, runs: Runs) -> Longs:
        """By sorted record, its own number joined to what the place had before it."""
        before = self._state[runs.places]
        joins = np.ones(len(own), np.bool_)
        joins[runs.starts] = before != NOTHING
        numbers = own.copy()
        numbers[joins] = len(descent) + np.arange(np.count_nonzero(joins))
        previous = np.roll(numbers, 1)
        previous[runs.starts] = before
        descent.add(previous[joins], own[joins])
        return numbers

    def of(self, places: Longs) -> Origins | None:
        """What took part at these places as they stand; None where the run is not traced."""
        return None if self._descent is None else Origins(self._descent, self._state[places])

    def forget(self, places: Longs) -> None:
        """Begin anew at these places, as if no row had come there."""
        if self._descent is not None:
            self._state[places] = NOTHING
