"""Origins of the rows that a key or a window has aggregated, next to its accumulators."""

import numpy as np

from explorer.engine.rows.batch import Longs
from explorer.engine.rows.origins import NOTHING, Descent, Origins
from explorer.engine.state.accumulators import grown
from explorer.engine.state.keyed_state import Runs


class AggregatedOrigins:
    """Stores for each place the number that was made from all its rows; see ``Descent``."""

    def __init__(self) -> None:
        self._descent: Descent | None = None
        # One a place, with spare space at the end.
        self._state = np.empty(0, np.int64)

    def roll(self, origins: Origins | None, runs: Runs) -> Origins | None:
        """Add records; return the origins after each, or None in a run without tracing."""
        if origins is None:
            return None
        self._descent = origins.descent
        self._state = grown(self._state, int(runs.places.max(initial=-1)) + 1, NOTHING)
        # Each record's own number is joined to the number of its place, except at a new place.
        new_origins, old_array = origins.numbers[runs.order], self._state[runs.places]
        joins = np.ones(len(new_origins), np.bool_)
        joins[runs.starts] = old_array != NOTHING
        numbers = new_origins.copy()
        numbers[joins] = len(origins.descent) + np.arange(np.count_nonzero(joins))
        previous = np.roll(numbers, 1)
        previous[runs.starts] = old_array
        origins.descent.add(previous[joins], new_origins[joins])
        self._state[runs.places] = numbers[runs.ends]
        return Origins(origins.descent, runs.back(numbers))

    def of(self, places: Longs) -> Origins | None:
        """Return the current origins of these places; None in a run without tracing."""
        return None if self._descent is None else Origins(self._descent, self._state[places])

    def forget(self, places: Longs) -> None:
        if self._descent is not None:
            self._state[places] = NOTHING
