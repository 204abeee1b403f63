"""State types in savepoints of real clusters: what their headers say, and what hostile ones may."""

import base64
import struct
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import load_savepoint
from explorer.savepoints import Savepoint, savepoint_from_values, savepoint_values
from explorer.savepoints.data_input import DataInput, SavepointError
from explorer.savepoints.java_streams import JavaObject, read_java_object
from explorer.savepoints.logical_types import logical_type_words
from explorer.savepoints.saved_states import StateSchema, keyed_schema, operator_schema
from explorer.savepoints.serializer_snapshots import MAX_DEPTH, SnapshotReader
from tests.golden_files import cases

TYPES: Final = {
    "enum_added": ("String", "v", "value state of Colour [RED, GREEN]"),
    "key_string_long": ("String", "v", "value state of Long"),
    "kryo_class_renamed": ("String", "v", "value state of Kryo<Blob>"),
    "list_pojo_added": ("String", "v", "list state of List<Order {amount: Integer, id: Long}>"),
    "map_value_pojo_added": (
        "String",
        "m",
        "map state of Map<String, Item {amount: Integer, id: Long}>",
    ),
    "pojo_field_added": ("String", "v", "value state of Order {amount: Integer, id: Long}"),
    "sql_sum_type": ("ROW<INT>", "accState", "value state of ROW<INT>"),
    "value_int_long": ("String", "v", "value state of Integer"),
    "window_acc_tuple": (
        "String",
        "window-contents",
        "aggregating state of Tuple2<Long, Long> per TimeWindow",
    ),
    "async_input_type": (
        None,
        "_async_wait_operator_state_",
        "split distribute state of StreamElement<Long>",
    ),
    "operator_list_type": (None, "held", "split distribute state of String"),
}
"""By case: the key's type, a state's name and its words, as the programs' sources declare them."""
JAVA: Final = b"\xac\xed\x00\x05"
LONG: Final = "org.apache.flink.api.common.typeutils.base.LongSerializer$LongSerializerSnapshot"
LIST: Final = "org.apache.flink.api.common.typeutils.base.ListSerializerSnapshot"


@cache
def saved() -> tuple[dict[str, Any], ...]:
    """The restores of which the golden file has the savepoint."""
    return tuple(case for case in cases("schemas") if case["metadata"])


def metadata(case: dict[str, Any]) -> bytes:
    return base64.b64decode(case["metadata"])


def utf(text: str) -> bytes:
    return struct.pack(">H", len(text)) + text.encode()


def snapshot(name: str, version: int, content: bytes = b"") -> bytes:
    return utf(name) + struct.pack(">i", version) + content


def composite(*nested: bytes) -> bytes:
    head = struct.pack(">iiiii", 911108, 1, 1333245, 1, len(nested))
    return head + b"".join(nested)


def keyed_header(*values: bytes, key: bytes = snapshot(LONG, 3)) -> bytes:
    """A keyed backend's header with a value state for each serializer snapshot."""
    states = b"".join(
        utf(f"s{number}")
        + struct.pack(">ii", 0, 1)
        + utf("KEYED_STATE_TYPE")
        + utf("VALUE")
        + struct.pack(">i", 1)
        + utf("VALUE_SERIALIZER")
        + struct.pack(">i", 2)
        + value
        for number, value in enumerate(values)
    )
    return struct.pack(">iBi", 6, 0, 2) + key + struct.pack(">H", len(values)) + states


def test_every_state_of_a_cluster_has_its_types() -> None:
    wrong = []
    for case in saved():
        for operator in load_savepoint(metadata(case)).operators:
            schema = operator.schema
            types = [state.value for state in schema.states]
            if schema.problems or not all(type and type.complete for type in types):
                wrong.append((case["case"], case["backend"], operator.operator_id, schema))
            assert {state.name for state in schema.states} >= set(operator.state_names)
            assert ("keyed" in operator.kinds) == (schema.key is not None)

    assert wrong == []


def test_types_are_those_that_the_programs_declare() -> None:
    met = set()
    for case in saved():
        if case["case"] not in TYPES:
            continue
        key, name, words = TYPES[case["case"]]
        operators = load_savepoint(metadata(case)).operators
        schemas = [one.schema for one in operators if name in one.state_names]
        assert [
            (schema.key.words if schema.key else None, state.words)
            for schema in schemas
            for state in schema.states
            if state.name == name
        ] == [(key, words)]
        met.add((case["case"], case["flink_version"]))

    assert met == {(case, release) for case in TYPES for release in ("1.20.5", "2.2.1")}


def test_headers_of_sixteen_releases_are_read() -> None:
    releases = []
    for case in cases("state_headers"):
        keyed, operator = (base64.b64decode(case[name]) for name in ("keyed", "operator"))
        schema, lists = keyed_schema(keyed), operator_schema(operator)
        assert (schema.problems, lists.problems) == ((), ())
        assert schema.key is not None
        assert schema.key.words == "String"
        assert [(one.name, one.words) for one in schema.states] == [
            ("count", "value state of Long"),
            ("by name", "map state of Map<String, Integer>"),
            ("_timer_state/event_user-timers", "timers state of Long"),
        ]
        assert [(one.name, one.words) for one in lists.states] == [
            ("held", "split distribute state of String"),
            ("offsets", "union state of Long"),
            ("rules", "broadcast state of String to Long"),
        ]
        releases += case["versions"]

    assert len(releases) == 16


def test_members_hold_the_types_and_a_baseline_keeps_them() -> None:
    case = next(one for one in saved() if one["case"] == "pojo_field_added")
    savepoint = load_savepoint(metadata(case))

    kept = savepoint_from_values(savepoint_values(savepoint))

    operator = next(
        one for one in savepoint.to_dict()["operators"] if one["states"][0]["name"] == "v"
    )
    assert operator["key"]["type"] == "String"
    assert operator["states"][0]["value"]["class_name"] == "prog.Program$Order"
    assert [field["name"] for field in operator["states"][0]["value"]["fields"]] == ["amount", "id"]
    assert [one.schema for one in kept.operators] == [one.schema for one in savepoint.operators]


def with_file(name: bytes) -> bytes:
    """Metadata of one operator whose keyed state lies in a file beside it."""
    stream = b"\6" + struct.pack(">H", len(name)) + name + struct.pack(">q", 99)
    subtask = struct.pack(">iii", 0, 0, 0) + b"\3" + struct.pack(">ii", 0, 0) + stream
    operator = b"\1" * 16 + struct.pack(">ii", 1, 1) + b"\0" + struct.pack(">i", 1)
    ending = b"\0" + struct.pack(">ii", 0, 0)
    return struct.pack(">Iiqii", 0x4960672D, 3, 1, 0, 1) + operator + subtask + ending


def only_schema(savepoint: Savepoint) -> StateSchema:
    return savepoint.operators[0].schema


def test_a_data_file_beside_the_metadata_is_read(tmp_path: Path) -> None:
    (tmp_path / "_metadata").write_bytes(with_file(b"data-1"))
    (tmp_path / "data-1").write_bytes(keyed_header(snapshot(LONG, 3)))

    savepoint = load_savepoint(tmp_path)

    assert only_schema(savepoint).problems == ()
    assert [state.words for state in only_schema(savepoint).states] == ["value state of Long"]
    assert savepoint.operators[0].state_names == ("s0",)


def test_a_moved_savepoint_finds_its_files(tmp_path: Path) -> None:
    (tmp_path / "chk-1").mkdir()
    (tmp_path / "shared").mkdir()
    (tmp_path / "chk-1" / "_metadata").write_bytes(with_file(b"hdfs://gone/shared/data-1"))
    (tmp_path / "shared" / "data-1").write_bytes(keyed_header(snapshot(LONG, 3)))

    assert only_schema(load_savepoint(tmp_path / "chk-1")).states[0].name == "s0"


def test_a_missing_data_file_is_missing_data(tmp_path: Path) -> None:
    (tmp_path / "_metadata").write_bytes(with_file(b"data-1"))

    beside, alone = load_savepoint(tmp_path), load_savepoint(with_file(b"data-1"))

    assert "data missing" in only_schema(beside).problems[0]
    assert "did not come with the metadata" in only_schema(alone).problems[0]


def test_bytes_never_open_a_file(tmp_path: Path) -> None:
    place = tmp_path / "data-1"
    place.write_bytes(keyed_header(snapshot(LONG, 3)))

    assert only_schema(load_savepoint(with_file(str(place).encode()))).states == ()


def test_a_snapshot_of_an_unknown_class_is_named_and_ends_the_reading() -> None:
    mine = snapshot("com.mine.MySerializerSnapshot", 7, b"whatever")

    schema = keyed_schema(keyed_header(snapshot(LONG, 3), mine, snapshot(LONG, 3)))

    assert [state.name for state in schema.states] == ["s0", "s1", "s2"]
    assert [state.value.words if state.value else None for state in schema.states] == [
        "Long",
        "unknown (com.mine.MySerializerSnapshot)",
        None,
    ]
    assert "com.mine.MySerializerSnapshot (version 7)" in schema.problems[0]


def test_a_composite_of_an_unknown_class_is_passed_over() -> None:
    mine = snapshot("com.mine.PairSnapshot", 3, composite(snapshot(LONG, 3)))

    schema = keyed_schema(keyed_header(mine, snapshot(LONG, 3)))

    assert schema.problems == ()
    first, second = (state.value for state in schema.states)
    assert first is not None
    assert second is not None
    assert (first.words, first.complete) == ("unknown (com.mine.PairSnapshot)", False)
    assert second.words == "Long"


def test_a_serializer_that_is_a_java_object_is_named_as_unreadable() -> None:
    header = struct.pack(">iBi", 6, 0, 1) + JAVA + b"sr"

    assert "stands as a Java object" in keyed_schema(header).problems[0]


@pytest.mark.parametrize("version", [0, 3, 7, -1])
def test_a_header_of_another_version_is_not_read(version: int) -> None:
    content = struct.pack(">i", version)

    assert f"has the version {version}" in keyed_schema(content).problems[0]
    assert f"has the version {version}" in operator_schema(content).problems[0]


def nested_lists(depth: int) -> bytes:
    found = snapshot(LONG, 3)
    for _ in range(depth):
        found = snapshot(LIST, 3, composite(found))
    return found


def test_snapshots_nest_as_deep_as_the_limit() -> None:
    read = SnapshotReader(DataInput(nested_lists(MAX_DEPTH))).read()

    assert read.words == "List<" * MAX_DEPTH + "Long" + ">" * MAX_DEPTH
    with pytest.raises(SavepointError, match="nest too deep"):
        SnapshotReader(DataInput(nested_lists(MAX_DEPTH + 1))).read()
    assert "nest too deep" in keyed_schema(keyed_header(nested_lists(3_000))).problems[0]


@pytest.mark.parametrize(
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


def test_a_type_that_refers_to_itself_many_times_is_not_spelled_out() -> None:
    package = "org.apache.flink.table.types.logical."
    inner = JavaObject(class_name=f"{package}IntType", fields={"isNullable": True})
    for _ in range(8):
        column = JavaObject(class_name=f"{package}RowType$RowField", fields={"name": "a"})
        column.fields["type"] = inner
        inner = JavaObject(class_name=f"{package}RowType", fields={"fields": [column] * 50})

    assert logical_type_words(inner) is None
    inner.fields["fields"] = [inner]
    assert logical_type_words(inner) is None


@given(st.data())
def test_damaged_headers_are_read_or_reported(data: st.DataObject) -> None:
    """As the mutations of whole metadata, within the bytes that name serializers."""
    names = ("sql_sum_type", "map_value_pojo_added", "window_acc_tuple", "kryo_class_renamed")
    case = data.draw(st.sampled_from([one for one in saved() if one["case"] in names]))
    content = bytearray(metadata(case))
    start = content.find(b"SerializerSnapshot") - 100
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(start, min(start + 1_500, len(content) - 4)))
        content[place : place + 4] = data.draw(st.binary(min_size=4, max_size=4))

    try:
        members = load_savepoint(bytes(content)).to_dict()
    except SavepointError:
        return
    assert members["operators"]


@given(st.binary(max_size=300))
def test_any_bytes_are_no_header_or_a_small_one(content: bytes) -> None:
    for read in (keyed_schema, operator_schema):
        for version in (b"\0\0\0\5", b"\0\0\0\6", b""):
            assert len(read(version + content).states) <= 1_000
