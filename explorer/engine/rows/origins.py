"""Origins of rows in a traced run: a number for each row, and the numbers it was made from.

Flink's records have no such number; a traced run assigns one to every record that an operator
emits. A number has one parent (a record made from one record), two (records that were combined) or
none (a source's row). So a row with thousands of origins needs one number per row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

NOTHING: Final = -1
"""Stands for a missing parent of a number."""

Numbers: TypeAlias = npt.NDArray[np.int64]
Places: TypeAlias = Numbers | npt.NDArray[np.bool_] | slice
"""Selects records of a batch: by indices, by a mask over all records, or as a slice."""


class Descent:
    """All numbers of a run, from 0 on, each greater than its parents."""

    def __init__(self) -> None:
        self._parts: list[Numbers] = []
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def add(self, first: Numbers, second: Numbers | None = None) -> Numbers:
        """Create numbers, each with the parents at its position in ``first`` and ``second``."""
        other_array = np.full(len(first), NOTHING, np.int64) if second is None else second
        self._parts.append(np.stack([first, other_array]))
        self._size += len(first)
        return np.arange(self._size - len(first), self._size)

    def sources(self, count: int) -> Numbers:
        """Create numbers without parents."""
        return self.add(np.full(count, NOTHING, np.int64))

    def parents(self) -> Numbers:
        """Return the two parents of each number, -1 for none; shape (2, numbers)."""
        return np.hstack([np.empty((2, 0), np.int64), *self._parts])


@dataclass(frozen=True, slots=True)
class Origins:
    """The number of each record of a batch."""

    descent: Descent
    numbers: Numbers

    def at(self, places: Places) -> "Origins":
        """Return the origins of the records at ``places``."""
        return Origins(self.descent, self.numbers[places])

    def joined(self, other: "Origins | None") -> "Origins":
        """Combine origins record by record; ``other``: origins of as many records, or None."""
        if other is None:
            return self
        return Origins(self.descent, self.descent.add(self.numbers, other.numbers))


def joined_ends(batches: Sequence[Origins | None]) -> Origins | None:
    """Concatenate the origins of batches; None if one of them has none."""
    result = [batch for batch in batches if batch is not None]
    if not result or len(result) < len(batches):
        return None
    return Origins(result[0].descent, np.concatenate([item.numbers for item in result]))
