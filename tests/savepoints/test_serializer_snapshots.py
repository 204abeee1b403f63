"""Serializer snapshots: bytes that Flink wrote, and bytes of unknown classes."""

import base64
import struct
from functools import cache
from typing import Any

import pytest

from explorer.model.serializer_types import SerializerType
from explorer.savepoints.data_input import DataInput, SavepointError
from explorer.savepoints.saved_states import read_schema
from explorer.savepoints.serializer_snapshots import (
    MAX_DEPTH,
    MOST_TYPES,
    SnapshotReader,
    short_name,
)
from explorer.savepoints.snapshot_classes import BASE, JAVA
from tests.golden_files import cases
from tests.many_cases import for_each
from tests.savepoints.headers import LIST, LONG, keyed_header, nested, nested_lists, snapshot, utf

POJO = "org.apache.flink.api.java.typeutils.runtime.PojoSerializerSnapshot"


POJO = "org.apache.flink.api.java.typeutils.runtime.PojoSerializerSnapshot"


def test_snapshots_nest_as_deep_as_the_limit() -> None:
    read = SnapshotReader(DataInput(nested_lists(MAX_DEPTH))).read()

    assert read.words == "List<" * MAX_DEPTH + "Long" + ">" * MAX_DEPTH
    with pytest.raises(SavepointError, match="nest too deep"):
        SnapshotReader(DataInput(nested_lists(MAX_DEPTH + 1))).read()
    assert "nest too deep" in read_schema("keyed", keyed_header(nested_lists(3_000))).problems[0]


def test_a_reader_reads_as_many_snapshots_as_the_limit() -> None:
    reader = SnapshotReader(DataInput(snapshot(LONG, 3) * (MOST_TYPES + 1)))
    for _ in range(MOST_TYPES):
        assert reader.read().words == "Long"

    with pytest.raises(SavepointError, match="too many"):
        reader.read()


@cache
def pairs() -> dict[str, dict[str, Any]]:
    """Snapshots that Flink's serializers wrote, by the name of the pair."""
    return {case["name"]: case for case in cases("serializers")}


def read(content: bytes) -> SerializerType:
    return SnapshotReader(DataInput(content)).read()


def written(name: str, side: str = "before") -> SerializerType:
    return read(base64.b64decode(pairs()[name][side]))


def test_every_snapshot_of_flink_is_read_to_its_last_byte() -> None:
    for case in cases("serializers"):
        for side in ("before", "after"):
            data = DataInput(base64.b64decode(case[side]))
            assert SnapshotReader(data).read().complete, case["name"]
            assert data.left == 0, case["name"]


@for_each(
    ("name", "before", "after"),
    [
        ("String to Long", "String", "Long"),
        ("list element retyped", "List<Integer>", "List<Long>"),
        ("map key retyped", "Map<String, Long>", "Map<Long, Long>"),
        ("tuple arity", "Tuple2<Long, Long>", "Tuple3<Long, Long, Long>"),
    ],
)
def test_a_type_is_spelled_as_a_programmer_writes_it(name: str, before: str, after: str) -> None:
    assert (written(name).words, written(name, "after").words) == (before, after)


def test_constants_of_an_enum_stand_in_the_order_of_their_numbers() -> None:
    old, new = (written("enum constants reordered", side) for side in ("before", "after"))

    assert sorted(old.constants) == sorted(new.constants)
    assert old.constants != new.constants


def test_a_pojo_names_its_fields_and_a_kryo_type_its_class() -> None:
    pojo, kryo = (written("POJO to Kryo", side) for side in ("before", "after"))

    assert pojo.serializer == "PojoSerializer"
    assert all(field.name and field.type for field in pojo.fields)
    assert (kryo.serializer, kryo.class_name) == ("KryoSerializer", pojo.class_name)


def test_the_columns_of_a_row_are_sql_types() -> None:
    assert written("decimal widened").columns != written("decimal widened", "after").columns
    assert written("column not null", "after").columns[0].endswith(" NOT NULL") or (
        written("column not null").columns[0].endswith(" NOT NULL")
    )


def test_either_and_arrays_of_old_releases_are_spelled_with_their_elements() -> None:
    # Release 1.9 writes both without the composite's own version.
    long = snapshot(LONG, 3)
    either = snapshot(f"{JAVA}EitherSerializerSnapshot", 2, nested(long, long))
    array = snapshot(
        f"{BASE}GenericArraySerializerConfigSnapshot", 2, utf("java.lang.Long") + nested(long)
    )

    assert read(either).words == "Either<Long, Long>"
    assert (read(array).words, read(array).class_name) == ("Array<Long>", "java.lang.Long")


@pytest.mark.parametrize("version", [1, 4])
def test_a_snapshot_of_another_version_ends_the_reading(version: int) -> None:
    reader = SnapshotReader(DataInput(snapshot(LONG, version)))

    assert not reader.read().known
    assert reader.stopped == f"{LONG} (version {version})"


def test_a_frame_that_cannot_be_read_ends_nothing_behind_it() -> None:
    mine = snapshot("com.mine.FieldSnapshot", 9)
    frames = [b"\0", b"\1" + struct.pack(">i", len(mine)) + mine]
    fields = struct.pack(">qi", 0x4F2C69A3D70, 1) + utf("f") + b"".join(frames)
    empty = struct.pack(">qi", 0x4F2C69A3D70, 0)
    pojo = snapshot(POJO, 2, utf("mine.Order") + fields + empty * 2)
    reader = SnapshotReader(DataInput(pojo + snapshot(LONG, 3)))

    order, behind = reader.read(), reader.read()
    assert (order.complete, reader.stopped) == (False, None)
    assert [field.name for field in order.fields] == ["f"]
    assert behind.words == "Long"


def test_a_serializer_is_named_after_its_snapshot() -> None:
    assert short_name(LIST) == "ListSerializer"
    assert short_name(POJO) == "PojoSerializer"
    assert (
        short_name("org.apache.flink.runtime.state.v2.ttl.TtlStateFactory$TtlSerializerSnapshot")
        == "v2.TtlSerializer"
    )
