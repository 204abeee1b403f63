"""Types that serializers write: in a programmer's words, and whether all of them was read."""

from explorer.model.serializer_types import (
    SerializerType,
    TypeField,
    nested_types,
    simple_name,
    type_members,
)
from tests.many_cases import for_each

LONG = SerializerType(serializer="LongSerializer", type_name="Long")
TEXT = SerializerType(serializer="StringSerializer", type_name="String")
FOREIGN = SerializerType(serializer="a.b.OwnSerializerSnapshot", known=False)


def of(serializer: str, *fields: SerializerType | None, **more: object) -> SerializerType:
    """A type around others, which are called f0, f1, ..."""
    named = tuple(TypeField(name=f"f{at}", type=one) for at, one in enumerate(fields))
    return SerializerType(serializer=serializer, fields=named, **more)  # type: ignore[arg-type]


POJO = of("PojoSerializer", LONG, TEXT, class_name="a.b.Job$Order")


@for_each(
    ("type_", "words"),
    [
        (LONG, "Long"),
        (of("TupleSerializer", TEXT, LONG, type_name="Tuple2"), "Tuple2<String, Long>"),
        (of("ListSerializer", LONG), "List<Long>"),
        (POJO, "Order {f0: Long, f1: String}"),
        (of("EnumSerializer", class_name="a.Kind", constants=("A", "B")), "Kind [A, B]"),
        (of("KryoSerializer", class_name="a.b.Order"), "Kryo<Order>"),
        (of("AvroSerializer", class_name="a.b.Order"), "Avro<Order>"),
        (of("RowDataSerializer", columns=("BIGINT", "?")), "ROW<BIGINT, ?>"),
        (of("TtlSerializer", LONG, TEXT), "String with TTL"),
        (of("TtlAwareSerializer", TEXT, parameters=("ttl",)), "String with TTL"),
        (of("TtlAwareSerializer", TEXT), "String"),
        (of("TimestampSerializer", parameters=("precision=3",)), "Timestamp<precision=3>"),
        (FOREIGN, "unknown (a.b.OwnSerializerSnapshot)"),
        (of("ListSerializer", None), "List<unknown>"),
    ],
)
def test_a_type_is_spelled_as_a_programmer_would(type_: SerializerType, words: str) -> None:
    assert type_.words == words


def test_a_type_is_complete_where_every_part_of_it_was_read() -> None:
    assert POJO.complete
    assert not of("ListSerializer", of("ListSerializer", FOREIGN)).complete
    assert not of("ListSerializer", None).complete
    assert not of("RowDataSerializer", columns=("BIGINT", "?")).complete
    subclass = TypeField(name="a.Sub", type=FOREIGN)
    assert not SerializerType(serializer="PojoSerializer", subclasses=(subclass,)).complete


def test_nested_types_are_found_at_any_depth() -> None:
    found = nested_types(of("MapSerializer", TEXT, of("ListSerializer", POJO)))

    assert [one.words for one in found][1:3] == ["String", "List<Order {f0: Long, f1: String}>"]
    assert len(found) == 6


def test_members_begin_with_the_words() -> None:
    assert type_members(None) is None
    assert type_members(LONG) == {
        "type": "Long",
        "serializer": "LongSerializer",
        "type_name": "Long",
    }


@for_each(("name", "simple"), [("a.b.C", "C"), ("a.b.C$D", "D"), ("C", "C"), ("", "")])
def test_a_simple_name_has_no_package_and_no_outer_class(name: str, simple: str) -> None:
    assert simple_name(name) == simple
