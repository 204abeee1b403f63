"""Comparisons that know NULL, and words that are true or false."""

import numpy as np
import pyarrow as pa
import pytest

from explorer.engine.rows.errors import RowFailure
from explorer.engine.rows.expressions.conditional import among, lazy, same, to_boolean
from explorer.errors import BrokenInvariantError
from tests.engine.rows.expressions.asked import asked
from tests.many_cases import for_each


def test_two_nulls_are_the_same() -> None:
    left, right = pa.array([1, 1, None, None]), pa.array([1, 2, 1, None])

    assert same(asked(4), left, right).to_pylist() == [True, False, False, True]


def test_a_value_is_among_literals_and_null_is_unknown() -> None:
    numbers = pa.array([1, 3, None])

    assert among(asked(3), numbers, pa.scalar(1), pa.scalar(2)).to_pylist() == [True, False, None]


def test_doubles_are_compared_and_not_their_bits() -> None:
    numbers = pa.array([-0.0, np.nan, 2.0])
    choices = [pa.scalar(0.0), pa.scalar(np.nan)]

    assert among(asked(3), numbers, *choices).to_pylist() == [True, False, False]


@for_each(
    ("word", "wanted"),
    [(" TRUE ", True), ("y", True), ("1", True), ("No", False), ("f", False), ("0", False)],
)
def test_a_word_is_true_or_false(word: str, *, wanted: bool) -> None:
    assert to_boolean(asked(1), pa.array([word]), fails=True).to_pylist() == [wanted]


def test_another_word_fails_or_becomes_null() -> None:
    words = pa.array(["true", "maybe", None])

    assert to_boolean(asked(3), words, fails=False).to_pylist() == [True, None, None]
    with pytest.raises(RowFailure, match="'maybe' is no BOOLEAN") as failure:
        to_boolean(asked(3), words, fails=True)
    assert failure.value.index == 1


def test_a_number_is_true_unless_it_is_zero() -> None:
    assert to_boolean(asked(3), pa.array([0, -2, None]), fails=True).to_pylist() == [
        False,
        True,
        None,
    ]


def test_a_lazy_function_is_not_called() -> None:
    with pytest.raises(BrokenInvariantError):
        lazy(asked(1), pa.array([True]))
