"""A parsed and typed expression.

A small tree of our own, so that the parser's shape ends at ``parser.py``. Every node knows its
type; None is the type of a bare NULL, which fits anywhere.
"""

from typing import TypeAlias

import msgspec

from explorer.engine.rows.expressions.time_types import Kind
from explorer.model.row_type import ColumnType, RowType


class Literal(msgspec.Struct, frozen=True, kw_only=True):
    """A value that stands in the text."""

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
    """``CASE WHEN``: the value of the first condition that holds."""

    branches: "tuple[tuple[Expr, Expr], ...]"
    default: "Expr"
    type: Kind | None


Expr: TypeAlias = Literal | ColumnRef | Call | Case

NULL = Literal(value=None, type=None)


class Expression(msgspec.Struct, frozen=True, kw_only=True):
    """An expression that is ready to be computed over batches of ``row_type``."""

    text: str
    """As it stands in the document."""
    place: str
    """Where it stands: ``select.k``."""
    row_type: RowType
    root: Expr

    @property
    def type(self) -> ColumnType | None:
        """The type of its values; None: they are all NULL."""
        kind = self.root.type
        return kind if isinstance(kind, ColumnType) else None
