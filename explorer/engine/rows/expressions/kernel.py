"""Functions of expressions: their types, their computation on whole columns, failing rows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from explorer.engine.rows.batch import ARROW, Bools, Column, from_values, values_and_nulls
from explorer.engine.rows.errors import RowFailure
from explorer.engine.rows.expressions.ir import Kind
from explorer.engine.rows.sizes import Budget
from explorer.model.row_type import ColumnType

Value: TypeAlias = Any
"""An Arrow array of the batch's length, or an Arrow scalar that holds for every row."""

Nulls: TypeAlias = Bools | bool
"""The mask of null rows; True: all, False: none."""


@dataclass(frozen=True, slots=True)
class BatchRows:
    """The rows of a batch for which a function is computed."""

    count: int
    budget: Budget
    """The remaining bytes for the batch's results."""
    active: Bools | None = None
    """The mask of the rows that need the value; None: all rows. Other rows never fail."""

    def fail(self, bad: Bools, reason: Callable[[int], str]) -> None:
        """Raise ``RowFailure`` for the first active row where ``bad`` is true."""
        if self.active is not None:
            bad = bad & self.active
        if bad.any():
            index = int(np.argmax(bad))
            raise RowFailure(index, reason(index))

    def among(self, array: Bools) -> "BatchRows":
        """Restrict the active rows to those in ``array``."""
        active_array = array if self.active is None else self.active & array
        return BatchRows(self.count, self.budget, active_array)

    def made(self, value: Value) -> Value:
        """Charge a computed value to the budget; raises ``BatchTooLargeError``."""
        if not isinstance(value, pa.Scalar):
            self.budget.spend(value.nbytes)
        return value


def arrow_type(kind: Kind | None) -> pa.DataType:
    """Return the Arrow type of values; times are LONGs."""
    if kind is None:
        return pa.null()
    return ARROW[kind] if isinstance(kind, ColumnType) else ARROW[ColumnType.LONG]


Kernel: TypeAlias = Callable[..., Value]
"""Called with ``BatchRows``, then one ``Value`` per argument; not all of them scalars."""


class Function(msgspec.Struct, frozen=True):
    """A function of an expression: argument types, result type and computation."""

    name: str
    params: tuple[tuple[Kind, ...], ...]
    """The types that each argument may have."""
    result: Kind | None
    """None: the common type of the arguments."""
    kernel: Kernel
    required: int | None = None
    """Number of required arguments; None: all."""
    variadic: bool = False
    """Whether the last parameter accepts any number of arguments."""
    alike: bool = False
    """Whether all arguments are converted to their common type."""
    literal: tuple[int, ...] = ()
    """Positions of arguments that must be literals."""
    problem: Callable[[Sequence[object]], str] | None = None
    """Returns the problem with the values of the literals, in their order; empty: none."""
    to_text: bool = False
    """Whether arguments of any type are first converted to text."""
    symbol: bool = False
    """Whether it is an operator, which a list of functions omits."""


def casts(name: str, source: tuple[Kind, ...], result: Kind, kernel: Kernel) -> Iterator[Function]:
    """Yield ``cast``, which fails on an invalid value, and ``try_cast``, which returns NULL.

    ``kernel`` has the parameter ``fails``.
    """
    for how, fails in (("cast", True), ("try_cast", False)):
        bound = partial(kernel, fails=fails)
        yield Function(f"{how} {name}", (source,), result, bound, symbol=True)


def arrow(function: Callable[..., Value]) -> Kernel:
    """Create a kernel of an Arrow function that has a value for every row."""
    return lambda _, *args: function(*args)


def with_literal(function: Callable[..., Value]) -> Kernel:
    """Create a kernel of an Arrow function of a column and a literal."""
    return lambda _, value, literal: function(value, literal.as_py())


def by_distinct(column: Column, function: Callable[[Any], Any], type: pa.DataType) -> Column:
    """Apply a function of one value to a column, once for each distinct value."""
    distinct: Any = column.dictionary_encode()
    values = [function(value) for value in distinct.dictionary.to_pylist()]
    return pa.array(values, type).take(distinct.indices)


def check_read(rows: BatchRows, words: Column, read: Column, kind: str) -> None:
    """Fail where ``read`` is NULL and the text from which it was parsed is not."""
    bad = pc.and_(pc.is_null(read), pc.is_valid(words)).to_numpy(zero_copy_only=False)
    rows.fail(bad, lambda index: f"{words[index].as_py()[:80]!r} is no {kind}")


def as_array(value: Value, rows: BatchRows) -> Column:
    """Repeat a scalar for every row; return an array unchanged."""
    if not isinstance(value, pa.Scalar):
        return value
    rows.budget.spend(rows.count * scalar_bytes(value))
    return pa.repeat(value, rows.count)


def scalar_bytes(value: pa.Scalar) -> int:
    """Return the bytes of a scalar in a column."""
    return len(value.as_buffer() or b"") if pa.types.is_string(value.type) else 8


def as_numpy(value: Value) -> tuple[npt.NDArray[Any] | Any, Nulls]:
    """Return a column as NumPy values and the mask of nulls, a scalar as its value and a flag.

    A null's value is arbitrary and must not be read.
    """
    if isinstance(value, pa.Scalar):
        return (value.as_py() if value.is_valid else 0), not value.is_valid
    values, nulls = values_and_nulls(value)
    return values, False if nulls is None else nulls


def column_of(values: npt.NDArray[Any], nulls: Nulls) -> Column:
    """Create a column, null where ``nulls`` is true."""
    if isinstance(nulls, np.ndarray):
        return from_values(values, nulls)
    return from_values(values, np.ones(len(values), np.bool_) if nulls else None)
