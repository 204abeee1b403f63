"""Arithmetic as Java does it."""

import math
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from explorer.engine.rows.errors import RowFailure
from explorer.engine.rows.expressions.numbers import (
    modulo,
    round_half_up,
    sign,
    to_double,
    to_long,
)
from explorer.java_numbers import LONG_MAX, LONG_MIN
from tests.engine.rows.expressions.asked import asked
from tests.many_cases import for_each


def test_a_remainder_has_the_sign_of_the_dividend() -> None:
    left, right = pa.array([7, -7, 7, None]), pa.array([3, 3, -3, 3])

    assert modulo(asked(4), left, right).to_pylist() == [1, -1, 1, None]


_LONGS = st.integers(LONG_MIN, LONG_MAX)
_DOUBLES = st.floats() | st.integers(-20, 20).map(float) | _LONGS.map(float)


def _bits(values: Sequence[float]) -> list[str]:
    """Each DOUBLE with its sign, of a zero as well."""
    return [f"{value!r}" for value in values]


@given(st.lists(_LONGS | st.integers(-20, 20)), (_LONGS | st.integers(-9, 9)).filter(bool))
def test_a_remainder_of_longs_is_that_of_javas_division(values: list[int], divisor: int) -> None:
    numbers = pa.array(values, pa.int64())
    expected = [
        abs(value) % abs(divisor) * (-1 if value < 0 else 1) for value in numbers.to_pylist()
    ]
    result = modulo(asked(len(values)), numbers, pa.scalar(divisor, pa.int64()))

    assert result.to_pylist() == expected


@example([2.0**63], 10.0)
@given(st.lists(_DOUBLES), _DOUBLES)
def test_a_remainder_of_doubles_is_that_of_c(values: list[float], divisor: float) -> None:
    with np.errstate(invalid="ignore"):
        expected = np.fmod(np.array(values, np.float64), divisor)
    numbers = pa.array(values, pa.float64())
    result = modulo(asked(len(values)), numbers, pa.scalar(divisor, pa.float64()))

    assert result.type == pa.float64()
    assert _bits(result.to_pylist()) == _bits(expected.tolist())


def test_only_a_long_fails_at_a_remainder_by_zero() -> None:
    with pytest.raises(RowFailure, match="% by zero") as failure:
        modulo(asked(3), pa.array([1, 2, 3]), pa.array([1, 0, 0]))
    assert failure.value.index == 1
    assert modulo(asked(1), pa.array([None], pa.int64()), pa.array([0])).to_pylist() == [None]
    assert math.isnan(modulo(asked(1), pa.array([1.5]), pa.array([0.0]))[0].as_py())


@for_each(
    ("number", "places", "wanted"),
    [
        (1.005, 2, 1.01),
        (-1.005, 2, -1.01),
        (2.5, 0, 3.0),
        (-2.5, 0, -3.0),
        (1234.5, -2, 1200.0),
        (-0.001, 2, 0.0),
        (1e300, 5, 1e300),
    ],
)
def test_a_half_is_rounded_away_from_zero_as_it_is_written(
    number: float, places: int, wanted: float
) -> None:
    (found,) = round_half_up(asked(1), pa.array([number]), pa.scalar(places)).to_pylist()

    assert (found, math.copysign(1, found)) == (wanted, math.copysign(1, wanted))


def test_a_long_is_rounded_to_the_left_only() -> None:
    numbers = pa.array([15, -15, 14, None])

    assert round_half_up(asked(4), numbers, pa.scalar(3)).to_pylist() == [15, -15, 14, None]
    assert round_half_up(asked(4), numbers, pa.scalar(-1)).to_pylist() == [20, -20, 10, None]
    assert round_half_up(asked(4), numbers, pa.scalar(-19)).to_pylist() == [0, 0, 0, None]
    assert round_half_up(asked(1), pa.array([7]), pa.scalar(None, pa.int64())).to_pylist() == [None]


def test_a_sign_has_the_type_of_its_number() -> None:
    assert sign(asked(3), pa.array([-5, 0, 9])).to_pylist() == [-1, 0, 1]
    assert sign(asked(1), pa.array([-2.5])).type == pa.float64()


def test_a_double_is_cut_and_stops_at_the_ends_of_long() -> None:
    doubles = pa.array([-2.9, 1e300, -1e300, math.nan, 2.0**63, None])

    assert to_long(asked(6), doubles, fails=True).to_pylist() == [
        -2,
        LONG_MAX,
        LONG_MIN,
        0,
        LONG_MAX,
        None,
    ]


def test_a_text_is_a_number_with_blanks_around_it() -> None:
    words = pa.array([" 42 ", "+7.9", "-1.", "0x10", "", None])

    assert to_long(asked(6), words, fails=False).to_pylist() == [42, 7, -1, None, None, None]
    with pytest.raises(RowFailure, match="'0x10' is no whole number"):
        to_long(asked(6), words, fails=True)
    assert to_double(asked(2), pa.array([" 1e3", "-.5"]), fails=True).to_pylist() == [1000.0, -0.5]
    assert to_double(asked(2), pa.array([True, False]), fails=True).to_pylist() == [1.0, 0.0]
