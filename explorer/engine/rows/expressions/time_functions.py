"""The functions of times and dates that an expression may use, with their types."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from explorer.engine.rows.expressions import times
from explorer.engine.rows.expressions.ir import DATE, TIMES, TIMESTAMP
from explorer.engine.rows.expressions.kernel import Function, casts
from explorer.model.row_type import LONG, STRING


def _rows() -> Iterator[Function]:
    for part in times.PARTS:
        for kind in TIMES:
            kernel = partial(times.extracted, part=part, of_date=kind is DATE)
            yield Function(f"extract {part} {kind}", ((kind,),), LONG, kernel, symbol=True)
    for unit in times.FLOORED:
        for name, up in (("floor", False), ("ceil", True)):
            kernel = partial(times.stepped, unit=unit, up=up)
            yield Function(f"{name} {unit}", ((TIMESTAMP,),), TIMESTAMP, kernel, symbol=True)
    for unit in times.COUNTED:
        two, later = ((TIMESTAMP,), (TIMESTAMP,)), ((LONG,), (TIMESTAMP,))
        added, apart = partial(times.added, unit=unit), partial(times.difference, unit=unit)
        yield Function(f"timestampadd {unit}", later, TIMESTAMP, added, symbol=True)
        yield Function(f"timestampdiff {unit}", two, LONG, apart, symbol=True)


def _precision_problem(values: Sequence[object]) -> str:
    given = values[0]
    return "" if given in (0, 3) else f"to_timestamp_ltz takes 0 or 3 digits, and not {given}"


def _pattern_problem(values: Sequence[object]) -> str:
    try:
        for pattern in values:
            times.pattern_parts(str(pattern))
    except TypeError as error:
        return str(error)
    return ""


_TEXT: Final = (STRING,)
_TO_TIMESTAMP: Final = partial(times.read, kind=TIMESTAMP)
_TO_DATE: Final = partial(times.read, kind=DATE)

TIME_FUNCTIONS: Final = (
    *_rows(),
    *casts("TIMESTAMP STRING", _TEXT, TIMESTAMP, _TO_TIMESTAMP),
    Function("cast TIMESTAMP DATE", ((DATE,),), TIMESTAMP, times.midnight, symbol=True),
    *casts("DATE STRING", _TEXT, DATE, _TO_DATE),
    Function("cast DATE TIMESTAMP", ((TIMESTAMP,),), DATE, times.date_of, symbol=True),
    Function("cast STRING TIMESTAMP", ((TIMESTAMP,),), STRING, times.time_text, symbol=True),
    Function("cast STRING DATE", ((DATE,),), STRING, times.date_text, symbol=True),
    Function("to_timestamp", (_TEXT,), TIMESTAMP, partial(_TO_TIMESTAMP, fails=False)),
    Function("to_date", (_TEXT,), DATE, partial(_TO_DATE, fails=False)),
    Function(
        "to_timestamp_ltz",
        ((LONG,), (LONG,)),
        TIMESTAMP,
        times.from_millis,
        literal=(1,),
        problem=_precision_problem,
    ),
    Function(
        "from_unixtime",
        ((LONG,), _TEXT),
        STRING,
        times.from_seconds,
        required=1,
        literal=(1,),
        problem=_pattern_problem,
    ),
    Function(
        "date_format",
        ((TIMESTAMP,), _TEXT),
        STRING,
        times.formatted,
        literal=(1,),
        problem=_pattern_problem,
    ),
)
"""The names of casts between times and texts contain both types."""
