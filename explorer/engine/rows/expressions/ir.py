"""A parsed and typed expression, and the types of its values.

A tree of its own, so that only ``parser.py`` and ``translation.py`` depend on sqlglot. Every node
has a type; None is the type of a bare NULL, which any type accepts.
"""

from enum import StrEnum
from typing import Final, TypeAlias

import msgspec

from explorer.model.row_type import ColumnType, RowType


class TimeType(StrEnum):
    """A type of times, which exists within an expression only; no column has it.

    Mirrors ``TimestampType`` of precision 3, as milliseconds since 1970-01-01 without a zone, and
    ``DateType``, as days since then; the values of both are stored as LONGs.
    """

    TIMESTAMP = "TIMESTAMP"
    DATE = "DATE"


TIMESTAMP, DATE = TimeType.TIMESTAMP, TimeType.DATE
TIMES: Final = (TIMESTAMP, DATE)
Kind: TypeAlias = ColumnType | TimeType
"""The type of an expression or of a part of one."""


class Literal(msgspec.Struct, frozen=True, kw_only=True):
    """A value in the text."""

    value: str | int | float | bool | None
    type: Kind | None


class ColumnRef(msgspec.Struct, frozen=True, kw_only=True):
    """A column of the row, by position."""

    index: int
    type: ColumnType


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A function or an operator; ``function`` is a key of ``functions.FUNCTIONS``."""

    function: str
    args: "tuple[Expr, ...]"
    type: Kind | None


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """``CASE WHEN``: the value of the first true condition."""

    branches: "tuple[tuple[Expr, Expr], ...]"
    default: "Expr"
    type: Kind | None


Expr: TypeAlias = Literal | ColumnRef | Call | Case

NULL = Literal(value=None, type=None)


class Expression(msgspec.Struct, frozen=True, kw_only=True):
    """An expression that can be computed over batches of ``row_type``."""

    text: str
    """The text in the document."""
    place: str
    """Its place in the document, such as ``select.k``."""
    row_type: RowType
    root: Expr

    @property
    def type(self) -> ColumnType | None:
        """The type of its values; None: all values are NULL."""
        kind = self.root.type
        return kind if isinstance(kind, ColumnType) else None
