"""Which columns has a row, and of which types?

Mirrors ``RowTypeInfo`` and ``BasicTypeInfo``; nothing here needs Arrow, so documents can be checked
without it.
"""

import re
from enum import Enum
from typing import Final

import msgspec

from explorer.errors import ExplorerError, did_you_mean


class ColumnType(Enum):
    """The four types of a column, by the names that a document uses."""

    LONG = "LONG"
    DOUBLE = "DOUBLE"
    STRING = "STRING"
    BOOLEAN = "BOOLEAN"

    def __str__(self) -> str:
        return self.value


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

    def pick(self, positions: tuple[int, ...]) -> "RowType":
        """Keep the columns at ``positions``."""
        return RowType(
            names=tuple(self.names[i] for i in positions),
            types=tuple(self.types[i] for i in positions),
        )

    def __str__(self) -> str:
        return ", ".join(
            f"{name} {kind}" for name, kind in zip(self.names, self.types, strict=True)
        )


NO_COLUMNS: Final = RowType(names=(), types=())

_COLUMN: Final = re.compile(r"\s*(\w+)\s+([A-Za-z]+)\s*")
_TYPES: Final = {kind.value: kind for kind in ColumnType}


def parse_schema(text: str) -> RowType:
    """Read ``name TYPE`` pairs parted by commas.

    >>> str(parse_schema("word string, n LONG"))
    'word STRING, n LONG'
    """
    names: list[str] = []
    types: list[ColumnType] = []
    for part in text.split(","):
        match = _COLUMN.fullmatch(part)
        kind = _TYPES.get(match[2].upper()) if match else None
        if match is None or kind is None:
            hint = did_you_mean(match[2].upper(), _TYPES) if match else ""
            msg = (
                f"schema part {part.strip()[:80]!r} is no column; write name TYPE, where TYPE is "
                f"LONG, DOUBLE, STRING or BOOLEAN{hint}"
            )
            raise SchemaError(msg)
        names.append(match[1])
        types.append(kind)
    return checked(RowType(names=tuple(names), types=tuple(types)))


def checked(row: RowType) -> RowType:
    """Return ``row`` where its columns can be told apart; raises ``SchemaError`` otherwise."""
    if len(row.names) > MAX_COLUMNS:
        msg = f"a row has at most {MAX_COLUMNS} columns, not {len(row.names)}"
        raise SchemaError(msg)
    seen: set[str] = set()
    for name in row.names:
        if name in seen:
            msg = f"column {name!r} is there twice; give each column its own name"
            raise SchemaError(msg)
        seen.add(name)
    return row
