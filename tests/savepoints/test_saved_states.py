"""State types in savepoints of real clusters: what their headers say, and what hostile ones may."""

import base64
import struct
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from explorer import load_savepoint
from explorer.savepoints.data_input import SavepointError
from explorer.savepoints.saved_states import read_schema
from tests.golden_files import cases
from tests.many_cases import for_each
from tests.savepoints.headers import JAVA, LONG, composite, keyed_header, metadata, saved, snapshot

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
        schema, lists = read_schema("keyed", keyed), read_schema("operator", operator)
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


def test_a_state_of_the_asynchronous_api_is_read_like_others() -> None:
    (state,) = read_schema("keyed", keyed_header(snapshot(LONG, 3), number_of_kind=4)).states

    assert (state.is_v2, state.words) == (True, "value state (v2) of Long")
    assert read_schema("keyed", keyed_header(snapshot(LONG, 3), number_of_kind=5)).problems


def test_a_snapshot_of_an_unknown_class_is_named_and_ends_the_reading() -> None:
    mine = snapshot("com.mine.MySerializerSnapshot", 7, b"whatever")

    schema = read_schema("keyed", keyed_header(snapshot(LONG, 3), mine, snapshot(LONG, 3)))

    assert [state.name for state in schema.states] == ["s0", "s1", "s2"]
    assert [state.value.words if state.value else None for state in schema.states] == [
        "Long",
        "unknown (com.mine.MySerializerSnapshot)",
        None,
    ]
    assert "com.mine.MySerializerSnapshot (version 7)" in schema.problems[0]


def test_a_composite_of_an_unknown_class_is_passed_over() -> None:
    mine = snapshot("com.mine.PairSnapshot", 3, composite(snapshot(LONG, 3)))

    schema = read_schema("keyed", keyed_header(mine, snapshot(LONG, 3)))

    assert schema.problems == ()
    first, second = (state.value for state in schema.states)
    assert first is not None
    assert second is not None
    assert (first.words, first.complete) == ("unknown (com.mine.PairSnapshot)", False)
    assert second.words == "Long"


def test_a_serializer_that_is_a_java_object_is_named_as_unreadable() -> None:
    header = struct.pack(">iBi", 6, 0, 1) + JAVA + b"sr"

    assert "stands as a Java object" in read_schema("keyed", header).problems[0]


def test_a_state_whose_serializer_is_a_java_object_has_no_type_that_is_known() -> None:
    # The header ends with the version of the snapshot: 1 stands for a Java object.
    schema = read_schema("keyed", keyed_header(b"")[:-1] + b"\1" + JAVA)

    (state,) = schema.states
    assert state.value is not None
    assert not state.value.complete
    assert "stands as a Java object" in schema.problems[0]


@for_each("version", [0, 3, 7, -1])
def test_a_header_of_another_version_is_not_read(version: int) -> None:
    content = struct.pack(">i", version)

    assert f"has the version {version}" in read_schema("keyed", content).problems[0]
    assert f"has the version {version}" in read_schema("operator", content).problems[0]


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
    for backend in ("keyed", "operator"):
        for version in (b"\0\0\0\5", b"\0\0\0\6", b""):
            assert len(read_schema(backend, version + content).states) <= 1_000
