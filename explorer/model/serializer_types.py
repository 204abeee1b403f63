"""The type that a serializer writes, with its parameters: what a serializer snapshot records."""

from typing import Any, Final

import msgspec


class TypeField(msgspec.Struct, frozen=True, kw_only=True):
    """A field of a POJO or row, an element of a collection, or a nested serializer."""

    name: str = ""
    """Empty where Flink knows it by its position only."""
    type: "SerializerType | None" = None
    """None: the serializer has no snapshot of it, as for a field with a missing class."""


class SerializerType(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A ``TypeSerializerSnapshot`` as plain values."""

    serializer: str
    """The serializer's class without its package; the snapshot's whole class name if unknown."""
    type_name: str = ""
    """The type in Flink's words, as ``Long``; empty where ``class_name`` suffices."""
    class_name: str = ""
    """The whole name of the Java class that is serialized, where the snapshot names it."""
    fields: tuple[TypeField, ...] = ()
    constants: tuple[str, ...] = ()
    """Of an enum, in the order of their numbers."""
    columns: tuple[str, ...] = ()
    """Logical types of a SQL row, an array or a map; '?' for one that is not known."""
    parameters: tuple[str, ...] = ()
    """Others, such as ``null mask`` or ``precision=3``."""
    avro_schema: str = ""
    registrations: tuple[str, ...] = ()
    """Classes that are registered with Kryo, in the order of their numbers."""
    subclasses: tuple[TypeField, ...] = ()
    """A POJO's subclasses that have a serializer of their own."""
    known: bool = True
    """Whether all of the snapshot was read; otherwise the class is named and nothing else."""

    @property
    def complete(self) -> bool:
        """Whether this type and all types within it were read."""
        return all(
            nested_type_.known and "?" not in nested_type_.columns
            for nested_type_ in nested_types(self)
        )

    @property
    def words(self) -> str:
        """The type in a programmer's words, as in ``Tuple2<String, Integer>``."""
        return _words(self)


def nested_types(type: SerializerType) -> list[SerializerType]:
    """The type and all types within it; a field without a type counts as an unknown one."""
    serializer_types = [type]
    for serializer_type in serializer_types:
        fields = (*serializer_type.fields, *serializer_type.subclasses)
        serializer_types.extend(field.type or _UNKNOWN for field in fields)
    return serializer_types


def uses_kryo(type: SerializerType | None) -> bool:
    """Whether Kryo writes a value of the type, or a part of it; None: the type is not known."""
    parts = [] if type is None else nested_types(type)
    return any(part.serializer.startswith("KryoSerializer") for part in parts)


_UNKNOWN: Final = SerializerType(serializer="", known=False)
"""Of a field with a type that no snapshot names."""


def _words(type: SerializerType) -> str:  # noqa: PLR0911 - one for each kind of serializer
    """Recursive: a snapshot's depth is bounded where it is read."""
    if not type.known:
        return f"unknown ({type.serializer})" if type.serializer else "unknown"
    within = [_words(field.type or _UNKNOWN) for field in type.fields]
    match type.serializer:
        case "PojoSerializer":
            fields = zip(type.fields, within, strict=True)
            named = ", ".join(f"{field.name}: {words}" for field, words in fields)
            return f"{simple_name(type.class_name)} {{{named}}}"
        case "EnumSerializer" | "ScalaEnumSerializer":
            return f"{simple_name(type.class_name)} [{', '.join(type.constants)}]"
        case "KryoSerializer" | "AvroSerializer":
            called = type.serializer.removesuffix("Serializer")
            return f"{called}<{simple_name(type.class_name)}>"
        case "RowDataSerializer" | "BaseRowSerializer":
            return f"ROW<{', '.join(type.columns)}>"
        case "TtlSerializer" | "TtlAwareSerializer":
            # A value with TTL is written behind the time of its last access.
            has_ttl = type.serializer == "TtlSerializer" or "ttl" in type.parameters
            words = within[-1] if within else "unknown"
            return f"{words} with TTL" if has_ttl else words
        case _:
            own = type.type_name or simple_name(type.class_name)
            called = own or type.serializer.removesuffix("Serializer")
            inner = within or list(type.columns) or list(type.parameters)
            return f"{called}<{', '.join(inner)}>" if inner else called


class DeclaredState(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A state that an operator of Flink declares itself, known before the job runs."""

    name: str
    kind: str
    """``VALUE``, ``LIST``, ``MAP``, ``REDUCING``, ``AGGREGATING``, ``SPLIT_DISTRIBUTE`` ..."""
    value: SerializerType | None = None
    namespace: SerializerType | None = None


class DeclaredTypes(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Serializers that a captured operator declares, as its own snapshots describe them."""

    key: SerializerType | None = None
    """Of the keyed stream that it reads; None: not keyed, or unknown."""
    states: tuple[DeclaredState, ...] = ()
    """Those that Flink's operator declares; a user's function declares its own in ``open``."""
    complete: bool = False
    """Whether the operator has no other state than these."""


def type_members(type: SerializerType | None) -> dict[str, Any] | None:
    """JSON-ready members: the type in words, then what the snapshot records; null for None."""
    if type is None:
        return None
    return {"type": type.words, **msgspec.to_builtins(type)}


def simple_name(class_name: str) -> str:
    """A Java class without its package and its outer class."""
    return class_name.rpartition(".")[2].rpartition("$")[2]
