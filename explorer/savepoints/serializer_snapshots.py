"""A reader of serializer snapshots: bytes to ``SerializerType``.

Mirrors ``TypeSerializerSnapshot.readVersionedSnapshot`` and the snapshot classes of the supported
releases, a row each. A snapshot has no length, so one of an unknown class ends the reading: its
class is reported and nothing behind it is guessed. A POJO's fields stand in frames, which can be
skipped.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple, TypeAlias

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
MOST_TYPES: Final = 5_000
"""How many snapshots one reader reads."""
_COMPOSITE, _NESTED = 911_108, 1_333_245
"""Magic numbers of ``CompositeTypeSerializerSnapshot`` and of its nested snapshots."""
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
        if depth > MAX_DEPTH or self.count > MOST_TYPES:
            msg = f"serializer snapshots nest too deep or are too many at byte {self.data.at:,}"
            raise SavepointError(msg)
        name, version = self.data.read_utf(), self.data.read_int()
        versions, reader = _READERS.get(name, _COMPOSITE_ROW)
        if version not in versions:
            return self.stop(name, version)
        return reader(self, name, version, depth)

    def stop(self, name: str, version: int) -> SerializerType:
        """End the reading at a snapshot of unknown layout."""
        self.stopped = f"{name} (version {version})"
        return SerializerType(serializer=name, known=False)

    def nested(self, depth: int) -> tuple[TypeField, ...]:
        """``NestedSerializersSnapshotDelegate``."""
        if self.data.read_int() != _NESTED or self.data.read_int() != 1:
            msg = f"nested serializer snapshots are missing at byte {self.data.at - 8:,}"
            raise SavepointError(msg)
        type_fields: list[TypeField] = []
        for _ in range(self.data.read_count("nested serializers", 6)):
            type_fields.append(TypeField(type=self.read(depth + 1)))
            if self.stopped is not None:
                break
        return tuple(type_fields)

    def optional_map(self) -> Iterator[tuple[str, bytes | None, bytes | None]]:
        """``LinkedOptionalMapSerializer``: each entry's name, key and value, as bytes."""
        if self.data.read_long() != _OPTIONAL_MAP:
            msg = f"a map of optional values is missing at byte {self.data.at - 8:,}"
            raise SavepointError(msg)
        for _ in range(self.data.read_count("entries of a map", 4)):
            yield self.data.read_utf(), self._read_frame(), self._read_frame()

    def _read_frame(self) -> bytes | None:
        # ``LinkedOptionalMapSerializer.writeOptionalMap`` writes a flag, a length and the bytes, so
        # that a class that is gone can be passed over.
        if self.data.read_byte() == 0:
            return None
        return bytes(self.data.take(self.data.read_count("bytes of a frame", 1)))

    def framed(self, frame: bytes | None, depth: int) -> SerializerType | None:
        """The snapshot in a frame; one that is not readable ends nothing outside of the frame."""
        if frame is None:
            return None
        inner = SnapshotReader(DataInput(frame))
        inner.count = self.count
        serializer_type = inner.read(depth + 1)
        self.count = inner.count
        return serializer_type


def short_name(name: str) -> str:
    """A snapshot class's serializer, without package and outer class."""
    inner = name.rpartition(".")[2].rpartition("$")[2]
    return RENAMED.get(name) or inner.removesuffix("ConfigSnapshot").removesuffix("Snapshot")


def _simple(reader: SnapshotReader, name: str, version: int, _: int) -> SerializerType:
    """``SimpleTypeSerializerSnapshot``: version 2 repeats the class of the serializer."""
    # Version 3 writes nothing: bytes read for it would be the next state's.
    if version == 2:
        reader.data.read_utf()
    serializer, type_name = SIMPLE[name]
    return SerializerType(serializer=serializer, type_name=type_name)


def _composite(reader: SnapshotReader, name: str, version: int, depth: int) -> SerializerType:
    """``CompositeTypeSerializerSnapshot``, known by its magic number."""
    data = reader.data
    head = DataInput(bytes(data.content[data.at : data.at + 8]))
    if head.left < 8 or head.read_int() != _COMPOSITE:
        return reader.stop(name, version)
    data.take(8)
    outer = _OUTER[name](data, head.read_int()) if name in _OUTER else _Outer()
    # A composite of a release that is not known may write more of its own before its nested
    # serializers; only ``NestedSerializersSnapshotDelegate.MAGIC_NUMBER`` tells that all of it was
    # read.
    if bytes(data.content[data.at : data.at + 4]) != _NESTED.to_bytes(4, "big"):
        return reader.stop(name, version)
    return SerializerType(
        serializer=short_name(name) if name in KNOWN_COMPOSITES else name,
        type_name=COLLECTIONS.get(name, ""),
        class_name=outer.class_name,
        parameters=outer.parameters,
        fields=reader.nested(depth),
        known=name in KNOWN_COMPOSITES,
    )


def _pojo(reader: SnapshotReader, _: str, __: int, depth: int) -> SerializerType:
    """``PojoSerializerSnapshotData``."""
    class_name = reader.data.read_utf()
    fields = [
        TypeField(name=field, type=reader.framed(value, depth))
        for field, _, value in reader.optional_map()
    ]
    subclasses = [
        TypeField(name=subclass, type=reader.framed(value, depth))
        # ``PojoSerializerSnapshotData.writeSnapshotData`` writes two maps of subclasses, the
        # registered and the others; with one of them unread the next state begins too early.
        for _ in range(2)
        for subclass, _, value in reader.optional_map()
    ]
    return SerializerType(
        serializer="PojoSerializer",
        class_name=class_name,
        fields=tuple(fields),
        subclasses=tuple(subclasses),
    )


def _kryo(reader: SnapshotReader, *_: object) -> SerializerType:
    """``KryoSerializerSnapshotData``; default serializers are Java objects and are not read."""
    class_name = reader.data.read_utf()
    # ``KryoSerializerSnapshotData.writeSnapshotData`` writes three maps in this order: kinds of
    # registrations, default serializers as objects, default serializers as classes.
    registered, by_object, by_class = (
        tuple(entry for entry, _, _ in reader.optional_map()) for _ in range(3)
    )
    return SerializerType(
        serializer="KryoSerializer",
        class_name=class_name,
        registrations=registered,
        parameters=tuple(f"serializer for {item}" for item in (*by_object, *by_class)),
    )


def _enum(reader: SnapshotReader, *_: object) -> SerializerType:
    class_name = reader.data.read_utf()
    count = reader.data.read_count("constants of an enum", 2)
    constants = tuple(reader.data.read_utf() for _ in range(count))
    return SerializerType(serializer="EnumSerializer", class_name=class_name, constants=constants)


def _scala_enum(reader: SnapshotReader, *_: object) -> SerializerType:
    class_name = reader.data.read_utf()
    constants = []
    for _number in range(reader.data.read_count("constants of an enum", 6)):
        constants.append(reader.data.read_utf())
        # ``ScalaEnumSerializerSnapshot.writeSnapshot`` writes each constant's number behind its
        # name.
        reader.data.read_int()
    return SerializerType(
        serializer="ScalaEnumSerializer", class_name=class_name, constants=tuple(constants)
    )


def _avro(reader: SnapshotReader, name: str, version: int, _: int) -> SerializerType:
    """``AvroSerializerSnapshot``: before version 3 the schema is a short text."""
    class_name = reader.data.read_utf() if version > 1 else ""
    if version == 3:
        length = reader.data.read_count("bytes of a schema", 1)
        schema = bytes(reader.data.take(length)).decode("utf-8", "replace")
    else:
        schema = reader.data.read_utf()
    if not schema.lstrip().startswith(("{", '"', "[")):
        return reader.stop(name, version)
    return SerializerType(serializer="AvroSerializer", class_name=class_name, avro_schema=schema)


def _generic(reader: SnapshotReader, name: str, *_: object) -> SerializerType:
    """``GenericTypeSerializerSnapshot``: the name of a class."""
    return SerializerType(serializer=short_name(name), class_name=reader.data.read_utf())


def _row_data(reader: SnapshotReader, name: str, _: int, depth: int) -> SerializerType:
    columns = _logical_types(reader, reader.data.read_count("columns", 5))
    return SerializerType(serializer=short_name(name), columns=columns, fields=reader.nested(depth))


def _logical_types(reader: SnapshotReader, count: int) -> tuple[str, ...]:
    return tuple(logical_type_words(read_java_object(reader.data)) or "?" for _ in range(count))


def _java_pairs(
    type_name: str, count: int, reader: SnapshotReader, name: str, *_: object
) -> SerializerType:
    """Read ``count`` types, then as many serializers, which are passed over: Java objects all."""
    columns = _logical_types(reader, count)
    for _serializer in range(count):
        read_java_object(reader.data)
    return SerializerType(serializer=short_name(name), type_name=type_name, columns=columns)


def _numbers(
    type_name: str, names: tuple[str, ...], reader: SnapshotReader, name: str, *_: object
) -> SerializerType:
    parameters = tuple(f"{item}={reader.data.read_int()}" for item in names)
    return SerializerType(serializer=short_name(name), type_name=type_name, parameters=parameters)


def _sorted_map(reader: SnapshotReader, name: str, _: int, depth: int) -> SerializerType:
    read_java_object(reader.data)
    # The comparator is an object of its own class, which is not compared.
    return SerializerType(serializer=name, fields=reader.nested(depth), known=False)


def _ttl_aware(reader: SnapshotReader, _: str, __: int, depth: int) -> SerializerType:
    """``TtlAwareSerializerSnapshot`` of 2.0 on: whether there is a TTL, then the serializer."""
    has_ttl = reader.data.read_byte() != 0
    return SerializerType(
        serializer="TtlAwareSerializer",
        parameters=("ttl",) if has_ttl else (),
        fields=(TypeField(type=reader.read(depth + 1)),),
    )


def _with_nested(reader: SnapshotReader, name: str, _: int, depth: int) -> SerializerType:
    """``EitherSerializerSnapshot`` and ``GenericArraySerializerConfigSnapshot`` of 1.9."""
    is_array = "Array" in name
    class_name = reader.data.read_utf() if is_array else ""
    return SerializerType(
        serializer=short_name(name),
        type_name="Array" if is_array else "Either",
        class_name=class_name,
        fields=reader.nested(depth),
    )


class _Outer(NamedTuple):
    """A composite's own content before its nested snapshots."""

    class_name: str = ""
    parameters: tuple[str, ...] = ()


def _class(data: DataInput, _: int) -> _Outer:
    return _Outer(data.read_utf())


def _flag(name: str, since: int, data: DataInput, version: int) -> _Outer:
    """Read a flag that is written from the outer version ``since`` on."""
    has_flag = version >= since and data.read_byte() != 0
    return _Outer(parameters=(name,) if has_flag else ())


def _external(data: DataInput, _: int) -> _Outer:
    read_java_object(data)
    data.read_byte()
    return _Outer()


_OUTER: Final[dict[str, Callable[[DataInput, int], _Outer]]] = {
    f"{JAVA}TupleSerializerSnapshot": _class,
    f"{BASE}GenericArraySerializerSnapshot": _class,
    f"{SCALA}ScalaCaseClassSerializerSnapshot": _class,
    f"{SCALA}Tuple2CaseClassSerializerSnapshot": _class,
    f"{SCALA}TraversableSerializerSnapshot": lambda data, _: _Outer(
        # The source code of a Scala collection's builder.
        parameters=(data.read_utf(),)
    ),
    f"{JAVA}NullableSerializer$NullableSerializerSnapshot": lambda data, _: _Outer(
        parameters=(f"padding={data.read_int()}",)
    ),
    f"{JAVA}RowSerializer$RowSerializerSnapshot": partial(_flag, "row kind", 4),
    f"{TABLE}LinkedListSerializer$LinkedListSerializerSnapshot": partial(_flag, "null mask", 3),
    f"{CEP}NFAStateSerializerSnapshot": partial(_flag, "previous timestamp", 2),
    f"{STREAMING}functions.sink.TwoPhaseCommitSinkFunction$StateSerializerSnapshot": partial(
        _flag, "null transaction", 4
    ),
    f"{STREAMING}functions.sink.legacy.TwoPhaseCommitSinkFunction$StateSerializerSnapshot": partial(
        _flag, "null transaction", 4
    ),
    f"{TABLE}ExternalSerializer$ExternalSerializerSnapshot": _external,
}
"""Readers of a composite's own content by snapshot class; other composites have none."""
_SnapshotRow: TypeAlias = tuple[
    tuple[int, ...], Callable[[SnapshotReader, str, int, int], SerializerType]
]
_COMPOSITE_ROW: Final[_SnapshotRow] = (3,), _composite
_READERS: Final[dict[str, _SnapshotRow]] = {
    **dict.fromkeys(SIMPLE, ((2, 3), _simple)),
    f"{JAVA}PojoSerializerSnapshot": ((2,), _pojo),
    f"{JAVA}kryo.KryoSerializerSnapshot": ((2,), _kryo),
    f"{JAVA}ValueSerializer$ValueSerializerSnapshot": ((2,), _generic),
    f"{JAVA}CopyableValueSerializer$CopyableValueSerializerSnapshot": ((2,), _generic),
    f"{JAVA}EitherSerializerSnapshot": ((2,), _with_nested),
    f"{BASE}GenericArraySerializerConfigSnapshot": ((2,), _with_nested),
    f"{BASE}EnumSerializer$EnumSerializerSnapshot": ((2, 3), _enum),
    f"{SCALA}ScalaEnumSerializerSnapshot": ((1, 2, 3), _scala_enum),
    "org.apache.flink.formats.avro.typeutils.AvroSerializerSnapshot": ((1, 2, 3), _avro),
    f"{STATE}ttl.TtlAwareSerializerSnapshot": ((1,), _ttl_aware),
    f"{TABLE}RowDataSerializer$RowDataSerializerSnapshot": ((3,), _row_data),
    f"{TABLE}BaseRowSerializer$BaseRowSerializerSnapshot": ((3,), _row_data),
    f"{TABLE}ArrayDataSerializer$ArrayDataSerializerSnapshot": (
        (3,),
        partial(_java_pairs, "ARRAY", 1),
    ),
    f"{TABLE}BaseArraySerializer$BaseArraySerializerSnapshot": (
        (3,),
        partial(_java_pairs, "ARRAY", 1),
    ),
    f"{TABLE}MapDataSerializer$MapDataSerializerSnapshot": ((3,), partial(_java_pairs, "MAP", 2)),
    f"{TABLE}BaseMapSerializer$BaseMapSerializerSnapshot": ((3,), partial(_java_pairs, "MAP", 2)),
    f"{TABLE}BinaryRowDataSerializer$BinaryRowDataSerializerSnapshot": (
        (3,),
        partial(_numbers, "BinaryRow", ("fields",)),
    ),
    f"{TABLE}BinaryRowSerializer$BinaryRowSerializerSnapshot": (
        (3,),
        partial(_numbers, "BinaryRow", ("fields",)),
    ),
    f"{TABLE}DecimalDataSerializer$DecimalSerializerSnapshot": (
        (3,),
        partial(_numbers, "DECIMAL", ("precision", "scale")),
    ),
    f"{TABLE}DecimalSerializer$DecimalSerializerSnapshot": (
        (3,),
        partial(_numbers, "DECIMAL", ("precision", "scale")),
    ),
    f"{TABLE}TimestampDataSerializer$TimestampDataSerializerSnapshot": (
        (1,),
        partial(_numbers, "TIMESTAMP", ("precision",)),
    ),
    f"{TABLE}SortedMapSerializerSnapshot": ((3,), _sorted_map),
}
"""Versions and reader of each snapshot class with a layout of its own."""
