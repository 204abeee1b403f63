"""Functions on times and dates of Flink's SQL.

Before 1970 EXTRACT, and FLOOR and CEIL to months, round towards zero as in Flink: 23:59:59 on the
last day of 1969 has the day 1970-01-01 and the second -1.
"""

import re
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from explorer.engine.rows.batch import Column, Longs
from explorer.engine.rows.expressions.calendar import (
    CLOCK,
    CLOCK_PARTS,
    DATE_PARTS,
    DAY,
    MONTHS,
    cut,
    first_of,
    month_of,
    months_between,
    plus_months,
)
from explorer.engine.rows.expressions.ir import DATE, TIMESTAMP, TimeType
from explorer.engine.rows.expressions.kernel import (
    BatchRows,
    Nulls,
    Value,
    as_array,
    as_numpy,
    check_read,
    column_of,
)

_FORMS: Final = {
    TIMESTAMP: r"^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?)?$",
    DATE: r"^\d{4}-\d{2}-\d{2}([ T].*)?$",
}
"""The pattern of texts of each type."""
_PIECE: Final = re.compile(r"'(?P<text>(?:[^']|'')*+)'|(?P<run>([^'])\3*)", re.DOTALL)
"""A quoted text in a pattern of DATE_FORMAT, or a run of one letter."""
PATTERN_LETTERS: Final = {
    "yyyy": "%Y",
    "yy": "%y",
    "MM": "%m",
    "dd": "%d",
    "HH": "%H",
    "mm": "%M",
    "ss": "%S",
    "SSS": "",
}
"""DATE_FORMAT's letters and those of ``strftime``, which has none for milliseconds."""
SECONDS: Final = "yyyy-MM-dd HH:mm:ss"


def _longs(rows: BatchRows, value: Value) -> tuple[Longs, Nulls]:
    values, nulls = as_numpy(as_array(value, rows))
    return np.asarray(values, np.int64), nulls


def extracted(rows: BatchRows, value: Value, *, part: str, of_date: bool) -> Value:
    """``EXTRACT(part FROM value)``."""
    values, nulls = _longs(rows, value)
    if part in DATE_PARTS:
        return column_of(DATE_PARTS[part](values if of_date else cut(values, DAY)), nulls)
    within, unit = CLOCK_PARTS[part]
    millis = values * DAY if of_date else values
    # Java's remainder has the sign of the dividend.
    remaining_array = millis if within is None else np.fmod(millis, within)
    return column_of(cut(remaining_array, unit), nulls)


def stepped(rows: BatchRows, value: Value, *, unit: str, up: bool) -> Value:
    """``FLOOR(time TO unit)``, or ``CEIL`` if ``up``."""
    values, nulls = _longs(rows, value)
    if unit in CLOCK:
        low = values // CLOCK[unit] * CLOCK[unit]
        return column_of(np.where((low < values) & up, low + CLOCK[unit], low), nulls)
    days = cut(values, DAY)
    if unit == "week":
        first = days - (days + 4) % 7
        next_one = first + 7
    else:
        size = MONTHS[unit]
        start = month_of(days) // size * size
        first, next_one = first_of(start), first_of(start + size)
    return column_of(np.where((first < days) & up, next_one, first) * DAY, nulls)


def added(rows: BatchRows, count: Value, value: Value, *, unit: str) -> Value:
    """``TIMESTAMPADD(unit, count, time)``."""
    counts, count_nulls = _longs(rows, count)
    values, nulls = _longs(rows, value)
    if unit in CLOCK:
        return column_of(values + counts * CLOCK[unit], nulls | count_nulls)
    days = plus_months(values // DAY, counts * MONTHS[unit])
    return column_of(days * DAY + values % DAY, nulls | count_nulls)


def difference(rows: BatchRows, start: Value, end: Value, *, unit: str) -> Value:
    """``TIMESTAMPDIFF(unit, from, to)``: whole units, as an INT, which may overflow."""
    begin, begin_nulls = _longs(rows, start)
    values, nulls = _longs(rows, end)
    if unit in CLOCK:
        array = cut(values - begin, CLOCK[unit])
    else:
        array = cut(_months(values, begin), MONTHS[unit])
    return column_of(array.astype(np.int32).astype(np.int64), nulls | begin_nulls)


def _months(end: Longs, begin: Longs) -> Longs:
    # ``DateTimeUtils.subtractMonths`` compares the time of day only on the same day of the month.
    first, last = begin // DAY, end // DAY
    months = months_between(last, first)
    same_value = plus_months(first, months) == last
    array: Longs = months - (same_value & (end % DAY < begin % DAY))
    return array


def read(rows: BatchRows, value: Value, *, kind: TimeType, fails: bool) -> Column:
    """``CAST(text AS TIMESTAMP(3))`` or ``AS DATE``; an invalid text ``fails`` or becomes NULL."""
    words = pc.utf8_trim_whitespace(as_array(value, rows))
    distinct = words.dictionary_encode()
    result = [_moment(text, kind) for text in distinct.dictionary.to_pylist()]
    fits = pc.match_substring_regex(distinct.dictionary, _FORMS[kind]).to_pylist()
    known = [item if fit else None for item, fit in zip(result, fits, strict=True)]
    results = pa.array(known, pa.int64()).take(distinct.indices)
    if fails:
        check_read(rows, words, results, str(kind))
    return results


def is_moment(text: str, kind: TimeType) -> bool:
    """Whether a text is an existing time, or date."""
    return re.fullmatch(_FORMS[kind], text.strip()) is not None and (
        _moment(text.strip(), kind) is not None
    )


def _moment(text: str, kind: TimeType) -> int | None:
    """Parse a text as milliseconds or days; None: there is no such day or time."""
    shown, unit = (text[:10], "D") if kind is DATE else (text[:23].replace(" ", "T"), "ms")
    try:
        moment = np.array(shown, f"datetime64[{unit}]")
    except ValueError:
        return None
    return int(moment.astype(np.int64))


def time_text(rows: BatchRows, value: Value) -> Value:
    """``CAST(time AS STRING)``, with milliseconds."""
    values, nulls = _longs(rows, value)
    texts = np.datetime_as_string(values.astype("datetime64[ms]"))
    # The last 23 characters: a year has four digits, so 0000 follows 9999.
    return pc.utf8_slice_codeunits(pc.replace_substring(_texts(texts, nulls), "T", " "), -23)


def date_text(rows: BatchRows, value: Value) -> Value:
    """``CAST(date AS STRING)``."""
    values, nulls = _longs(rows, value)
    return _texts(np.datetime_as_string(values.astype("datetime64[D]")), nulls)


def _texts(texts: np.ndarray, nulls: Nulls) -> Column:
    mask = nulls if isinstance(nulls, np.ndarray) else np.full(len(texts), nulls)
    return pa.array(texts.astype(object), pa.string(), mask=mask)


def date_of(rows: BatchRows, value: Value) -> Value:
    """``CAST(time AS DATE)``."""
    values, nulls = _longs(rows, value)
    return column_of(values // DAY, nulls)


def midnight(rows: BatchRows, value: Value) -> Value:
    """``CAST(date AS TIMESTAMP(3))``."""
    values, nulls = _longs(rows, value)
    return column_of(values * DAY, nulls)


def from_millis(_: BatchRows, value: Value, precision: Value) -> Value:
    """``TO_TIMESTAMP_LTZ(milliseconds, 3)`` or ``(seconds, 0)``, in the time zone UTC."""
    return value if precision.as_py() else pc.multiply(value, 1000)


def from_seconds(rows: BatchRows, value: Value, pattern: Value | None = None) -> Value:
    """``FROM_UNIXTIME(seconds, pattern)``, in the time zone UTC."""
    millis = pc.multiply(as_array(value, rows), 1000)
    return formatted(rows, millis, pa.scalar(SECONDS) if pattern is None else pattern)


def formatted(rows: BatchRows, value: Value, pattern: Value) -> Value:
    """``DATE_FORMAT(time, pattern)``."""
    values, nulls = _longs(rows, value)
    moments = pa.array(values.astype("datetime64[ms]"))
    texts = [
        _format_part(moments, part, quoted=quoted)
        for part, quoted in pattern_parts(pattern.as_py())
    ]
    joined = pc.binary_join_element_wise(*texts, pa.scalar(""), pa.scalar(""))
    return pc.if_else(pa.array(~np.broadcast_to(nulls, len(values))), joined, None)


def _format_part(moments: pa.Array, part: str, *, quoted: bool) -> Value:
    if quoted or not part.isalpha():
        return pa.scalar(part)
    if part == "SSS":
        return pc.utf8_lpad(pc.cast(pc.millisecond(moments), pa.string()), 3, "0")
    if part in PATTERN_LETTERS:
        # Arrow formats seconds with their fraction, so the fraction is removed first.
        return pc.strftime(
            pc.floor_temporal(moments, unit="second").cast("timestamp[s]"), PATTERN_LETTERS[part]
        )
    return pc.replace_substring_regex(_format_part(moments, part * 2, quoted=False), "^0(.)", r"\1")


def pattern_parts(pattern: str) -> list[tuple[str, bool]]:
    """Split a pattern into runs of one letter and quoted texts; raises ``TypeError``.

    As in ``DateTimeFormatter``, two quotes in a row stand for one, in a quoted text or outside.
    """
    pieces = list(_PIECE.finditer(pattern))
    if sum(len(piece[0]) for piece in pieces) < len(pattern):
        msg = f"a quote in the pattern {pattern[:60]!r} is never closed; two in a row write one"
        raise TypeError(msg)
    parts = [
        (piece["run"], False) if piece["run"] else (piece["text"].replace("''", "'") or "'", True)
        for piece in pieces
    ]
    for run, quoted in parts:
        # A single letter is formatted as two, without a leading zero.
        if not quoted and run.isalpha() and PATTERN_LETTERS.keys().isdisjoint((run, run * 2)):
            known = ", ".join(PATTERN_LETTERS)
            msg = f"date_format knows {known}, and not {run[:20]!r}; quote text as in 'T'"
            raise TypeError(msg)
    return parts


PARTS: Final = (*DATE_PARTS, *CLOCK_PARTS)
FLOORED: Final = (*CLOCK, "week", *MONTHS)
COUNTED: Final = (*CLOCK, "month", "year")
NAMED_PARTS: Final = {
    **{part: part for part in ("year", "quarter", "month", "week", "hour", "minute", "second")},
    "dayofmonth": "day",
    "dayofweek": "dow",
    "dayofyear": "doy",
}
"""Functions that equal EXTRACT with one unit."""
