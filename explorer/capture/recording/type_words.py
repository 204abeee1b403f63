"""The type that a serializer writes, in the words of a programmer.

A ``StreamNode`` has serializers, not types; their fields identify the type.
"""

import re
from typing import Any, Final

from explorer.capture.jvm.java_objects import JavaObjects

_DEPTH: Final = 4
"""How deep a type within a type is spelled out."""

_ARRAY: Final = re.compile(r"(\w+)PrimitiveArray")
_ELEMENTS: Final = {
    "ListSerializer": ("List", ("elementSerializer",)),
    "MapSerializer": ("Map", ("keySerializer", "valueSerializer")),
    "GenericArraySerializer": ("Array", ("componentSerializer",)),
    "NullableSerializer": ("", ("originalSerializer",)),
    "StreamElementSerializer": ("", ("typeSerializer",)),
}
"""By a collection's serializer, what it is called and the fields of the serializers within."""


def type_words(objects: JavaObjects, serializer: Any, depth: int = 0) -> str | None:
    """The type in words, as in ``Tuple2<String, Integer>``; None for no serializer."""
    if serializer is None:
        return None
    name = objects.simple_name(serializer)
    if name == "RowDataSerializer":
        types = objects.field(serializer, "types")
        if types is None:
            return "Row"
        return f"ROW<{', '.join(str(type_.toString()) for type_ in types)}>"
    if name in _ELEMENTS and depth < _DEPTH:
        called, fields = _ELEMENTS[name]
        within = [objects.field(serializer, field) for field in fields]
        return _generic(called, [type_words(objects, value, depth + 1) for value in within])
    if name in {"TupleSerializer", "RowSerializer", "CaseClassSerializer"} and depth < _DEPTH:
        within = list(objects.field(serializer, "fieldSerializers") or ())
        called = _class_of(objects, serializer, "tupleClass") or "Row"
        return _generic(called, [type_words(objects, item, depth + 1) for item in within])
    return _simple(objects, serializer, name)


def _simple(objects: JavaObjects, serializer: Any, name: str) -> str:
    """Return the class that a serializer is for, else the serializer's name without that word."""
    for field in ("clazz", "type", "enumClass"):
        if known := _class_of(objects, serializer, field):
            return f"Generic<{known}>" if name == "KryoSerializer" else known
    plain = name.removesuffix("Serializer") or name
    if array := _ARRAY.fullmatch(plain):
        return f"{array[1].lower()}[]"
    return "Integer" if plain == "Int" else plain


def _class_of(objects: JavaObjects, serializer: Any, field: str) -> str | None:
    held_value = objects.field(serializer, field)
    if held_value is None or not objects.has(held_value, "getSimpleName"):
        return None
    return str(held_value.getSimpleName())


def _generic(called: str, within: list[str | None]) -> str:
    spelled = ", ".join(item or "?" for item in within)
    return f"{called}<{spelled}>" if called else spelled
