"""The type that a serializer writes, with its parameters: what a serializer snapshot records."""

import msgspec


class TypeField(msgspec.Struct, frozen=True, kw_only=True):
    """A field of a POJO or row, an element of a collection, or a nested serializer."""

    name: str = ""
    """Empty where Flink knows it by its position only."""
    type: "SerializerType | None" = None
    """None: the serializer has no snapshot of it, as for a field whose class is gone."""


class SerializerType(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A ``TypeSerializerSnapshot`` as plain values."""

    serializer: str
    """The serializer's class without its package; the snapshot's whole class name if unknown."""
    type_name: str = ""
    """The type in Flink's words, as ``Long``; empty where ``class_name`` says it."""
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
        return all(one.known and "?" not in one.columns for one in nested_types(self))

    @property
    def words(self) -> str:
        """The type in a programmer's words, as in ``Tuple2<String, Integer>``."""
        return _words(self)


def nested_types(type: SerializerType) -> list[SerializerType]:
    """The type and all types within it; a field without a type counts as an unknown one."""
    found = [type]
    for one in found:
        for field in (*one.fields, *one.subclasses):
            found.append(field.type or SerializerType(serializer="", known=False))
    return found


def _words(type: SerializerType) -> str:
    """Flat enough to recurse: a snapshot's depth is bounded where it is read."""
    if not type.known:
        return f"unknown ({type.serializer})" if type.serializer else "unknown"
    within = [(field.name, "?" if field.type is None else _words(field.type)) for field in type.fields]
    match type.serializer:
        case "PojoSerializer":
            named = ", ".join(f"{name}: {words}" for name, words in within)
            return f"{simple_name(type.class_name)} {{{named}}}"
        case "EnumSerializer" | "ScalaEnumSerializer":
            return f"{simple_name(type.class_name)} [{', '.join(type.constants)}]"
        case "KryoSerializer":
            return f"Kryo<{simple_name(type.class_name)}>"
        case "AvroSerializer":
            return f"Avro<{simple_name(type.class_name)}>"
        case "RowDataSerializer" | "BaseRowSerializer":
            return f"ROW<{', '.join(type.columns)}>"
        case "TtlSerializer":
            return f"{within[-1][1]} with TTL" if within else "TTL"
        case "TtlAwareSerializer":
            words = within[-1][1] if within else "?"
            return f"{words} with TTL" if "ttl" in type.parameters else words
    called = type.type_name or simple_name(type.class_name) or type.serializer.removesuffix(
        "Serializer"
    )
    inner = [words for _, words in within] or list(type.columns) or list(type.parameters)
    return f"{called}<{', '.join(inner)}>" if inner else called


def simple_name(class_name: str) -> str:
    """A Java class without its package and its outer class."""
    return class_name.rpartition(".")[2].rpartition("$")[2]
