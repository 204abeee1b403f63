"""Accumulators of sum, min, max and count: one value of a column for each key or window.

As in SQL, NULLs are ignored; the aggregate of NULLs alone is NULL.
"""

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from explorer.engine.rows.batch import Column, from_values, values_and_nulls
from explorer.engine.rows.java_hash import double_bits
from explorer.engine.rows.utf16 import string_order
from explorer.engine.state.keyed_state import Runs
from explorer.java_numbers import LONG_MAX
from explorer.model.row_type import DOUBLE, STRING, ColumnType

_FOLDS: Final[dict[str, np.ufunc]] = {
    "sum": np.add,
    "count": np.add,
    "min": np.minimum,
    "max": np.maximum,
}


def accumulator(function: str, kind: ColumnType) -> "Accumulator":
    """Create the accumulator for ``function`` over a column of type ``kind``."""
    if kind is STRING:
        return _Texts(_FOLDS[function])
    if kind is DOUBLE and function != "sum":
        return _Doubles(_FOLDS[function])
    return _Numbers(_FOLDS[function], np.dtype(np.float64 if kind is DOUBLE else np.int64))


def grown(array: npt.NDArray[Any], size: int, filler: Any) -> npt.NDArray[Any]:
    """Return the array with space for ``size`` places; it at least doubles when it grows."""
    if size <= len(array):
        return array
    more = np.full(max(size, 2 * len(array)) - len(array), filler, array.dtype)
    return np.concatenate((array, more))


class _Numbers:
    """Aggregates of LONG and DOUBLE columns, and counts."""

    def __init__(self, fold: np.ufunc, dtype: np.dtype[Any]) -> None:
        self._fold = fold
        # The fold's identity. 0.0 plus -0.0 is 0.0, and the sum of a single -0.0 is -0.0 in Java.
        self._identity: float = 0 if dtype == np.int64 else -0.0
        if fold is not np.add:
            self._identity = int(np.iinfo(dtype).min if fold is np.maximum else np.iinfo(dtype).max)
        # One value per place, with spare space at the end.
        self._state = np.empty(0, dtype)
        self._seen = np.empty(0, np.bool_)

    @np.errstate(over="ignore", invalid="ignore")
    def roll(self, column: Column | None, runs: Runs) -> Column:
        """Add records (None: each counts as 1); return the aggregate after each.

        As in Java, a sum that is too large is Infinity, and one of both infinities is NaN.
        """
        sorted_values, present = self._sort_by_run(column, runs)
        size = int(runs.places.max(initial=-1)) + 1
        self._state = grown(self._state, size, self._identity)
        self._seen = grown(self._seen, size, filler=False)
        first, places = runs.starts, runs.places
        sorted_values[first] = self._fold(self._state[places], sorted_values[first])
        runs.fold(self._fold, sorted_values)
        present[first] |= self._seen[places]
        if not present.all():
            runs.fold(np.logical_or, present)
        self._state[places] = sorted_values[runs.ends]
        self._seen[places] = present[runs.ends]
        missing = None if present.all() else ~runs.back(present)
        return from_values(runs.back(sorted_values), missing)

    def _sort_by_run(
        self, column: Column | None, runs: Runs
    ) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
        if column is None:
            array = np.ones(len(runs.order), np.int64)
            return array, np.ones(len(array), np.bool_)
        values, nulls = values_and_nulls(column)
        if nulls is None:
            return values[runs.order], np.ones(len(values), np.bool_)
        filled = np.where(nulls, self._identity, values).astype(values.dtype)
        return filled[runs.order], ~nulls[runs.order]

    def values(self, places: npt.NDArray[np.int64]) -> Column:
        visited = self._seen[places]
        return from_values(self._state[places], None if visited.all() else ~visited)

    def forget(self, places: npt.NDArray[np.int64]) -> None:
        self._state[places] = self._identity
        self._seen[places] = False


class _Doubles(_Numbers):
    """Least and greatest DOUBLEs as ``Double.compareTo`` orders: -0.0 before 0.0, NaN above all."""

    def __init__(self, fold: np.ufunc) -> None:
        super().__init__(fold, np.dtype(np.int64))

    def roll(self, column: Column | None, runs: Runs) -> Column:
        values, nulls = values_and_nulls(column)
        return _doubles_of_bits(super().roll(from_values(in_order(values), nulls), runs))

    def values(self, places: npt.NDArray[np.int64]) -> Column:
        return _doubles_of_bits(super().values(places))


def in_order(numbers: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Map numbers to LONGs with the order of Java's ``compareTo``."""
    if numbers.dtype == np.float64:
        return _order_bits(double_bits(numbers).view(np.int64))
    return numbers


def _doubles_of_bits(ranks: Column) -> Column:
    values, nulls = values_and_nulls(ranks)
    return from_values(_order_bits(values).view(np.float64), nulls)


def _order_bits(bits: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Reverse the order of negative numbers, which count backwards in their bits."""
    return np.where(bits < 0, bits ^ np.int64(LONG_MAX), bits)


class _Texts:
    """Least and greatest texts: folded as ranks among the texts of a batch and of its keys."""

    def __init__(self, fold: np.ufunc) -> None:
        self._fold = fold
        self._state: list[str | None] = []

    def roll(self, column: Column | None, runs: Runs) -> Column:
        retained = self.values(runs.places)
        texts, ranks = ranked(pa.concat_arrays([retained, column]))
        folded = _Numbers(self._fold, np.dtype(np.int64))
        folded.roll(ranks[: len(retained)], Runs.of(runs.places))
        rolled = folded.roll(ranks[len(retained) :], runs)
        size = int(runs.places.max(initial=-1)) + 1
        self._state += [None] * (size - len(self._state))
        latest = texts.take(folded.values(runs.places)).to_pylist()
        for place, text in zip(runs.places.tolist(), latest, strict=True):
            self._state[place] = text
        return texts.take(rolled)

    def values(self, places: npt.NDArray[np.int64]) -> Column:
        known = len(self._state)
        retained = [self._state[at] if at < known else None for at in places.tolist()]
        return pa.array(retained, pa.string())

    def forget(self, places: npt.NDArray[np.int64]) -> None:
        for place in places.tolist():
            self._state[place] = None


Accumulator: TypeAlias = _Numbers | _Texts
"""One aggregated column by place."""


def ranked(texts: Column) -> tuple[Column, Column]:
    """Return the distinct texts in the order of ``String.compareTo``, and each text's rank."""
    coded = texts.dictionary_encode()
    order = string_order(coded.dictionary)
    rank_of = np.empty(len(order), np.int64)
    rank_of[order] = np.arange(len(order))
    return coded.dictionary.take(pa.array(order)), pa.array(rank_of).take(coded.indices)
