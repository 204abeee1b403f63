"""Logical types of SQL as words: what ``LogicalType.asSerializableString`` prints, or close to it.

A ``RowDataSerializer`` writes its columns' types as Java objects; ``java_streams`` reads them as
inert records.
"""

from typing import Any, Final

from explorer.savepoints.java_streams import JavaObject

_PACKAGE: Final = "org.apache.flink.table.types.logical."
MOST_TYPES: Final = 2_000
"""Types within one column's type that are spelled."""
_DEEPEST: Final = 16
_LONGEST_NAME: Final = 300
_LONGEST_NUMBER: Final = 12
_LONGEST_TEXT: Final = 2_147_483_647
"""``VarCharType.MAX_LENGTH``: without a length in SQL, as ``VarBinaryType``'s."""


def logical_type_words(kind: Any) -> str | None:
    """The type as SQL writes it, with ``NOT NULL``; None for a class that is not known.

    Objects of a stream may refer to one another, so that a few bytes stand for many types: no more
    than ``MOST_TYPES`` are spelled.
    """
    return _Speller().words(kind, 0)


class _Speller:
    """Spells one type and the types within it, up to a number of types."""

    def __init__(self) -> None:
        self.left = MOST_TYPES

    def words(self, kind: Any, depth: int) -> str | None:
        self.left -= 1
        if not isinstance(kind, JavaObject) or depth > _DEEPEST or self.left < 0:
            return None
        name = kind.class_name.removeprefix(_PACKAGE)
        if name == kind.class_name:
            return None
        words = _PLAIN.get(name) or self._spell(kind, name, depth)
        if words is None:
            return None
        return words if kind.fields.get("isNullable", True) else f"{words} NOT NULL"

    def _spell(self, kind: JavaObject, name: str, depth: int) -> str | None:
        if name in _SIZED:
            called, numbers, ending = _SIZED[name]
            sizes = ", ".join(str(kind.fields.get(field))[:_LONGEST_NUMBER] for field in numbers)
            return f"{called}({sizes}){ending}"
        if name in _TEXTS:
            called, unlimited = _TEXTS[name]
            length = kind.fields.get("length")
            is_limited = length != _LONGEST_TEXT
            return f"{called}({str(length)[:_LONGEST_NUMBER]})" if is_limited else unlimited
        if name in _NESTING:
            called, fields = _NESTING[name]
            within = [self.words(kind.fields.get(field), depth + 1) for field in fields]
            known = [item for item in within if item is not None]
            return f"{called}<{', '.join(known)}>" if len(known) == len(within) else None
        return self._row(kind, depth) if name == "RowType" else None

    def _row(self, kind: JavaObject, depth: int) -> str | None:
        columns = []
        for field in _list_elements(kind.fields.get("fields")):
            if not isinstance(field, JavaObject):
                return None
            words = self.words(field.fields.get("type"), depth + 1)
            name = field.fields.get("name")
            if words is None or not isinstance(name, str) or len(name) > _LONGEST_NAME:
                return None
            columns.append(f"`{name}` {words}")
        return f"ROW<{', '.join(columns)}>"


def _list_elements(wrapped: Any) -> list[Any]:
    """Return the elements of a Java list, through the wrappers that Flink puts around it."""
    for _ in range(4):
        if isinstance(wrapped, list):
            return wrapped
        if not isinstance(wrapped, JavaObject):
            return []
        # ``RowType.fields`` is a ``Collections.unmodifiableList``, with its list in ``list`` and in
        # ``c``; that of ``Arrays.asList`` has its array in ``a``; an ``ArrayList`` writes elements.
        inner = next(
            (wrapped.fields[name] for name in ("list", "c", "a") if name in wrapped.fields), None
        )
        if inner is None:
            return [addition for addition in wrapped.additions if not isinstance(addition, bytes)]
        wrapped = inner
    return []


_PLAIN: Final = {
    "BooleanType": "BOOLEAN",
    "TinyIntType": "TINYINT",
    "SmallIntType": "SMALLINT",
    "IntType": "INT",
    "BigIntType": "BIGINT",
    "FloatType": "FLOAT",
    "DoubleType": "DOUBLE",
    "DateType": "DATE",
    "NullType": "NULL",
    "VariantType": "VARIANT",
    "BitmapType": "BITMAP",
}
"""Types without parameters, by class."""
_SIZED: Final = {
    "DecimalType": ("DECIMAL", ("precision", "scale"), ""),
    "TimeType": ("TIME", ("precision",), ""),
    "TimestampType": ("TIMESTAMP", ("precision",), ""),
    "LocalZonedTimestampType": ("TIMESTAMP", ("precision",), " WITH LOCAL TIME ZONE"),
    "ZonedTimestampType": ("TIMESTAMP", ("precision",), " WITH TIME ZONE"),
}
"""Name, size fields and suffix of a type with sizes, by class."""
_TEXTS: Final = {
    "CharType": ("CHAR", "CHAR(2147483647)"),
    "VarCharType": ("VARCHAR", "STRING"),
    "BinaryType": ("BINARY", "BINARY(2147483647)"),
    "VarBinaryType": ("VARBINARY", "BYTES"),
}
"""Names of a type with and without a length, by class."""
_NESTING: Final = {
    "ArrayType": ("ARRAY", ("elementType",)),
    "MultisetType": ("MULTISET", ("elementType",)),
    "MapType": ("MAP", ("keyType", "valueType")),
}
"""Name of a collection and fields of its element types, by class."""
