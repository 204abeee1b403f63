"""Functions on times and dates, cut towards zero before 1970 as Flink's SQL does."""

from datetime import UTC, datetime

import pyarrow as pa
import pytest

from explorer.engine.rows.errors import RowFailure
from explorer.engine.rows.expressions.ir import DATE, TIMESTAMP
from explorer.engine.rows.expressions.times import (
    added,
    date_text,
    difference,
    extracted,
    formatted,
    from_seconds,
    is_moment,
    pattern_parts,
    read,
    stepped,
    time_text,
)
from tests.engine.rows.expressions.asked import asked
from tests.many_cases import for_each


def millis(*texts: str) -> pa.Array:
    moments = [datetime.fromisoformat(one).replace(tzinfo=UTC) for one in texts]
    return pa.array([round(one.timestamp() * 1000) for one in moments], pa.int64())


LEAP = "2024-02-29 13:45:59.123"


def test_parts_of_a_time_before_1970_are_negative() -> None:
    last = millis("1969-12-31 23:59:59")

    assert extracted(asked(1), last, part="second", of_date=False).to_pylist() == [-1]
    assert extracted(asked(1), last, part="day", of_date=False).to_pylist() == [1]
    assert extracted(asked(1), millis(LEAP), part="hour", of_date=False).to_pylist() == [13]
    assert extracted(asked(1), pa.array([-1]), part="year", of_date=True).to_pylist() == [1969]


@for_each(
    ("unit", "low", "high"),
    [
        ("minute", "2024-02-29 13:45:00", "2024-02-29 13:46:00"),
        ("day", "2024-02-29 00:00:00", "2024-03-01 00:00:00"),
        ("week", "2024-02-25 00:00:00", "2024-03-03 00:00:00"),
        ("quarter", "2024-01-01 00:00:00", "2024-04-01 00:00:00"),
        ("year", "2024-01-01 00:00:00", "2025-01-01 00:00:00"),
    ],
)
def test_a_time_is_stepped_to_a_units_beginning_or_end(unit: str, low: str, high: str) -> None:
    time = millis(LEAP)

    assert stepped(asked(1), time, unit=unit, up=False) == millis(low)
    assert stepped(asked(1), time, unit=unit, up=True) == millis(high)
    assert stepped(asked(1), millis(low), unit=unit, up=True) == millis(low)


def test_months_are_added_by_the_calendar_and_clocks_by_length() -> None:
    time = millis(LEAP)

    assert added(asked(1), pa.scalar(1), time, unit="year") == millis("2025-02-28 13:45:59.123")
    assert added(asked(1), pa.scalar(-14), time, unit="hour") == millis("2024-02-28 23:45:59.123")
    assert added(asked(1), pa.array([None], pa.int64()), time, unit="day").to_pylist() == [None]


def test_a_difference_counts_whole_units_and_runs_over_an_int() -> None:
    start, end = millis("2024-01-31 12:00:00"), millis("2024-03-31 11:59:59")

    assert difference(asked(1), start, end, unit="month").to_pylist() == [1]
    assert difference(asked(1), end, start, unit="day").to_pylist() == [-59]
    far = pa.array([2**31 * 1000])
    assert difference(asked(1), pa.scalar(0), far, unit="second").to_pylist() == [-(2**31)]


def test_a_text_is_read_as_a_time_or_becomes_null() -> None:
    words = pa.array([LEAP, "2024-02-29T13:45", "2024-02-30", "soon", None])
    found = read(asked(5), words, kind=TIMESTAMP, fails=False)

    assert found.to_pylist() == [
        *millis(LEAP, "2024-02-29 13:45:00").to_pylist(),
        None,
        None,
        None,
    ]
    with pytest.raises(RowFailure, match="'2024-02-30' is no TIMESTAMP"):
        read(asked(5), words, kind=TIMESTAMP, fails=True)
    assert read(asked(1), pa.array(["1970-01-02 9"]), kind=DATE, fails=True).to_pylist() == [1]
    assert [is_moment(one, DATE) for one in ("2024-02-29", "2023-02-29")] == [True, False]


def test_times_are_written_with_milliseconds_and_dates_without() -> None:
    assert time_text(asked(1), millis(LEAP)).to_pylist() == [LEAP]
    assert date_text(asked(2), pa.array([0, None])).to_pylist() == ["1970-01-01", None]
    assert from_seconds(asked(1), pa.array([59])).to_pylist() == ["1970-01-01 00:00:59"]


@for_each(
    ("pattern", "text"),
    [
        ("yyyy/M/d", "2024/2/29"),
        ("yy-MM HH:mm:ss.SSS", "24-02 13:45:59.123"),
        ("'at' H 'o''clock'", "at 13 o'clock"),
        ("''yyyy''", "'2024'"),
    ],
)
def test_a_pattern_writes_a_time(pattern: str, text: str) -> None:
    assert formatted(asked(1), millis(LEAP), pa.scalar(pattern)).to_pylist() == [text]


@pytest.mark.parametrize(
    ("pattern", "says"), [("EEE", "and not 'EEE'"), ("yyyy 'a", "never closed")]
)
def test_a_pattern_that_is_not_known_is_refused(pattern: str, says: str) -> None:
    with pytest.raises(TypeError, match=says):
        pattern_parts(pattern)
