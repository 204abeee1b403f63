"""Days since 1970 as ISO years, months and weeks, against Python's own calendar."""

from datetime import date, timedelta

import numpy as np

from explorer.engine.rows.batch import Longs
from explorer.engine.rows.expressions.calendar import (
    CLOCK_PARTS,
    DATE_PARTS,
    cut,
    first_of,
    month_of,
    months_between,
    plus_months,
    year_of,
)
from tests.many_cases import for_each

EPOCH = date(1970, 1, 1)
DATES = [EPOCH + timedelta(days=step * 97) for step in range(-400, 400)]
DAYS = np.array([(one - EPOCH).days for one in DATES], np.int64)


def days(*texts: str) -> Longs:
    return np.array([(date.fromisoformat(one) - EPOCH).days for one in texts], np.int64)


def test_a_division_is_cut_towards_zero() -> None:
    assert cut(np.array([-7, -6, -1, 0, 6, 7]), 6).tolist() == [-1, -1, 0, 0, 1, 1]


def test_years_and_months_are_those_of_the_calendar() -> None:
    assert year_of(DAYS).tolist() == [one.year for one in DATES]
    assert month_of(DAYS).tolist() == [(one.year - 1970) * 12 + one.month - 1 for one in DATES]
    assert first_of(month_of(DAYS)).tolist() == [(one.replace(day=1) - EPOCH).days for one in DATES]


@for_each(
    ("part", "wanted"),
    [
        ("day", [one.day for one in DATES]),
        ("month", [one.month for one in DATES]),
        ("quarter", [(one.month + 2) // 3 for one in DATES]),
        ("week", [one.isocalendar().week for one in DATES]),
        ("isoyear", [one.isocalendar().year for one in DATES]),
        ("isodow", [one.isoweekday() for one in DATES]),
        ("dow", [one.isoweekday() % 7 + 1 for one in DATES]),
        ("doy", [one.timetuple().tm_yday for one in DATES]),
    ],
)
def test_a_part_of_a_day_is_the_calendars(part: str, wanted: list[int]) -> None:
    assert DATE_PARTS[part](DAYS).tolist() == wanted


def test_a_century_ends_with_its_hundredth_year() -> None:
    years = days("2000-12-31", "2001-01-01")

    assert DATE_PARTS["century"](years).tolist() == [20, 21]
    assert DATE_PARTS["millennium"](years).tolist() == [2, 3]
    assert DATE_PARTS["decade"](years).tolist() == [200, 200]


def test_a_day_that_a_month_lacks_is_its_last() -> None:
    one = days("2024-01-31", "2023-01-31", "2024-03-31", "2024-12-15")

    assert plus_months(one, np.array([1, 1, -1, 1])).tolist() == (
        days("2024-02-29", "2023-02-28", "2024-02-29", "2025-01-15").tolist()
    )


def test_months_are_counted_alike_in_both_directions() -> None:
    early, late = days("2024-01-31", "2024-01-15"), days("2024-02-28", "2024-03-15")

    assert months_between(late, early).tolist() == [0, 2]
    assert months_between(early, late).tolist() == [0, -2]


def test_a_clocks_parts_are_within_the_next_larger_unit() -> None:
    assert {part: within for part, (within, _) in CLOCK_PARTS.items()} == {
        "hour": 86_400_000,
        "minute": 3_600_000,
        "second": 60_000,
        "millisecond": 60_000,
        "epoch": None,
    }
