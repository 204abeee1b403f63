"""Sums, counts, least and greatest values, as SQL and Java have them."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from explorer.engine.state.accumulators import accumulator
from explorer.engine.state.keyed_state import Runs
from explorer.model.row_type import DOUBLE, LONG, STRING, ColumnType
from tests.many_cases import for_each

NAN = float("nan")


def rolled(function: str, kind: ColumnType, values: list[Any]) -> list[Any]:
    """The aggregate after each value of one key."""
    types = {LONG: pa.int64(), DOUBLE: pa.float64(), STRING: pa.string()}
    runs = Runs.of(np.zeros(len(values), np.int64))
    found = accumulator(function, kind).roll(pa.array(values, types[kind]), runs)
    return list(found.to_pylist())


@for_each(
    ("function", "kind", "values", "wanted"),
    [
        ("sum", LONG, [1, None, 2], [1, 1, 3]),
        ("sum", LONG, [None, 2], [None, 2]),
        ("sum", LONG, [2**63 - 1, 1], [2**63 - 1, -(2**63)]),
        ("sum", DOUBLE, [1e308, 1e308, -1e308], [1e308, float("inf"), float("inf")]),
        ("max", LONG, [1, 3, 2], [1, 3, 3]),
        ("min", STRING, ["b", "a", None], ["b", "a", "a"]),
        ("max", DOUBLE, [-0.0, 0.0], [-0.0, 0.0]),
        ("min", DOUBLE, [0.0, -0.0], [0.0, -0.0]),
    ],
)
def test_an_aggregate_goes_up_value_by_value(
    function: str, kind: ColumnType, values: list[Any], wanted: list[Any]
) -> None:
    assert list(map(repr, rolled(function, kind, values))) == list(map(repr, wanted))


def test_nan_is_greater_than_all_numbers() -> None:
    assert repr(rolled("max", DOUBLE, [float("inf"), NAN])[-1]) == "nan"
    assert rolled("min", DOUBLE, [NAN, 1.0])[-1] == 1.0


@pytest.mark.parametrize("kind", [LONG, STRING])
def test_a_forgotten_place_begins_anew(kind: ColumnType) -> None:
    made = accumulator("max", kind)
    values, types = (([9], [1]), pa.int64()) if kind is LONG else ((["z"], ["a"]), pa.string())
    runs = Runs.of(np.zeros(1, np.int64))
    made.roll(pa.array(values[0], types), runs)
    made.forget(np.zeros(1, np.int64))

    assert made.values(np.zeros(1, np.int64)).to_pylist() == [None]
    assert made.roll(pa.array(values[1], types), runs).to_pylist() == values[1]
