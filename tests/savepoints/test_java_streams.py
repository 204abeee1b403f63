"""Streams of Java objects, parsed into records."""

import struct

import pytest

from explorer.savepoints.data_input import DataInput, SavepointError
from explorer.savepoints.java_streams import (
    _DEEPEST,
    _MOST_OBJECTS,
    JavaObject,
    read_java_object,
)
from tests.many_cases import for_each
from tests.savepoints.headers import JAVA, utf


@for_each(
    "content",
    [
        b"",
        b"\x70",
        JAVA,
        JAVA + b"\x71\x00\x7e\x00\x00",
        JAVA + b"\x73" * 50_000,
        JAVA + b"\x75\x72" + utf("[I") + bytes(8) + b"\x02\0\0\x78\x70\x7f\xff\xff\xff",
        JAVA + b"\x7a\x7f\xff\xff\xff",
        JAVA + b"\x7c" + b"\x7f" * 8,
        JAVA + b"\x7d",
    ],
)
def test_hostile_java_streams_are_refused(content: bytes) -> None:
    with pytest.raises(SavepointError):
        read_java_object(DataInput(content))


def test_a_java_object_becomes_a_record_and_nothing_else() -> None:
    kind = b"\x72" + utf("mine.Danger") + bytes(8) + b"\x02" + struct.pack(">H", 2)
    fields = b"I" + utf("size") + b"L" + utf("name") + b"\x74" + utf("Ljava/lang/String;")
    values = struct.pack(">i", 7) + b"\x74" + utf("x")

    found = read_java_object(DataInput(JAVA + b"\x73" + kind + fields + b"\x78\x70" + values))

    assert (found.class_name, found.fields) == ("mine.Danger", {"size": 7, "name": "x"})


def plain(name: str, *fields: bytes, flags: int = 2, parent: bytes = b"\x70") -> bytes:
    """The description of a class, with its fields as bytes."""
    head = b"\x72" + utf(name) + bytes(8) + bytes([flags]) + struct.pack(">H", len(fields))
    return head + b"".join(fields) + b"\x78" + parent


def read(content: bytes) -> object:
    return read_java_object(DataInput(JAVA + content))


def test_null_a_text_and_numbers_are_themselves() -> None:
    array = b"\x75" + plain("[S") + struct.pack(">ihh", 2, -1, 7)

    assert read(b"\x70") is None
    assert read(b"\x74" + utf("text")) == "text"
    assert read(b"\x7c" + struct.pack(">q", 3) + b"abc") == "abc"
    assert read(array) == [-1, 7]


def test_a_reference_is_the_object_that_was_read_before() -> None:
    kind = plain("[L")
    found = read(b"\x75" + kind + struct.pack(">i", 2) + b"\x74" + utf("x") + b"\x71\0\x7e\0\2")

    assert found == ["x", "x"]


def test_fields_of_the_class_above_come_first() -> None:
    above = plain("mine.Above", b"Z" + utf("flag"))
    kind = plain("mine.Below", b"J" + utf("size"), parent=above)

    found = read(b"\x73" + kind + b"\1" + struct.pack(">q", 5))
    assert isinstance(found, JavaObject)
    assert list(found.fields.items()) == [("flag", True), ("size", 5)]


def test_objects_that_a_class_wrote_itself_are_added() -> None:
    found = read(b"\x73" + plain("mine.List", flags=3) + b"\x77\2ab" + b"\x74" + utf("x") + b"\x78")

    assert isinstance(found, JavaObject)
    assert found.additions == [b"ab", "x"]


def test_a_constant_of_an_enum_has_its_name() -> None:
    found = read(b"\x7e" + plain("mine.Colour") + b"\x74" + utf("RED"))

    assert isinstance(found, JavaObject)
    assert (found.class_name, found.fields) == ("mine.Colour", {"name": "RED"})


def test_a_class_that_writes_without_blocks_is_refused() -> None:
    with pytest.raises(SavepointError, match="Own writes bytes of its own"):
        read(b"\x73" + plain("mine.Own", flags=4))


def test_a_value_of_each_primitive_type_has_the_bytes_of_its_type() -> None:
    """A field of another width would give its bytes to the next one."""
    formats = {"B": "b", "C": "H", "D": "d", "F": "f", "I": "i", "J": "q", "S": "h", "Z": "b"}
    kind = plain("mine.All", *(code.encode() + utf(code) for code in formats))
    values = struct.pack(">" + "".join(formats.values()), -1, 65, 2.0, 1.0, -2, -3, -4, 1)

    data = DataInput(JAVA + b"\x73" + kind + values)
    record = read_java_object(data)
    assert isinstance(record, JavaObject)
    assert data.left == 0
    # Of a floating-point number the bits: no serializer needs its value.
    bits = [int.from_bytes(struct.pack(*number), "big") for number in ((">d", 2.0), (">f", 1.0))]
    assert [*record.fields.values()] == [-1, 65, *bits, -2, -3, -4, True]


def test_objects_may_be_as_deep_and_as_many_as_the_limit() -> None:
    reference = b"\x71\0\x7e\0\0"
    one = struct.pack(">i", 1)

    def nested(depth: int) -> bytes:
        return b"\x75" + plain("[L") + one + (b"\x75" + reference + one) * (depth - 1) + b"\x70"

    def wide(count: int) -> bytes:
        # An array is an object, and its class, the end of that and the class above it are others.
        return b"\x75" + plain("[L") + struct.pack(">i", count - 4) + b"\x70" * (count - 4)

    for content, limit in ((nested, _DEEPEST), (wide, _MOST_OBJECTS)):
        assert read(content(limit))
        with pytest.raises(SavepointError, match="nested too deep or too long"):
            read(content(limit + 1))
