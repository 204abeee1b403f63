"""The rules for changed serializers against the answers of eleven releases' own classes."""

import base64
from collections import Counter
from typing import Final

from explorer.flink.releases import release
from explorer.model.serializer_types import SerializerType, TypeField
from explorer.savepoints.data_input import DataInput
from explorer.savepoints.schema_rules import RULES, compare_types
from explorer.savepoints.serializer_snapshots import SnapshotReader
from tests.golden_files import cases
from tests.many_cases import for_each

SAYS: Final = {
    "compatible": "compatible",
    # Enum constants are numbered anew; no state is written anew.
    "reconfigured": "compatible",
    "migrated": "migrated",
    "incompatible": "incompatible",
    # An enum's constant is gone: reading the snapshot fails.
    "IllegalStateException": "incompatible",
}
LONG: Final = SerializerType(serializer="LongSerializer", type_name="Long")
INT: Final = SerializerType(serializer="IntSerializer", type_name="Integer")
NOW: Final = release("2.3")


def read(text: str) -> SerializerType:
    data = DataInput(base64.b64decode(text))
    found = SnapshotReader(data).read()
    assert data.left == 0
    return found


def test_rules_answer_as_the_releases_do() -> None:
    wrong, left_open = [], Counter[str]()
    for case in cases("serializers"):
        before, after = read(case["before"]), read(case["after"])
        for version, answer in case["flink"].items():
            found = compare_types(before, after, release(version.rpartition(".")[0]))
            assert found.rule
            if found.verdict == "unknown":
                left_open[case["name"]] += 1
            elif found.verdict != SAYS[answer]:
                wrong.append((case["name"], version, answer, found))

    assert wrong == []
    assert left_open == {"same Kryo class": 11}


def test_every_snapshot_that_a_release_writes_is_read_to_its_end() -> None:
    for case in cases("serializers"):
        for side in ("before", "after"):
            assert read(case[side]).complete, case["name"]


def with_ttl(value: SerializerType) -> SerializerType:
    fields = (TypeField(type=LONG), TypeField(type=value))
    return SerializerType(serializer="TtlSerializer", fields=fields)


@for_each(
    ("version", "verdict"),
    [("1.9", "incompatible"), ("1.20", "incompatible"), ("2.1", "unknown"), ("2.2", "migrated")],
)
def test_time_to_live_is_switched_where_the_release_allows_it(version: str, verdict: str) -> None:
    for before, after in ((LONG, with_ttl(LONG)), (with_ttl(LONG), LONG)):
        assert compare_types(before, after, release(version)).verdict == verdict
    assert compare_types(with_ttl(LONG), with_ttl(LONG), release(version)).verdict == "compatible"
    assert compare_types(with_ttl(INT), with_ttl(LONG), release(version)).verdict == "incompatible"


@for_each(
    ("before", "after"),
    [
        (SerializerType(serializer="mine.Snapshot", known=False), LONG),
        (LONG, SerializerType(serializer="mine.Snapshot", known=False)),
        (
            SerializerType(serializer="AvroSerializer", class_name="A", avro_schema='"int"'),
            SerializerType(serializer="AvroSerializer", class_name="A", avro_schema='"long"'),
        ),
        (SerializerType(serializer="RowDataSerializer", columns=("?",)),) * 2,
        (
            SerializerType(serializer="RowDataSerializer", columns=("?", "INT")),
            SerializerType(serializer="RowDataSerializer", columns=("BIGINT", "INT")),
        ),
        (
            SerializerType(
                serializer="PojoSerializer", class_name="A", fields=(TypeField(name="a"),)
            ),
        )
        * 2,
        (
            SerializerType(serializer="ListSerializer"),
            SerializerType(serializer="ArrayListSerializer"),
        ),
    ],
)
def test_a_change_that_no_rule_decides_is_unknown(
    before: SerializerType, after: SerializerType
) -> None:
    assert compare_types(before, after, NOW).verdict == "unknown"


def test_types_nest_as_deep_as_the_limit() -> None:
    nested = LONG
    for _ in range(300):
        nested = SerializerType(serializer="ListSerializer", fields=(TypeField(type=nested),))

    assert compare_types(nested, nested, NOW).verdict == "unknown"


def test_no_serializer_has_two_rules() -> None:
    listed = [name for rule in RULES for name in rule.serializers]

    assert len(listed) == len(set(listed))
