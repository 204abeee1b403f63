"""A reader of serializer snapshots: bytes to ``SerializerType``.

Mirrors ``TypeSerializerSnapshot.readVersionedSnapshot`` and the snapshot classes of Flink 1.9 to
2.3, a row each. A snapshot has no length, so one of an unknown class ends the reading: its class
is reported and nothing behind it is guessed. A POJO's fields stand in frames, which can be skipped.
"""

from collections.abc import Callable, Iterator
from typing import Final

from explorer.model.serializer_types import SerializerType, TypeField
from explorer.savepoints.data_input import DataInput, SavepointError
from explorer.savepoints.java_streams import read_java_object
from explorer.savepoints.logical_types import logical_type_words
from explorer.savepoints.snapshot_classes import (
    BASE,
    CEP,
    COLLECTIONS,
    JAVA,
    KNOWN_COMPOSITES,
    RENAMED,
    SCALA,
    SIMPLE,
    STATE,
    STREAMING,
    TABLE,
)

MAX_DEPTH: Final = 12
"""How deep snapshots may lie in one another."""
_MOST_TYPES: Final = 5_000
_COMPOSITE, _NESTED = 911_108, 1_333_245
"""Magic numbers of ``CompositeTypeSerializerSnapshot`` and of its nested snapshots."""
_COMPOSITE_VERSION: Final = 3
_OPTIONAL_MAP: Final = 0x4F2C69A3D70
"""Magic number of ``LinkedOptionalMapSerializer``."""


class SnapshotReader:
    """Reads snapshots one after the other until one of an unknown class ends the reading."""

    def __init__(self, data: DataInput) -> None:
        self.data = data
        self.stopped: str | None = None
        """The class, with its version, that could not be read; nothing behind it is readable."""
        self.count = 0

    def read(self, depth: int = 0) -> SerializerType:
        """A versioned snapshot; raises ``SavepointError`` for bytes that are none."""
        self.count += 1
        if depth > MAX_DEPTH or self.count > _MOST_TYPES:
            msg = f"serializer snapshots nest too deep or are too many at byte {self.data.at:,}"
            raise SavepointError(msg)
        name, version = self.data.read_utf(), self.data.read_int()
        if name in SIMPLE:
            return self._simple(name, version)
        reader = _READERS.get(name)
        if reader is not None:
            return reader(self, name, version, depth)
        return self._composite(name, version, depth)

    def stop(self, name: str, version: int) -> SerializerType:
        """End the reading at a snapshot of unknown layout."""
        self.stopped = f"{name} (version {version})"
        return SerializerType(serializer=name, known=False)

    def nested(self, depth: int) -> tuple[TypeField, ...]:
        """``NestedSerializersSnapshotDelegate``."""
        if self.data.read_int() != _NESTED or self.data.read_int() != 1:
            msg = f"nested serializer snapshots are missing at byte {self.data.at - 8:,}"
            raise SavepointError(msg)
        found: list[TypeField] = []
        for _ in range(self.data.read_count("nested serializers", 6)):
            found.append(TypeField(type=self.read(depth + 1)))
            if self.stopped is not None:
                break
        return tuple(found)

    def optional_map(self) -> Iterator[tuple[str, bytes | None, bytes | None]]:
        """``LinkedOptionalMapSerializer``: each entry's name, key and value, as bytes."""
        if self.data.read_long() != _OPTIONAL_MAP:
            msg = f"a map of optional values is missing at byte {self.data.at - 8:,}"
            raise SavepointError(msg)
        for _ in range(self.data.read_count("entries of a map", 4)):
            yield self.data.read_utf(), self._frame(), self._frame()

    def _frame(self) -> bytes | None:
        if self.data.read_byte() == 0:
            return None
        return bytes(self.data.take(self.data.read_count("bytes of a frame", 1)))

    def framed(self, frame: bytes | None, depth: int) -> SerializerType | None:
        """The snapshot in a frame; one that is not readable ends nothing outside of the frame."""
        if frame is None:
            return None
        inner = SnapshotReader(DataInput(frame))
        inner.count = self.count
        found = inner.read(depth + 1)
        self.count = inner.count
        return found

    def _simple(self, name: str, version: int) -> SerializerType:
        """``SimpleTypeSerializerSnapshot``: nothing follows; version 2 repeats the class."""
        if version not in {2, 3}:
            return self.stop(name, version)
        if version == 2:
            self.data.read_utf()
        serializer, type_name = SIMPLE[name]
        return SerializerType(serializer=serializer, type_name=type_name)

    def _composite(self, name: str, version: int, depth: int) -> SerializerType:
        """``CompositeTypeSerializerSnapshot``, known by its magic number."""
        head = DataInput(bytes(self.data.content[self.data.at : self.data.at + 8]))
        if version != _COMPOSITE_VERSION or head.left < 8 or head.read_int() != _COMPOSITE:
            return self.stop(name, version)
        outer = head.read_int()
        self.data.take(8)
        parts = _OUTER.get(name, _nothing)(self.data, outer)
        if self.data.left < 4 or parts is None or not self._nested_follow():
            return self.stop(name, version)
        return SerializerType(
            serializer=short_name(name) if name in KNOWN_COMPOSITES else name,
            type_name=COLLECTIONS.get(name, ""),
            class_name=parts.class_name,
            parameters=parts.parameters,
            fields=self.nested(depth),
            known=name in KNOWN_COMPOSITES,
        )

    def _nested_follow(self) -> bool:
        at = self.data.at
        return bytes(self.data.content[at : at + 4]) == _NESTED.to_bytes(4, "big")


def short_name(name: str) -> str:
    """A snapshot class's serializer, without package and outer class."""
    inner = name.rpartition(".")[2].rpartition("$")[2]
    return RENAMED.get(name) or inner.removesuffix("ConfigSnapshot").removesuffix("Snapshot")


def _pojo(reader: SnapshotReader, name: str, version: int, depth: int) -> SerializerType:
    """``PojoSerializerSnapshotData``."""
    if version != 2:
        return reader.stop(name, version)
    class_name = reader.data.read_utf()
    fields = [
        TypeField(name=field, type=reader.framed(value, depth))
        for field, _, value in reader.optional_map()
    ]
    subclasses = [
        TypeField(name=subclass, type=reader.framed(value, depth))
        for _ in range(2)
        for subclass, _, value in reader.optional_map()
    ]
    return SerializerType(
        serializer="PojoSerializer",
        class_name=class_name,
        fields=tuple(fields),
        subclasses=tuple(subclasses),
    )


def _kryo(reader: SnapshotReader, name: str, version: int, _: int) -> SerializerType:
    """``KryoSerializerSnapshotData``; default serializers are Java objects and are not read."""
    if version != 2:
        return reader.stop(name, version)
    class_name = reader.data.read_utf()
    registered, by_object, by_class = (
        tuple(entry for entry, _, _ in reader.optional_map()) for _ in range(3)
    )
    return SerializerType(
        serializer="KryoSerializer",
        class_name=class_name,
        registrations=registered,
        parameters=tuple(f"serializer for {each}" for each in (*by_object, *by_class)),
    )


def _enum(reader: SnapshotReader, name: str, version: int, _: int) -> SerializerType:
    if version not in {2, 3}:
        return reader.stop(name, version)
    class_name = reader.data.read_utf()
    count = reader.data.read_count("constants of an enum", 2)
    constants = tuple(reader.data.read_utf() for _ in range(count))
    return SerializerType(serializer="EnumSerializer", class_name=class_name, constants=constants)


def _scala_enum(reader: SnapshotReader, name: str, version: int, _: int) -> SerializerType:
    if version not in {1, 2, 3}:
        return reader.stop(name, version)
    class_name = reader.data.read_utf()
    constants = []
    for _number in range(reader.data.read_count("constants of an enum", 6)):
        constants.append(reader.data.read_utf())
        reader.data.read_int()
    return SerializerType(
        serializer="ScalaEnumSerializer", class_name=class_name, constants=tuple(constants)
    )


def _avro(reader: SnapshotReader, name: str, version: int, _: int) -> SerializerType:
    """``AvroSerializerSnapshot``: before version 3 the schema is a short text."""
    class_name = reader.data.read_utf() if version in {2, 3} else ""
    if version in {1, 2}:
        schema = reader.data.read_utf()
    elif version == 3:
        length = reader.data.read_count("bytes of a schema", 1)
        schema = bytes(reader.data.take(length)).decode("utf-8", "replace")
    else:
        return reader.stop(name, version)
    if not schema.lstrip().startswith(("{", '"', "[")):
        return reader.stop(name, version)
    return SerializerType(serializer="AvroSerializer", class_name=class_name, avro_schema=schema)


def _generic(reader: SnapshotReader, name: str, version: int, _: int) -> SerializerType:
    """``GenericTypeSerializerSnapshot``: the name of a class."""
    if version != 2:
        return reader.stop(name, version)
    return SerializerType(serializer=short_name(name), class_name=reader.data.read_utf())


def _row_data(reader: SnapshotReader, name: str, version: int, depth: int) -> SerializerType:
    if version != 3:
        return reader.stop(name, version)
    columns = _logical_types(reader, reader.data.read_count("columns", 5))
    return SerializerType(serializer=short_name(name), columns=columns, fields=reader.nested(depth))


def _logical_types(reader: SnapshotReader, count: int) -> tuple[str, ...]:
    return tuple(logical_type_words(read_java_object(reader.data)) or "?" for _ in range(count))


def _array_data(reader: SnapshotReader, name: str, version: int, _: int) -> SerializerType:
    """The element's type and its serializer, each a Java object; the serializer is passed over."""
    return _java_pairs(reader, name, version, "ARRAY", 1)


def _map_data(reader: SnapshotReader, name: str, version: int, _: int) -> SerializerType:
    """The types of key and value and their serializers, each a Java object."""
    return _java_pairs(reader, name, version, "MAP", 2)


def _java_pairs(
    reader: SnapshotReader, name: str, version: int, called: str, count: int
) -> SerializerType:
    if version != 3:
        return reader.stop(name, version)
    columns = _logical_types(reader, count)
    for _ in range(count):
        read_java_object(reader.data)
    return SerializerType(serializer=short_name(name), type_name=called, columns=columns)


def _numbers(
    called: str, names: tuple[str, ...], versions: frozenset[int]
) -> Callable[[SnapshotReader, str, int, int], SerializerType]:
    """Return a reader of a snapshot with this number of integers."""

    def read(reader: SnapshotReader, name: str, version: int, _: int) -> SerializerType:
        if version not in versions:
            return reader.stop(name, version)
        parameters = tuple(f"{each}={reader.data.read_int()}" for each in names)
        return SerializerType(serializer=short_name(name), type_name=called, parameters=parameters)

    return read


def _sorted_map(reader: SnapshotReader, name: str, version: int, depth: int) -> SerializerType:
    if version != 3:
        return reader.stop(name, version)
    read_java_object(reader.data)
    # The comparator is an object of its own class, which is not compared.
    return SerializerType(serializer=name, fields=reader.nested(depth), known=False)


def _ttl_aware(reader: SnapshotReader, name: str, version: int, depth: int) -> SerializerType:
    """``TtlAwareSerializerSnapshot`` of 2.0 on: whether there is a TTL, then the serializer."""
    if version != 1:
        return reader.stop(name, version)
    has_ttl = reader.data.read_byte() != 0
    return SerializerType(
        serializer="TtlAwareSerializer",
        parameters=("ttl",) if has_ttl else (),
        fields=(TypeField(type=reader.read(depth + 1)),),
    )


def _with_nested(reader: SnapshotReader, name: str, version: int, depth: int) -> SerializerType:
    """``EitherSerializerSnapshot`` and ``GenericArraySerializerConfigSnapshot`` of 1.9."""
    if version != 2:
        return reader.stop(name, version)
    is_array = "Array" in name
    class_name = reader.data.read_utf() if is_array else ""
    return SerializerType(
        serializer=short_name(name),
        type_name="Array" if is_array else "Either",
        class_name=class_name,
        fields=reader.nested(depth),
    )


class _Outer:
    """What a composite wrote before its nested snapshots."""

    def __init__(self, class_name: str = "", parameters: tuple[str, ...] = ()) -> None:
        self.class_name, self.parameters = class_name, parameters


def _nothing(_: DataInput, __: int) -> _Outer | None:
    return _Outer()


def _class(data: DataInput, _: int) -> _Outer | None:
    return _Outer(data.read_utf())


def _code(data: DataInput, _: int) -> _Outer | None:
    """Source code of a Scala collection's builder."""
    return _Outer(parameters=(data.read_utf(),))


def _flag(called: str, since: int) -> Callable[[DataInput, int], _Outer | None]:
    """A reader of a flag that is written from an outer version on."""

    def read(data: DataInput, version: int) -> _Outer | None:
        has_flag = version >= since and data.read_byte() != 0
        return _Outer(parameters=(called,) if has_flag else ())

    return read


def _padding(data: DataInput, _: int) -> _Outer | None:
    return _Outer(parameters=(f"padding={data.read_int()}",))


def _external(data: DataInput, _: int) -> _Outer | None:
    read_java_object(data)
    data.read_byte()
    return _Outer()


_OUTER: Final[dict[str, Callable[[DataInput, int], _Outer | None]]] = {
    f"{JAVA}TupleSerializerSnapshot": _class,
    f"{BASE}GenericArraySerializerSnapshot": _class,
    f"{SCALA}ScalaCaseClassSerializerSnapshot": _class,
    f"{SCALA}Tuple2CaseClassSerializerSnapshot": _class,
    f"{SCALA}TraversableSerializerSnapshot": _code,
    f"{JAVA}NullableSerializer$NullableSerializerSnapshot": _padding,
    f"{JAVA}RowSerializer$RowSerializerSnapshot": _flag("row kind", 4),
    f"{TABLE}LinkedListSerializer$LinkedListSerializerSnapshot": _flag("null mask", 3),
    f"{CEP}NFAStateSerializerSnapshot": _flag("previous timestamp", 2),
    f"{STREAMING}functions.sink.TwoPhaseCommitSinkFunction$StateSerializerSnapshot": _flag(
        "null transaction", 4
    ),
    f"{STREAMING}functions.sink.legacy.TwoPhaseCommitSinkFunction$StateSerializerSnapshot": _flag(
        "null transaction", 4
    ),
    f"{TABLE}ExternalSerializer$ExternalSerializerSnapshot": _external,
}
"""By snapshot class, how a composite's own part is read; the others have none."""
_READERS: Final[dict[str, Callable[[SnapshotReader, str, int, int], SerializerType]]] = {
    f"{JAVA}PojoSerializerSnapshot": _pojo,
    f"{JAVA}kryo.KryoSerializerSnapshot": _kryo,
    f"{JAVA}ValueSerializer$ValueSerializerSnapshot": _generic,
    f"{JAVA}CopyableValueSerializer$CopyableValueSerializerSnapshot": _generic,
    f"{JAVA}EitherSerializerSnapshot": _with_nested,
    f"{BASE}GenericArraySerializerConfigSnapshot": _with_nested,
    f"{BASE}EnumSerializer$EnumSerializerSnapshot": _enum,
    f"{SCALA}ScalaEnumSerializerSnapshot": _scala_enum,
    "org.apache.flink.formats.avro.typeutils.AvroSerializerSnapshot": _avro,
    f"{STATE}ttl.TtlAwareSerializerSnapshot": _ttl_aware,
    f"{TABLE}RowDataSerializer$RowDataSerializerSnapshot": _row_data,
    f"{TABLE}BaseRowSerializer$BaseRowSerializerSnapshot": _row_data,
    f"{TABLE}ArrayDataSerializer$ArrayDataSerializerSnapshot": _array_data,
    f"{TABLE}BaseArraySerializer$BaseArraySerializerSnapshot": _array_data,
    f"{TABLE}MapDataSerializer$MapDataSerializerSnapshot": _map_data,
    f"{TABLE}BaseMapSerializer$BaseMapSerializerSnapshot": _map_data,
    f"{TABLE}BinaryRowDataSerializer$BinaryRowDataSerializerSnapshot": _numbers(
        "BinaryRow", ("fields",), frozenset({3})
    ),
    f"{TABLE}BinaryRowSerializer$BinaryRowSerializerSnapshot": _numbers(
        "BinaryRow", ("fields",), frozenset({3})
    ),
    f"{TABLE}DecimalDataSerializer$DecimalSerializerSnapshot": _numbers(
        "DECIMAL", ("precision", "scale"), frozenset({3})
    ),
    f"{TABLE}DecimalSerializer$DecimalSerializerSnapshot": _numbers(
        "DECIMAL", ("precision", "scale"), frozenset({3})
    ),
    f"{TABLE}TimestampDataSerializer$TimestampDataSerializerSnapshot": _numbers(
        "TIMESTAMP", ("precision",), frozenset({1})
    ),
    f"{TABLE}SortedMapSerializerSnapshot": _sorted_map,
}
"""By snapshot class, how one of a layout of its own is read."""
