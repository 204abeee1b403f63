"""Fields and type of a generated column, one row for each draw."""

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Final

import msgspec

from explorer.documents.checks.faults import Fault, misplaced
from explorer.java_numbers import fits_long
from explorer.model.pipeline import GeneratedColumn, GeneratedRows
from explorer.model.row_type import (
    BOOLEAN,
    DOUBLE,
    LONG,
    STRING,
    ColumnType,
    RowType,
    SchemaError,
    checked,
)
from explorer.wording import listed

MOST_ROWS: Final = 1_000_000_000_000
MOST_KEYS: Final = 1_000_000
"""Keys of a skewed column: each has its weight in memory."""
MOST_CHOICES: Final = 10_000
FARTHEST_NORMAL: Final = 9.0
"""Deviations from the mean that a normal draw may reach: the square root of 2 * ln(2**53)."""
FARTHEST_EXPONENTIAL: Final = 37.0
"""Means that an exponential draw may reach: ln(2**53)."""
STEEPEST: Final = 10
"""Exponent of a skew: key 2 comes once where key 1 comes a thousand times."""


PLAIN_TYPES: Final[Mapping[type, ColumnType]] = {
    bool: BOOLEAN,
    int: LONG,
    float: DOUBLE,
    str: STRING,
}
"""The column type of each type of plain value."""


class Draw(msgspec.Struct, frozen=True, kw_only=True):
    """A generator of values."""

    needs: tuple[str, ...]
    optional: tuple[str, ...] = ()
    type: Callable[[GeneratedColumn], ColumnType]


def _of_values(column: GeneratedColumn) -> ColumnType:
    column_types = {PLAIN_TYPES[type(value)] for value in column.values or () if value is not None}
    return (
        column_types.pop()
        if len(column_types) == 1
        else DOUBLE
        if column_types == {LONG, DOUBLE}
        else STRING
    )


DRAWS: Final[Mapping[str, Draw]] = {
    "sequence": Draw(needs=(), optional=("from", "step"), type=lambda _: LONG),
    "time": Draw(needs=("from", "step"), optional=("disorder",), type=lambda _: LONG),
    "uniform": Draw(
        needs=("from", "to"),
        type=lambda column: (
            LONG if isinstance(column.first, int) and isinstance(column.last, int) else DOUBLE
        ),
    ),
    "normal": Draw(needs=("mean", "deviation"), type=lambda _: DOUBLE),
    "exponential": Draw(needs=("mean",), type=lambda _: DOUBLE),
    "zipf": Draw(
        needs=("keys",),
        optional=("exponent", "prefix"),
        type=lambda column: LONG if column.prefix is None else STRING,
    ),
    "choice": Draw(needs=("values",), optional=("weights",), type=_of_values),
}

_COLUMN_FIELDS: Final = msgspec.structs.fields(GeneratedColumn)
_OF_DRAWS: Final = tuple(
    dict.fromkeys(field for draw in DRAWS.values() for field in (*draw.needs, *draw.optional))
)


def generated_row(rows: GeneratedRows) -> RowType:
    """The columns of rows that are made up."""
    kinds = (DRAWS[column.draw].type(column) for column in rows.columns.values())
    return RowType(names=tuple(rows.columns), types=tuple(kinds))


def generated_fault(rows: GeneratedRows) -> Fault | None:
    """The first thing that is wrong with rows that are made up."""
    if not 1 <= rows.rows <= MOST_ROWS:
        return Fault("rows.generate.rows", f"must be 1 to {MOST_ROWS:,}, but is {rows.rows:,}")
    if not fits_long(rows.seed):
        return Fault("rows.generate.seed", "must fit a LONG")
    if not rows.columns:
        return Fault("rows.generate.columns", "must name a column at least")
    try:
        checked(generated_row(rows))
    except SchemaError as error:
        return Fault("rows.generate.columns", str(error))
    faults = (_column_fault(name, column) for name, column in rows.columns.items())
    return next((fault for fault in faults if fault is not None), None)


def _column_fault(name: str, column: GeneratedColumn) -> Fault | None:
    place, draw = f"rows.generate.columns.{name}", DRAWS[column.draw]
    values = {
        field_info.encode_name: getattr(column, field_info.name) for field_info in _COLUMN_FIELDS
    }
    has = listed((*draw.needs, *draw.optional))
    words = f": {column.draw} needs it", f"belongs to another draw: {column.draw} has {has}"
    of_a_draw = {field: values[field] for field in _OF_DRAWS}
    if fault := misplaced(place, of_a_draw, draw.needs, draw.optional, words):
        return fault
    for field, holds, expected in _BOUNDS:
        if values[field] is not None and not holds(values[field]):
            return Fault(f"{place}.{field}", f"must be {expected}")
    return _together(place, column)


def _number(value: float) -> bool:
    return isfinite(value) and (not isinstance(value, int) or fits_long(value))


_BOUNDS: Final[tuple[tuple[str, Callable[..., bool], str], ...]] = (
    ("from", _number, "a number"),
    ("to", _number, "a number"),
    ("mean", isfinite, "a number"),
    ("step", fits_long, "a whole number that fits a LONG"),
    ("deviation", lambda value: isfinite(value) and value >= 0, "a number, 0 or more"),
    ("disorder", lambda value: 0 <= value < 2**62, "milliseconds, 0 or more"),
    ("keys", lambda value: 1 <= value <= MOST_KEYS, f"1 to {MOST_KEYS:,}"),
    ("exponent", lambda value: 0 <= value <= STEEPEST, "0 to 10: 0 for no skew, about 1 for words"),
    ("values", lambda value: 1 <= len(value) <= MOST_CHOICES, f"1 to {MOST_CHOICES:,} values"),
    ("nulls", lambda value: 0 <= value <= 1, "0 to 1: the share of values that are NULL"),
)
"""Field, condition, and the condition in words."""


def _farthest(column: GeneratedColumn) -> float:
    """Return the largest distance from 0, or the range, that a random draw can reach."""
    mean, deviation = float(column.mean or 0.0), float(column.deviation or 0.0)
    if column.draw == "uniform":
        return float(column.last or 0) - float(column.first or 0)
    if column.draw == "normal":
        return abs(mean) + deviation * FARTHEST_NORMAL
    return abs(mean) * FARTHEST_EXPONENTIAL


_FARTHEST: Final = {
    "uniform": ("to", "the difference between from and to"),
    "normal": ("deviation", "mean and nine times the deviation"),
    "exponential": ("mean", "37 times the mean"),
}
"""Draws that may overflow, with the field to change and the value that must not overflow."""


def _together(place: str, column: GeneratedColumn) -> Fault | None:
    """Check the fields that depend on each other."""
    whole = column.draw in ("sequence", "time")
    if whole and column.first is not None and not isinstance(column.first, int):
        return Fault(f"{place}.from", f"must be a whole number for a {column.draw} column")
    if column.first is not None and column.last is not None and column.last < column.first:
        return Fault(f"{place}.to", f"must not be below from, which is {column.first}")
    if column.draw in _FARTHEST and not isfinite(_farthest(column)):
        field, what = _FARTHEST[column.draw]
        return Fault(f"{place}.{field}", f"{what} must be a finite DOUBLE, and it overflows")
    weights, values = column.weights, column.values or ()
    if weights is not None:
        good = len(weights) == len(values) and all(isfinite(w) and w >= 0 for w in weights)
        if not good or not sum(weights):
            return Fault(f"{place}.weights", "must be a number for each value, not all of them 0")
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) > 1 and kinds != {int, float}:
        return Fault(f"{place}.values", "must all be of one type")
    return None
