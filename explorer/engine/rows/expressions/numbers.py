"""Java's arithmetic and conversions of numbers, where Arrow's functions differ from them."""

from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from explorer.engine.rows.batch import Column, Longs
from explorer.engine.rows.expressions.kernel import (
    BatchRows,
    Kernel,
    Value,
    as_array,
    as_numpy,
    by_distinct,
    check_read,
    column_of,
)
from explorer.java_numbers import LONG_MAX, LONG_MIN

_BEYOND: Final = float(2**63)
"""The least DOUBLE above all LONGs."""
_LONG_DIGITS: Final = 19
_EXACT_POWERS: Final = 22
"""Up to 10^22 powers of ten are DOUBLEs."""
_FAR: Final = 400
"""More places before the point than any DOUBLE has."""


def modulo(rows: BatchRows, left: Value, right: Value) -> Value:
    """Return the remainder, with the sign of ``left``; LONG modulo zero fails."""
    values, left_nulls = as_numpy(left)
    divisors, right_nulls = as_numpy(right)
    nulls = left_nulls | right_nulls
    if pa.types.is_integer(left.type):
        zero = np.broadcast_to(np.equal(divisors, 0), rows.count)
        if zero.any():
            rows.fail(zero & np.logical_not(nulls), lambda _: "% by zero")
            nulls = nulls | zero
            divisors = np.where(zero, 1, divisors)
    with np.errstate(invalid="ignore"):
        return column_of(_remainder(values, divisors), nulls)


def _remainder(values: npt.NDArray[Any] | Any, divisors: npt.NDArray[Any] | Any) -> Any:
    """C's fmod, which equals Java's %: the dividend's sign, and NaN for a DOUBLE divisor of 0."""
    one_divisor = isinstance(values, np.ndarray) and not isinstance(divisors, np.ndarray)
    # The processor divides DOUBLEs bit by bit: where both are whole numbers, LONGs have the same
    # remainder, and by one divisor NumPy divides them without a division.
    if one_divisor and 0 < abs(divisors) <= LONG_MAX and divisors == int(divisors):
        if values.dtype == np.int64:
            return _remainder_of_longs(values, abs(divisors))
        numbers = values.astype(np.int64)
        # Some processors cast a DOUBLE above all LONGs to the greatest one, which as a DOUBLE is
        # 2^63 again: it would seem to be a whole number of this size.
        are_longs = values.dtype == np.float64 and numbers.max(initial=0) < LONG_MAX
        if are_longs and np.array_equal(numbers, values):
            # The sign of a zero is the dividend's, too.
            return np.copysign(_remainder_of_longs(numbers, int(abs(divisors))), values)
    return np.fmod(values, divisors)


def _remainder_of_longs(values: Longs, divisor: int) -> Longs:
    """The remainder by a divisor above 0."""
    rest = values - values // divisor * divisor
    # NumPy rounds a quotient down and Java towards zero.
    if values.min(initial=0) < 0:
        rest -= divisor * ((values < 0) & (rest != 0))
    return rest


def whole(function: Callable[[Value], Value]) -> Kernel:
    """Create a kernel of an Arrow function that makes DOUBLEs whole; LONGs stay unchanged."""
    return lambda _, value: value if pa.types.is_integer(value.type) else function(value)


def round_half_up(rows: BatchRows, value: Value, digits: Value | None = None) -> Value:
    """Round to ``digits`` places, halves away from zero."""
    places = 0 if digits is None else digits.as_py()
    if places is None:
        return pc.if_else(pa.scalar(value=False), value, None)
    if pa.types.is_integer(value.type):
        return value if places >= 0 else _rounded_long(rows, as_array(value, rows), places)
    if -_EXACT_POWERS <= places <= 0:
        return pc.round(value, ndigits=places, round_mode="half_towards_infinity")
    decimals = max(places, -_FAR)
    return by_distinct(
        as_array(value, rows), lambda item: _round_decimal(item, decimals), pa.float64()
    )


def _rounded_long(rows: BatchRows, value: Column, places: int) -> Column:
    # A LONG has up to 19 digits: from 10^19 on its only multiple is 0.
    if places > -_LONG_DIGITS:
        return pc.round(value, ndigits=places, round_mode="half_towards_infinity")
    numbers, nulls = as_numpy(value)
    if places == -_LONG_DIGITS:
        half = 5 * 10 ** (_LONG_DIGITS - 1)
        beyond = ((numbers >= half) | (numbers <= -half)) & np.logical_not(nulls)
        rows.fail(beyond, lambda _: "the rounded number is beyond the range of LONG")
    return column_of(np.zeros(rows.count, np.int64), nulls)


def _round_decimal(number: float, places: int) -> float:
    """Round the decimal text of a number: 1.005 is a half, although the DOUBLE is a little less."""
    written = Decimal(repr(number))
    if not written.is_finite() or -int(written.as_tuple().exponent) <= places:
        return number
    # Adding 0 removes the sign of a zero, which Java's BigDecimal does not have.
    return float(written.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)) + 0.0


def sign(_: BatchRows, value: Value) -> Value:
    """-1, 0 or 1, in the argument's type."""
    return pc.cast(pc.sign(value), value.type)


def to_double(rows: BatchRows, value: Value, *, fails: bool) -> Value:
    """Convert to DOUBLE; text that is no number ``fails`` or becomes NULL."""
    if pa.types.is_string(value.type):
        return _parse_numbers(rows, value, pa.float64(), fails=fails)
    if pa.types.is_boolean(value.type):
        value = pc.cast(value, pa.int8())
    return pc.cast(value, pa.float64(), safe=False)


def to_long(rows: BatchRows, value: Value, *, fails: bool) -> Value:
    """Convert to LONG; text that is no whole number ``fails`` or becomes NULL."""
    if pa.types.is_string(value.type):
        return _parse_numbers(rows, value, pa.int64(), fails=fails)
    if not pa.types.is_floating(value.type):
        return pc.cast(value, pa.int64())
    values, nulls = as_numpy(value)
    # Java drops the fraction, converts NaN to 0 and saturates; NumPy's cast is undefined for these.
    numbers = np.nan_to_num(values, nan=0.0, posinf=_BEYOND, neginf=-_BEYOND)
    high, low = numbers >= _BEYOND, numbers <= -_BEYOND
    bounded = np.where(high | low, 0.0, numbers).astype(np.int64)
    return column_of(np.where(high, LONG_MAX, np.where(low, LONG_MIN, bounded)), nulls)


def _parse_numbers(rows: BatchRows, value: Value, target: pa.DataType, *, fails: bool) -> Column:
    """Parse numbers, which may have blanks around them."""
    shown_utf8_trim_whitespace = words = pc.utf8_trim_whitespace(as_array(value, rows))
    if pa.types.is_integer(target):
        # A fraction is dropped, as BinaryStringDataUtil.toLong does; Arrow would read 0x10 as well.
        words = pc.replace_substring_regex(words, r"^\+?(-?\d+)(\.\d*)?$", r"\1")
        words = pc.replace_substring_regex(words, r"^(-?0)[xX]", r"\1 x")
    if rows.active is not None:
        words = pc.if_else(pa.array(rows.active), words, None)
    try:
        return pc.cast(words, target)
    except pa.ArrowInvalid:
        # Slow, and only necessary if a text is no number.
        numbers = by_distinct(words, lambda word: _number(word, target), target)
    if fails:
        kind = "whole number" if pa.types.is_integer(target) else "number"
        check_read(rows, shown_utf8_trim_whitespace, numbers, kind)
    return numbers


def _number(word: str, target: pa.DataType) -> Any:
    try:
        return pc.cast(word, target).as_py()
    except pa.ArrowInvalid:
        return None
