"""Converts days since 1970 to ISO years, months and days, vectorized.

Mirrors ``org.apache.calcite.avatica.util.DateTimeUtils``, which Flink's SQL uses for times.
"""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from explorer.engine.rows.batch import Longs

DAY: Final = 86_400_000
"""Milliseconds."""
CLOCK: Final = {"second": 1000, "minute": 60_000, "hour": 3_600_000, "day": DAY}
"""Units of a fixed length, in milliseconds."""
MONTHS: Final = {"month": 1, "quarter": 3, "year": 12}
"""Units of whole months."""


def cut(values: Longs, unit: int) -> Longs:
    """Divide by ``unit``, rounding towards zero as Java does."""
    whole: Longs = np.sign(values) * (np.abs(values) // unit)
    return whole


def month_of(days: Longs) -> Longs:
    """Return the months since January 1970."""
    return days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)


def first_of(months: Longs) -> Longs:
    """Return the first day of a month."""
    return months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)


def year_of(days: Longs) -> Longs:
    """Return the year of a day."""
    return 1970 + month_of(days) // 12


def plus_months(days: Longs, months: Longs) -> Longs:
    """Add months to a day; the result is the month's last day if it has no such day."""
    moved = month_of(days) + months
    last = first_of(moved + 1) - 1
    minimum: Longs = np.minimum(first_of(moved) + days - first_of(month_of(days)), last)
    return minimum


def months_between(later: Longs, earlier: Longs) -> Longs:
    """Count whole months from ``earlier`` to ``later``; negative if these are reversed."""
    high, low = np.maximum(later, earlier), np.minimum(later, earlier)
    months = month_of(high) - month_of(low)
    months = months - (plus_months(low, months) > high)
    return np.where(later < earlier, -months, months)


def _thursday(days: Longs) -> Longs:
    """Return the Thursday of the same week, which determines the year of a week."""
    return days - (days + 3) % 7 + 3


def _week(days: Longs) -> Longs:
    thursday = _thursday(days)
    return (thursday - first_of(month_of(thursday) // 12 * 12)) // 7 + 1


DATE_PARTS: Final[Mapping[str, Callable[[Longs], Longs]]] = {
    "year": year_of,
    "quarter": lambda days: month_of(days) % 12 // 3 + 1,
    "month": lambda days: month_of(days) % 12 + 1,
    "week": _week,
    "day": lambda days: days - first_of(month_of(days)) + 1,
    "dow": lambda days: (days + 4) % 7 + 1,
    "doy": lambda days: days - first_of(month_of(days) // 12 * 12) + 1,
    "isodow": lambda days: (days + 3) % 7 + 1,
    "isoyear": lambda days: year_of(_thursday(days)),
    "decade": lambda days: year_of(days) // 10,
    "century": lambda days: (year_of(days) + 99) // 100,
    "millennium": lambda days: (year_of(days) + 999) // 1000,
}
"""EXTRACT's units of a day, and their values."""
CLOCK_PARTS: Final[Mapping[str, tuple[int | None, int]]] = {
    "hour": (DAY, 3_600_000),
    "minute": (3_600_000, 60_000),
    "second": (60_000, 1000),
    "millisecond": (60_000, 1),
    "epoch": (None, 1000),
}
"""EXTRACT's units of a time: the period in milliseconds, and the unit in milliseconds."""
