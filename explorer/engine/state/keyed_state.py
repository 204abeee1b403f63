"""Numbered places for the state of keys, and the aggregation of runs of one key at once.

Mirrors ``HeapKeyedStateBackend`` as far as rolling aggregates need it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from explorer.engine.rows.batch import Batch, Column, Longs, from_values, values_and_nulls
from explorer.engine.rows.java_hash import double_bits

_LONG_RUN: Final = 64
"""Minimum length of a run of one key that is folded on its own."""


class KeyedPlaces:
    """Assigns each distinct key a number, in order of first occurrence."""

    def __init__(self) -> None:
        self._places: dict[Any, int] = {}

    def __len__(self) -> int:
        return len(self._places)

    def of(self, batch: Batch, keys: Sequence[int]) -> Longs:
        """Return each record's place by its key's columns; without columns all have the same."""
        if not keys:
            return np.full(len(batch), self._places.setdefault((), 0), np.int64)
        coded = [_encode(batch.columns[key]) for key in keys]
        if len(coded) == 1:
            indices, values = coded[0]
            return self._numbers(values)[indices]
        # Shape (key columns, records).
        mixed = np.stack([indices for indices, _ in coded])
        combinations, array = np.unique(mixed, axis=1, return_inverse=True)
        lists = [values for _, values in coded]
        tuples = [
            tuple(values[index] for values, index in zip(lists, combination, strict=True))
            for combination in combinations.T.tolist()
        ]
        return self._numbers(tuples)[array.reshape(-1)]

    def _numbers(self, keys: Sequence[Any]) -> Longs:
        places = self._places
        # Most keys are soon known, and ``map`` finds them faster than a loop.
        result = list(map(places.get, keys))
        if None in result:
            result = [places.setdefault(key, len(places)) for key in keys]
        return np.array(result, np.int64)


class OpenSlots:
    """Assigns each distinct key a number while it is open; numbers are reused."""

    def __init__(self) -> None:
        self._slots: dict[tuple[int, int], int] = {}
        self._keys: list[tuple[int, int]] = []
        self._free: list[int] = []

    def of(self, first: Longs, second: Longs) -> tuple[Longs, Longs]:
        """Return each record's slot by two numbers, and the records that opened a slot."""
        order = np.lexsort((second, first))
        array, two = first[order], second[order]
        new = np.ones(len(order), np.bool_)
        new[1:] = (np.diff(array) != 0) | (np.diff(two) != 0)
        heads = order[new]
        opened: list[int] = []
        keys = zip(first[heads].tolist(), second[heads].tolist(), heads.tolist(), strict=True)
        result = [self._slot((value, two), head, opened) for value, two, head in keys]
        slots = np.empty(len(order), np.int64)
        slots[order] = np.array(result, np.int64)[np.cumsum(new) - 1]
        return slots, np.array(opened, np.int64)

    def _slot(self, key: tuple[int, int], record: int, opened: list[int]) -> int:
        slot = self._slots.get(key)
        if slot is not None:
            return slot
        opened.append(record)
        slot = self._free.pop() if self._free else len(self._keys)
        if slot == len(self._keys):
            self._keys.append(key)
        self._keys[slot] = key
        self._slots[key] = slot
        return slot

    def close(self, slots: Longs) -> None:
        """Release these slots for reuse."""
        for slot in slots.tolist():
            del self._slots[self._keys[slot]]
            self._free.append(slot)


def _encode(column: Column) -> tuple[Longs, list[Any]]:
    """Encode a column as indices into its distinct values, which are equal as in Java's ``equals``.

    DOUBLEs are compared by their bits: -0.0 is not 0.0, and NaN equals itself.
    """
    if pa.types.is_floating(column.type):
        numbers, nulls = values_and_nulls(column)
        # ``HeapKeyedStateBackend`` finds keys by ``Double.equals``, which compares
        # ``Double.doubleToLongBits``: by value, NaN would be a new key each time.
        column = from_values(double_bits(numbers), nulls)
    distinct = column.dictionary_encode("encode")
    indices = distinct.indices.to_numpy().astype(np.int64, copy=False)
    return indices, distinct.dictionary.to_pylist()


@dataclass(frozen=True, slots=True)
class Runs:
    """Records sorted by key; a run is the records of one key in order of arrival."""

    order: Longs
    """The record at each sorted position."""
    starts: Longs
    """The first sorted position of each run."""
    lengths: Longs
    places: Longs
    """The place of each run's key."""

    @classmethod
    def of(cls, places: Longs) -> "Runs":
        """Sort records by place; the order within a key stays."""
        # NumPy sorts numbers of 16 bits by radix, several times as fast.
        narrow = places.astype(np.uint16) if places.max(initial=0) < 1 << 16 else places
        order = np.argsort(narrow, kind="stable")
        ordered = places[order]
        starts = np.concatenate(([0], np.flatnonzero(np.diff(ordered)) + 1)).astype(np.int64)
        lengths = np.diff(np.append(starts, len(places)))
        return cls(order, starts, lengths, ordered[starts])

    @property
    def ends(self) -> Longs:
        """The last sorted position of each run."""
        return self.starts + self.lengths - 1

    def first_of_new(self, known: int) -> Longs:
        """Return the first record of each key with a place from ``known`` on, by place."""
        return self.order[self.starts[self.places >= known]]

    def back(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return sorted values in the records' order."""
        empty_like = np.empty_like(values)
        empty_like[self.order] = values
        return empty_like

    def fold(self, function: np.ufunc, values: npt.NDArray[Any]) -> None:
        """Replace each sorted value by ``function`` over its run up to it, strictly from the left.

        Long runs are folded one by one, short runs together step by step, so that sums of DOUBLE
        are rounded as if records came one at a time. Sums of LONG wrap around, so the sum within a
        run is a difference of sums over all records.
        """
        if function is np.add and values.dtype == np.int64:
            old_value = np.cumsum(values) - values
            values += old_value - np.repeat(old_value[self.starts], self.lengths)
            return
        long = self.lengths >= _LONG_RUN
        for start, length in zip(self.starts[long], self.lengths[long], strict=True):
            run = values[start : start + length]
            function.accumulate(run, out=run)
        starts, lengths = self.starts[~long], self.lengths[~long]
        # Floating-point sums are not associative: ``StreamGroupedReduceOperator`` adds record by
        # record, and another order differs in the last bits.
        for step in range(1, int(lengths.max(initial=0))):
            at = starts[lengths > step] + step
            values[at] = function(values[at - 1], values[at])
