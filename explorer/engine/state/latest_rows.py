"""The newest row of each place, stored as columns, so that lookups are vectorized."""

import numpy as np
import pyarrow as pa

from explorer.engine.rows.batch import Batch, Column, Longs, concat
from explorer.engine.rows.origins import NOTHING, Origins
from explorer.engine.state.accumulators import grown

_NONE = -1
_SPARE = 1024
"""Limit of unneeded rows before they are removed."""


class LatestRows:
    """Stores the newest row of each place."""

    def __init__(self) -> None:
        self._rows: Batch | None = None
        self._at = np.empty(0, np.int64)
        """The position of each place's row among the stored rows; below 0: there is none."""

    def put(self, rows: Batch, places: Longs) -> None:
        """Store rows, each as the newest of its place."""
        self._at = grown(self._at, int(places.max(initial=-1)) + 1, _NONE)
        retained = self._rows
        bare = rows.with_timestamps(None)
        if retained is None:
            self._rows, self._at[places] = bare, np.arange(len(bare))
            return
        self._at[places] = len(retained) + np.arange(len(bare))
        held_array = np.flatnonzero(self._at >= 0)
        batch = concat([retained, bare])
        if len(batch) <= 2 * len(held_array) + _SPARE:
            self._rows = batch
            return
        self._rows = batch.take(self._at[held_array])
        self._at[held_array] = np.arange(len(held_array))

    def columns(self, places: Longs) -> tuple[Column, ...] | None:
        """Return the rows at these places, NULLs where there is none; None: no row has arrived."""
        if self._rows is None:
            return None
        at = self._positions(places)
        picked = pa.array(at, mask=at < 0)
        return tuple(column.take(picked) for column in self._rows.columns)

    def traced(self, origins: Origins | None, places: Longs) -> Origins | None:
        """Join the origins of records with those of the rows at their places."""
        if origins is None or self._rows is None or self._rows.origins is None:
            return origins
        at, numbers = self._positions(places), self._rows.origins.numbers
        theirs = np.where(at < 0, NOTHING, numbers[at])
        return origins.joined(Origins(origins.descent, theirs))

    def forget(self, places: Longs) -> None:
        self._at[places] = _NONE

    def _positions(self, places: Longs) -> Longs:
        self._at = grown(self._at, int(places.max(initial=-1)) + 1, _NONE)
        at: Longs = self._at[places]
        return at
