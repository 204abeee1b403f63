"""Aggregates of columns: reads ``sum(n)`` of a document, resolves columns and keys."""

from collections.abc import Mapping
from typing import Final, Literal, cast

import msgspec

from explorer.documents.checks.columns import read_aggregate
from explorer.engine.rows.errors import ExpressionError
from explorer.errors import did_you_mean
from explorer.model.row_type import DOUBLE, LONG, STRING, ColumnType, RowType


class Aggregate(msgspec.Struct, frozen=True, kw_only=True):
    """One aggregated column: ``function`` over ``column``."""

    name: str
    function: Literal["sum", "min", "max", "count"]
    column: int | None
    """The position in the row; None for ``count(*)``."""


_ALLOWED: Final[dict[str, tuple[ColumnType, ...]]] = {
    "sum": (LONG, DOUBLE),
    "min": (LONG, DOUBLE, STRING),
    "max": (LONG, DOUBLE, STRING),
}
"""The types that each function can aggregate."""


def read_aggregates(
    texts: Mapping[str, str], row_type: RowType, place: str, *, count: bool
) -> tuple[Aggregate, ...]:
    """Read a document's ``aggregate``; ``count``: whether ``count(*)`` may be used."""
    return tuple(
        _aggregate(name, text, row_type, f"{place}.{name}", count=count)
        for name, text in texts.items()
    )


def _aggregate(name: str, text: str, row_type: RowType, place: str, *, count: bool) -> Aggregate:
    function, column = read_aggregate(text) or ("", None)
    if count and function == "count" and column is None:
        return Aggregate(name=name, function="count", column=None)
    if function not in _ALLOWED or column is None:
        more = ", count(*)" if count else ""
        problem = f"an aggregate is one of sum(column), min(column), max(column){more}"
        raise ExpressionError(place, text, problem)
    at = column_position(column, row_type, place, text)
    if row_type.types[at] not in _ALLOWED[function]:
        problem = f"{function} does not accept {column!r}, which is {row_type.types[at]}"
        raise ExpressionError(place, text, problem)
    kind = cast("Literal['sum', 'min', 'max']", function)
    return Aggregate(name=name, function=kind, column=at)


def column_position(column: str, row_type: RowType, place: str, text: str) -> int:
    """Return a column's position; raises ``ExpressionError`` about ``text`` at ``place``."""
    try:
        return row_type.index(column)
    except KeyError:
        hint = did_you_mean(column, row_type.names)
        problem = f"there is no column {column!r}; the columns are {row_type}{hint}"
        raise ExpressionError(place, text, problem) from None


def key_positions(keys: tuple[str, ...] | None, row_type: RowType, place: str) -> tuple[int, ...]:
    """The positions of key columns; None: the whole row is the key."""
    if keys is None:
        return tuple(range(len(row_type.names)))
    return tuple(column_position(key, row_type, place, key) for key in keys)
