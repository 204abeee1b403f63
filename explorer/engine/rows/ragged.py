"""Byte strings of different lengths, many at once: the parts of serialised records."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.engine.rows.batch import Longs

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Ragged:
    """Concatenated byte strings."""

    data: Bytes
    """All bytes: as many as the sum of the lengths."""
    lengths: Longs
    """The length of each byte string."""

    @classmethod
    def fixed(cls, table: Bytes) -> "Ragged":
        """Create byte strings of one length from a table of shape (strings, bytes)."""
        count, width = table.shape
        return cls(np.ascontiguousarray(table).reshape(-1), np.full(count, width, np.int64))

    @property
    def starts(self) -> Longs:
        """The position of the first byte of each string."""
        return np.cumsum(self.lengths) - self.lengths

    def keep(self, rows: npt.NDArray[np.bool_]) -> "Ragged":
        """Empty every byte string for which ``rows`` is false."""
        return Ragged(self.data[np.repeat(rows, self.lengths)], np.where(rows, self.lengths, 0))


def positions(starts: Longs, lengths: Longs) -> Longs:
    """Return the index of every byte of the strings that begin at ``starts``.

    >>> positions(np.array([10, 20]), np.array([2, 3])).tolist()
    [10, 11, 20, 21, 22]
    """
    shift = np.repeat(starts - (np.cumsum(lengths) - lengths), lengths)
    return shift + np.arange(len(shift))


def interleave(parts: Sequence[Ragged]) -> Ragged:
    """Join the parts string by string: all parts of the first, then all of the second."""
    lengths: Longs = np.zeros_like(parts[0].lengths)
    for part in parts:
        lengths = lengths + part.lengths
    cursor = np.cumsum(lengths) - lengths
    data = np.empty(int(lengths.sum()), np.uint8)
    for part in parts:
        data[positions(cursor, part.lengths)] = part.data
        cursor = cursor + part.lengths
    return Ragged(data, lengths)


def varint_widths(numbers: npt.NDArray[Any]) -> Longs:
    """Return how many groups of seven bits each number needs."""
    widths = np.ones(len(numbers), np.int64)
    bound, largest = 0x80, int(numbers.max(initial=0))
    while bound <= largest:
        widths += numbers >= bound
        bound <<= 7
    return widths


def varints(numbers: npt.NDArray[Any]) -> Ragged:
    """Encode numbers in groups of seven bits, lowest first, all but the last with the high bit."""
    widths = varint_widths(numbers)
    data = np.empty(int(widths.sum()), np.uint8)
    starts = np.cumsum(widths) - widths
    for group in range(int(widths.max(initial=0))):
        reach = widths > group
        # ``StringValue.writeString`` writes the lowest seven bits first, and sets the high bit
        # while more follow.
        bits = (numbers[reach] >> (7 * group)) & 0x7F
        data[starts[reach] + group] = bits | np.where(widths[reach] > group + 1, 0x80, 0)
    return Ragged(data, widths)
