"""Rows that are made up: their types, and what cannot be drawn."""

import math
from typing import Any

import pytest

from explorer.documents.checks.generated_rows import (
    DRAWS,
    FARTHEST_EXPONENTIAL,
    FARTHEST_NORMAL,
    generated_fault,
    generated_row,
)
from explorer.documents.records import to_record
from explorer.model.pipeline import GeneratedRows
from tests.many_cases import for_each


def rows(columns: dict[str, Any], count: int = 10, **members: Any) -> GeneratedRows:
    return to_record({"rows": count, "columns": columns, **members}, GeneratedRows)


def fault(columns: dict[str, Any], **members: Any) -> str:
    """The place and the problem, as one text; empty: there is none."""
    found = generated_fault(rows(columns, **members))
    return ": ".join(found) if found else ""


@for_each(
    ("column", "said"),
    [
        ({"draw": "zipf"}, "rows.generate.columns.x.keys: is missing: zipf needs it"),
        ({"draw": "zipf", "keys": 0}, "keys: must be 1 to 1,000,000"),
        ({"draw": "zipf", "keys": 3, "exponent": math.inf}, "exponent"),
        ({"draw": "normal", "mean": 1, "deviation": -1}, "deviation: must be a number, 0 or more"),
        ({"draw": "uniform", "from": 2, "to": 1}, "to: must not be below from, which is 2"),
        ({"draw": "time", "from": 0.5, "step": 1}, "from: must be a whole number for a time"),
        (
            {"draw": "exponential", "mean": 1, "keys": 4},
            "keys: belongs to another draw: exponential has mean",
        ),
        ({"draw": "choice", "values": [1, "a"]}, "values: must all be of one type"),
        ({"draw": "choice", "values": [1, 2], "weights": [0, 0]}, "weights: must be a number for"),
        ({"draw": "choice", "values": [1], "nulls": 2}, "nulls: must be 0 to 1"),
    ],
    name=str,
)
def test_an_impossible_draw_is_reported_at_its_field(column: dict[str, Any], said: str) -> None:
    assert said in fault({"x": column})


def test_the_farthest_random_number_is_within_the_bounds() -> None:
    smallest = 2.0**-53
    assert math.sqrt(-2.0 * math.log(smallest)) < FARTHEST_NORMAL
    assert -math.log(smallest) < FARTHEST_EXPONENTIAL


def test_every_draw_has_a_type() -> None:
    drawn: dict[str, dict[str, Any]] = {
        "a": {"draw": "sequence"},
        "b": {"draw": "uniform", "from": 1, "to": 2},
        "c": {"draw": "uniform", "from": 1, "to": 2.5},
        "d": {"draw": "zipf", "keys": 3},
        "e": {"draw": "zipf", "keys": 3, "prefix": "k"},
        "f": {"draw": "choice", "values": [1, 2.5, None]},
        "g": {"draw": "choice", "values": [True]},
        "h": {"draw": "normal", "mean": 0, "deviation": 1},
        "i": {"draw": "exponential", "mean": 1},
        "j": {"draw": "time", "from": 0, "step": 5},
    }

    assert fault(drawn) == ""
    assert {one["draw"] for one in drawn.values()} == set(DRAWS)
    assert str(generated_row(rows(drawn))) == (
        "a LONG, b LONG, c DOUBLE, d LONG, e STRING, f DOUBLE, g BOOLEAN, h DOUBLE, i DOUBLE, "
        "j LONG"
    )


@pytest.mark.parametrize(
    ("members", "says"),
    [
        ({"count": 0}, "rows.generate.rows: must be 1 to "),
        ({"seed": 2**63}, "rows.generate.seed: must fit a LONG"),
        ({"columns": {}}, "rows.generate.columns: must name a column at least"),
    ],
)
def test_rows_of_no_use_are_refused(members: dict[str, Any], says: str) -> None:
    assert says in fault(**{"columns": {"n": {"draw": "sequence"}}, **members})


def test_numbers_that_overflow_a_double_are_refused() -> None:
    assert "must be a finite DOUBLE, and it overflows" in fault(
        {"n": {"draw": "uniform", "from": -1.7e308, "to": 1.7e308}}
    )
