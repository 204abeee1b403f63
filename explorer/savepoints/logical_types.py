"""Logical types of SQL as words: what ``LogicalType.asSerializableString`` prints, or close to it.

A ``RowDataSerializer`` writes its columns' types as Java objects; ``java_streams`` reads them as
inert records.
"""

from collections.abc import Callable
from typing import Any, Final

from explorer.savepoints.java_streams import JavaObject

_PACKAGE: Final = "org.apache.flink.table.types.logical."
_DEEPEST: Final = 16
_LONGEST_TEXT: Final = 2_147_483_647


def logical_type_words(kind: Any, depth: int = 0) -> str | None:
    """The type as SQL writes it, with ``NOT NULL``; None for a class that is not known."""
    if not isinstance(kind, JavaObject) or depth > _DEEPEST:
        return None
    name = kind.class_name.removeprefix(_PACKAGE)
    if name == kind.class_name:
        return None
    words = _PLAIN.get(name) or _spelled(kind, name, depth)
    if words is None:
        return None
    return words if kind.fields.get("isNullable", True) else f"{words} NOT NULL"


def _spelled(kind: JavaObject, name: str, depth: int) -> str | None:
    if name in _SIZED:
        called, fields = _SIZED[name]
        return f"{called}({', '.join(str(kind.fields.get(field)) for field in fields)})"
    if name in _TEXTS:
        called, unlimited = _TEXTS[name]
        length = kind.fields.get("length")
        return unlimited if length == _LONGEST_TEXT else f"{called}({length})"
    if name in _NESTING:
        called, fields = _NESTING[name]
        within = [logical_type_words(kind.fields.get(field), depth + 1) for field in fields]
        known = [each for each in within if each is not None]
        return f"{called}<{', '.join(known)}>" if len(known) == len(within) else None
    reader = _OTHERS.get(name)
    return None if reader is None else reader(kind, depth)


def _row(kind: JavaObject, depth: int) -> str | None:
    columns = []
    for field in _listed(kind.fields.get("fields")):
        if not isinstance(field, JavaObject):
            return None
        words = logical_type_words(field.fields.get("type"), depth + 1)
        if words is None:
            return None
        columns.append(f"`{field.fields.get('name')}` {words}")
    return f"ROW<{', '.join(columns)}>"


def _listed(held: Any) -> list[Any]:
    """The elements of a Java list, through the wrappers that Flink puts around it."""
    for _ in range(4):
        if isinstance(held, list):
            return held
        if not isinstance(held, JavaObject):
            return []
        inner = next(
            (held.fields[name] for name in ("list", "c", "a") if name in held.fields), None
        )
        if inner is None:
            return [one for one in held.additions if not isinstance(one, bytes)]
        held = inner
    return []


def _local_zoned(kind: JavaObject, _: int) -> str:
    return f"TIMESTAMP({kind.fields.get('precision')}) WITH LOCAL TIME ZONE"


def _zoned(kind: JavaObject, _: int) -> str:
    return f"TIMESTAMP({kind.fields.get('precision')}) WITH TIME ZONE"


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
"""By class, a type without parameters."""
_SIZED: Final = {
    "DecimalType": ("DECIMAL", ("precision", "scale")),
    "TimeType": ("TIME", ("precision",)),
    "TimestampType": ("TIMESTAMP", ("precision",)),
}
"""By class, the word and the fields of a type with sizes."""
_TEXTS: Final = {
    "CharType": ("CHAR", "CHAR(2147483647)"),
    "VarCharType": ("VARCHAR", "STRING"),
    "BinaryType": ("BINARY", "BINARY(2147483647)"),
    "VarBinaryType": ("VARBINARY", "BYTES"),
}
"""By class, the word of a type with a length, and of one without a limit."""
_NESTING: Final = {
    "ArrayType": ("ARRAY", ("elementType",)),
    "MultisetType": ("MULTISET", ("elementType",)),
    "MapType": ("MAP", ("keyType", "valueType")),
}
"""By class, the word of a collection and the fields of the types within."""
_OTHERS: Final[dict[str, Callable[[JavaObject, int], str | None]]] = {
    "RowType": _row,
    "LocalZonedTimestampType": _local_zoned,
    "ZonedTimestampType": _zoned,
}
