"""Columns of a row and their types.

Mirrors ``RowTypeInfo`` and ``BasicTypeInfo``; nothing here needs Arrow, so documents can be checked
without it.
"""

import re
from enum import StrEnum
from typing import Final

import msgspec

from explorer.errors import ExplorerError
from explorer.wording import listed, quoted, suggestion


class ColumnType(StrEnum):
    """The four types of a column, by the names that a document uses."""

    LONG = "LONG"
    DOUBLE = "DOUBLE"
    STRING = "STRING"
    BOOLEAN = "BOOLEAN"


LONG, DOUBLE = ColumnType.LONG, ColumnType.DOUBLE
STRING, BOOLEAN = ColumnType.STRING, ColumnType.BOOLEAN

MAX_COLUMNS: Final = 1000
"""A wider row is refused: it is a mistake, or an attack."""


class SchemaError(ExplorerError):
    """A schema text does not say what columns there are."""


class RowType(msgspec.Struct, frozen=True, kw_only=True):
    """The names and types of a row's columns, in order."""

    names: tuple[str, ...]
    types: tuple[ColumnType, ...]
    tag: int = 0
    """Of a ``TaggedUnion`` the input, 1 or 2, that the row comes from; 0: it is a row alone."""

    @classmethod
    def of(cls, **columns: ColumnType) -> "RowType":
        """Build a row type from ``name=TYPE`` pairs.

        >>> str(RowType.of(word=STRING, n=LONG))
        'word STRING, n LONG'
        """
        return cls(names=tuple(columns), types=tuple(columns.values()))

    def index(self, name: str) -> int:
        """Find a column's position; raises ``KeyError`` when there is none."""
        try:
            return self.names.index(name)
        except ValueError:
            raise KeyError(name) from None

    def tagged(self, tag: int) -> "RowType":
        """The same columns in a row with that tag, or without one."""
        return msgspec.structs.replace(self, tag=tag)

    def pick(self, positions: tuple[int, ...]) -> "RowType":
        """Keep the columns at ``positions``."""
        return RowType(
            names=tuple(self.names[i] for i in positions),
            types=tuple(self.types[i] for i in positions),
        )

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """Name and type of each column, as a document writes them."""
        return tuple(zip(self.names, map(str, self.types), strict=True))

    def __str__(self) -> str:
        return ", ".join(f"{name} {kind}" for name, kind in self.columns)


NO_COLUMNS: Final = RowType(names=(), types=())

_COLUMN: Final = re.compile(r"\s*(?P<name>\w+)\s+(?P<type>\w+)\s*")
"""A name is any word: an expression puts quotes around one that SQL would not read as a name."""
_TYPES: Final = {kind.value: kind for kind in ColumnType}


def parse_schema(text: str) -> RowType:
    """Read ``name TYPE`` pairs parted by commas; raises ``SchemaError``.

    >>> str(parse_schema("word string, n LONG"))
    'word STRING, n LONG'
    """
    columns = [_column(part) for part in text.split(",")]
    names, types = zip(*columns, strict=True)
    return checked(RowType(names=names, types=types))


def _column(text: str) -> tuple[str, ColumnType]:
    match = _COLUMN.fullmatch(text)
    if match is None:
        msg = f"{quoted(text.strip())} is not a column; write name TYPE, as in n LONG"
        raise SchemaError(msg)
    kind = match["type"].upper()
    if kind not in _TYPES:
        hint = suggestion(kind, _TYPES)
        msg = (
            f"column {quoted(match['name'])} has no type {quoted(kind)}; "
            f"the types are {listed(_TYPES)}{hint}"
        )
        raise SchemaError(msg)
    return match["name"], _TYPES[kind]


def checked(row: RowType) -> RowType:
    """Return ``row`` where its columns can be distinguished; raises ``SchemaError`` otherwise."""
    if len(row.names) > MAX_COLUMNS:
        msg = f"a row has at most {MAX_COLUMNS:,} columns, not {len(row.names):,}"
        raise SchemaError(msg)
    visited: set[str] = set()
    for name in row.names:
        if name in visited:
            msg = f"column {quoted(name)} is named twice; give each column its own name"
            raise SchemaError(msg)
        visited.add(name)
    return row
