"""Arguments of functions as whole columns, and the report of a row that fails."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from explorer.engine.rows.batch import ARROW, Bools, Column, from_values, values_and_nulls
from explorer.engine.rows.errors import RowFailure
from explorer.engine.rows.expressions.time_types import Kind
from explorer.engine.rows.sizes import Budget
from explorer.model.row_type import ColumnType

Value: TypeAlias = Any
"""An Arrow array of the batch's length, or an Arrow scalar that holds for every row."""

Nulls: TypeAlias = Bools | bool
"""Where values are null, one a row; True: all, False: none."""


@dataclass(frozen=True, slots=True)
class BatchRows:
    """The rows of a batch that a function's value is asked for."""

    count: int
    budget: Budget
    """The remaining limit of the batch's results."""
    active: Bools | None = None
    """Where the value matters, shape ``(count,)``; None: everywhere. A row left out never fails."""

    def fail(self, bad: Bools, reason: Callable[[int], str]) -> None:
        """Raise ``RowFailure`` for the first active row where ``bad`` is true, if there is one."""
        if self.active is not None:
            bad = bad & self.active
        if bad.any():
            index = int(np.argmax(bad))
            raise RowFailure(index, reason(index))

    def among(self, more: Bools) -> "BatchRows":
        """Narrow the active rows down to those in ``more``."""
        asked = more if self.active is None else self.active & more
        return BatchRows(self.count, self.budget, asked)

    def made(self, value: Value) -> Value:
        """Count what was made; raises ``BatchTooLargeError``."""
        if not isinstance(value, pa.Scalar):
            self.budget.spend(value.nbytes)
        return value


def arrow_type(kind: Kind | None) -> pa.DataType:
    """How values of a type lie in memory: times are LONGs."""
    if kind is None:
        return pa.null()
    return ARROW[kind] if isinstance(kind, ColumnType) else ARROW[ColumnType.LONG]


Kernel: TypeAlias = Callable[..., Value]
"""Called with ``BatchRows``, then a ``Value`` an argument; not all of them scalars."""


def arrow(function: Callable[..., Value]) -> Kernel:
    """A function of Arrow's that has a value for every row."""
    return lambda _, *args: function(*args)


def with_literal(function: Callable[..., Value]) -> Kernel:
    """A function of Arrow's that is called with a column and a literal's plain value."""
    return lambda _, value, literal: function(value, literal.as_py())


def by_distinct(column: Column, function: Callable[[Any], Any], type: pa.DataType) -> Column:
    """What a function of one value makes of a column, computed once for those that are equal."""
    distinct: Any = column.dictionary_encode()
    made = [function(value) for value in distinct.dictionary.to_pylist()]
    return pa.array(made, type).take(distinct.indices)


def check_read(rows: BatchRows, words: Column, read: Column, kind: str) -> None:
    """Fail where ``read`` is NULL and the text that it was read from is not."""
    bad = pc.and_(pc.is_null(read), pc.is_valid(words)).to_numpy(zero_copy_only=False)
    rows.fail(bad, lambda index: f"{words[index].as_py()[:80]!r} is no {kind}")


def as_array(value: Value, rows: BatchRows) -> Column:
    """Repeat a scalar for every row; leave an array as it is."""
    if not isinstance(value, pa.Scalar):
        return value
    rows.budget.spend(rows.count * scalar_bytes(value))
    return pa.repeat(value, rows.count)


def scalar_bytes(value: pa.Scalar) -> int:
    """How much space a scalar needs in a column."""
    return len(value.as_buffer() or b"") if pa.types.is_string(value.type) else 8


def as_numpy(value: Value) -> tuple[npt.NDArray[Any] | Any, Nulls]:
    """NumPy values, one a row, and where they are null; of a scalar its value and whether it is.

    A null's value is arbitrary and must not be read.
    """
    if isinstance(value, pa.Scalar):
        return (value.as_py() if value.is_valid else 0), not value.is_valid
    values, nulls = values_and_nulls(value)
    return values, False if nulls is None else nulls


def column_of(values: npt.NDArray[Any], nulls: Nulls) -> Column:
    """Make a column, null where ``nulls`` is true."""
    if isinstance(nulls, np.ndarray):
        return from_values(values, nulls)
    return from_values(values, np.ones(len(values), np.bool_) if nulls else None)
