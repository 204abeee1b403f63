"""Generates row ``k`` of a source as a function of the seed, the column and ``k`` alone.

So every subtask generates only its own rows, and the rows do not depend on the parallelism. The
random numbers are SplitMix64 of a row's number.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from explorer.engine.rows.batch import ARROW, Batch, Column, Longs
from explorer.model.pipeline import GeneratedColumn, GeneratedRows
from explorer.model.row_type import LONG, ColumnType, RowType

Doubles: TypeAlias = npt.NDArray[np.float64]
Bits: TypeAlias = npt.NDArray[np.uint64]
_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_FIRST: Final = np.uint64(0xBF58476D1CE4E5B9)
_SECOND: Final = np.uint64(0x94D049BB133111EB)
_FRACTION: Final = 2.0**-53


def generated(rows: GeneratedRows, row_type: RowType, numbers: Longs) -> Batch:
    """Generate the rows with these numbers, counted from 0."""
    columns = []
    for (name, column), kind in zip(rows.columns.items(), row_type.types, strict=True):
        draws = _Draws(f"{rows.seed} {name}", numbers)
        if_else = _MAKERS[column.draw](column, kind, draws)
        if column.nulls:
            if_else = pc.if_else(pa.array(draws.uniform("nulls") < column.nulls), None, if_else)
        columns.append(if_else)
    return Batch(row_type, tuple(columns))


class _Draws:
    """The random numbers of one column's rows, by use."""

    def __init__(self, column: str, numbers: Longs) -> None:
        self._column, self.numbers = column, numbers

    def uniform(self, use: str = "") -> Doubles:
        """Draw a number from 0 up to 1 for each row."""
        return (self._bits(use) >> np.uint64(11)).astype(np.float64) * _FRACTION

    def below(self, maximum: int, use: str = "") -> Longs:
        """Draw a whole number from 0 up to ``maximum`` for each row."""
        return np.minimum(self.uniform(use) * maximum, maximum - 1).astype(np.int64)

    def _bits(self, use: str) -> Bits:
        key = blake2b(f"{self._column} {use}".encode(), digest_size=8).digest()
        start = np.uint64(int.from_bytes(key, "big"))
        with np.errstate(over="ignore"):
            mixed = start + (self.numbers.astype(np.uint64) + np.uint64(1)) * _STEP
            mixed = (mixed ^ (mixed >> np.uint64(30))) * _FIRST
            mixed = (mixed ^ (mixed >> np.uint64(27))) * _SECOND
        return mixed ^ (mixed >> np.uint64(31))


def _count_up(column: GeneratedColumn, numbers: Longs) -> Longs:
    step = 1 if column.step is None else column.step
    first = np.int64(int(column.first or 0))
    with np.errstate(over="ignore"):
        return first + numbers * np.int64(step)


def _time(column: GeneratedColumn, kind: ColumnType, draws: _Draws) -> Column:
    """Times with a fixed step, each reduced by up to the disorder."""
    times = _count_up(column, draws.numbers)
    return pa.array(times - draws.below(column.disorder + 1) if column.disorder else times)


def _uniform(column: GeneratedColumn, kind: ColumnType, draws: _Draws) -> Column:
    first, last = column.first or 0, column.last or 0
    if kind is LONG:
        # The range of all LONGs exceeds a LONG: NumPy's sum overflows to the correct number.
        with np.errstate(over="ignore"):
            steps = np.floor(draws.uniform() * (float(last) - float(first) + 1.0))
            offsets = np.minimum(steps, float(int(last) - int(first))).astype(np.uint64)
            return pa.array((np.int64(int(first)).astype(np.uint64) + offsets).astype(np.int64))
    return pa.array(first + draws.uniform() * (last - first))


def _normal(column: GeneratedColumn, kind: ColumnType, draws: _Draws) -> Column:
    """Normally distributed numbers by the Box-Muller transform."""
    radius = np.sqrt(-2.0 * np.log1p(-draws.uniform("radius")))
    unit = radius * np.cos(2.0 * np.pi * draws.uniform("angle"))
    return pa.array((column.mean or 0.0) + (column.deviation or 0.0) * unit)


def _zipf(column: GeneratedColumn, kind: ColumnType, draws: _Draws) -> Column:
    """Keys from 1 on; the frequency of key k is proportional to 1 / k ** exponent."""
    exponent = 1.0 if column.exponent is None else column.exponent
    keys = 1 + np.searchsorted(_shares(column.keys or 1, exponent), draws.uniform(), side="right")
    if kind is LONG:
        return pa.array(keys.astype(np.int64))
    distinct, array = np.unique(keys, return_inverse=True)
    names = pa.array([f"{column.prefix}{key}" for key in distinct.tolist()], pa.string())
    return names.take(pa.array(array))


@lru_cache(maxsize=8)
def _shares(keys: int, exponent: float) -> Doubles:
    """Return the cumulative share of rows of each key but the last."""
    weights = np.cumsum(np.arange(1, keys + 1, dtype=np.float64) ** -exponent)
    array: Doubles = weights[:-1] / weights[-1]
    return array


def _choice(column: GeneratedColumn, kind: ColumnType, draws: _Draws) -> Column:
    values = column.values or ()
    weights = np.cumsum(np.asarray(column.weights or [1.0] * len(values), np.float64))
    at = np.searchsorted(weights[:-1] / weights[-1], draws.uniform(), side="right")
    return pa.array(list(values), ARROW[kind]).take(pa.array(at))


_MAKERS: Final[Mapping[str, Callable[[GeneratedColumn, ColumnType, _Draws], Any]]] = {
    "sequence": lambda column, _, draws: pa.array(_count_up(column, draws.numbers)),
    "time": _time,
    "uniform": _uniform,
    "normal": _normal,
    "exponential": lambda column, _, draws: pa.array(
        -(column.mean or 0.0) * np.log1p(-draws.uniform())
    ),
    "zipf": _zipf,
    "choice": _choice,
}
