"""Origins of rows in a traced run: a number for each row, and the numbers it was made from.

Flink's records carry nothing of the kind; a run that is traced gives every record that an operator
emits a number of its own. A number comes of another (a record made of one record), of two that
took part together, or of none (a source's row). So a row with thousands of origins needs one number
a row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

NOTHING: Final = -1
"""Where a number comes of one other, or of none."""

Numbers: TypeAlias = npt.NDArray[np.int64]
Places: TypeAlias = Numbers | npt.NDArray[np.bool_] | slice
"""Of some records of a batch: their indices, a mask with one for every record, or from where on."""


class Descent:
    """All numbers of a run, from 0 on, each later than those that it comes of."""

    def __init__(self) -> None:
        self._parts: list[Numbers] = []
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def add(self, first: Numbers, second: Numbers | None = None) -> Numbers:
        """New numbers, each of what stands at its place in ``first`` and ``second``."""
        other = np.full(len(first), NOTHING, np.int64) if second is None else second
        self._parts.append(np.stack([first, other]))
        self._size += len(first)
        return np.arange(self._size - len(first), self._size)

    def sources(self, count: int) -> Numbers:
        """New numbers that come of none."""
        return self.add(np.full(count, NOTHING, np.int64))

    def parents(self) -> Numbers:
        """By number, the two that it comes of, -1 for none; shape (2, numbers)."""
        return np.hstack([np.empty((2, 0), np.int64), *self._parts])


@dataclass(frozen=True, slots=True)
class Origins:
    """By record of a batch, the number of its origin."""

    descent: Descent
    numbers: Numbers

    def at(self, places: Places) -> "Origins":
        """Those of the records at some places."""
        return Origins(self.descent, self.numbers[places])

    def joined(self, other: "Origins | None") -> "Origins":
        """Record by record, what comes of both; ``other``: of as many records, None of none."""
        if other is None:
            return self
        return Origins(self.descent, self.descent.add(self.numbers, other.numbers))


def joined_ends(batches: Sequence[Origins | None]) -> Origins | None:
    """Those of batches behind one another; None where one of them has none."""
    found = [one for one in batches if one is not None]
    if not found or len(found) < len(batches):
        return None
    return Origins(found[0].descent, np.concatenate([one.numbers for one in found]))
