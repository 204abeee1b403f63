"""Stored rows of joins and windows, with key places and times.

Mirrors the ``MapState`` and ``ListState`` in which Flink's joins and merging windows keep rows.
"""

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np

from explorer.engine.rows.batch import Batch, Bools, Longs, concat

Part: TypeAlias = tuple[Batch, Longs, Longs]
"""Rows, with the place of the key and the time of each."""


class BufferedRows:
    """Rows in order of arrival, in parts."""

    def __init__(self) -> None:
        self._parts: list[Part] = []

    def __bool__(self) -> bool:
        return bool(self._parts)

    @property
    def places(self) -> Longs:
        return np.concatenate([np.empty(0, np.int64), *(places for _, places, _ in self._parts)])

    @property
    def times(self) -> Longs:
        return np.concatenate([np.empty(0, np.int64), *(times for *_, times in self._parts)])

    def add(self, batch: Batch, places: Longs, times: Longs) -> None:
        """Add rows; an empty batch changes nothing."""
        if len(batch):
            self._parts.append((batch, places, times))

    def add_in_turn(self, part: Part, late: Bools) -> Iterator[tuple[int, Part]]:
        """Store all rows but late ones; yield each late row once all earlier rows are stored.

        A late row is yielded with its position.
        """
        batch, places, times = part
        start = 0
        for at in np.flatnonzero(late).tolist():
            self.add(batch.slice(start, at), places[start:at], times[start:at])
            start = at + 1
            yield at, (batch.slice(at, start), places[at:start], times[at:start])
        self.add(batch.slice(start, len(batch)), places[start:], times[start:])

    def all(self) -> Part:
        """Return all rows as one part; there must be at least one row."""
        if len(self._parts) > 1:
            batch = concat([batch for batch, *_ in self._parts])
            self._parts = [(batch, self.places, self.times)]
        return self._parts[0]

    def sort(self) -> None:
        """Sort the rows by place and then by time; there must be at least one row."""
        batch, places, times = self.all()
        order = np.lexsort((times, places))
        self._parts = [(batch.take(order), places[order], times[order])]

    def where(self, chosen: Bools) -> Iterator[Part]:
        """Yield the rows for which ``chosen`` is true, in parts that are not empty."""
        start = 0
        for batch, places, times in self._parts:
            mine = chosen[start : start + len(batch)]
            start += len(batch)
            if mine.all():
                yield batch, places, times
            elif mine.any():
                yield batch.filter(mine), places[mine], times[mine]

    def keep(self, stays: Bools) -> None:
        self._parts = list(self.where(stays))
