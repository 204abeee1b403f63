"""Static verdicts on state types against 160 restores on real clusters.

``schemas.jsonl.gz`` has the outcomes of 1.20.5 and 2.2.1 with HashMap and RocksDB, in canonical and
native format, and a savepoint for each program; ``schema_programs.jsonl.gz`` has both versions of
each program as ``capture`` read them from their jars.
"""

import base64
from copy import deepcopy
from functools import cache
from typing import Any, Final

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from explorer import RestoreVerdict, check_restore, load_savepoint
from explorer.model.coverage import StateVerdict
from explorer.model.serializer_types import SerializerType, TypeField
from explorer.savepoints import Savepoint
from tests.golden_files import cases
from tests.many_cases import for_each

REFUSED: Final = {
    "async_input_type",
    "key_string_long",
    "sql_aggregate_more",
    "sql_sum_type",
    "window_acc_tuple",
}
"""Changes that are visible before the job runs; ``open`` declares what the others change."""


@cache
def programs() -> dict[tuple[str, str], dict[str, Any]]:
    return {(each["case"], each["flink_version"]): each for each in cases("schema_programs")}


@cache
def savepoints() -> dict[tuple[str, str], bytes]:
    """The first savepoint of each program: all formats hold the same types."""
    found: dict[tuple[str, str], bytes] = {}
    for each in cases("schemas"):
        if each["metadata"]:
            key = (each["case"], each["flink_version"])
            found.setdefault(key, base64.b64decode(each["metadata"]))
    return found


def short(version: str) -> str:
    return version.rpartition(".")[0]


@cache
def restored(case: str, version: str, side: str, taken_with: str) -> RestoreVerdict:
    """The verdict on one side's program, started from the old program's savepoint."""
    document = programs()[case, version][side]
    return check_restore(savepoints()[case, taken_with], document, flink_version=short(version))


def test_no_verdict_is_greener_or_redder_than_the_cluster() -> None:
    wrong, refused = [], set()
    for each in cases("schemas"):
        version = each["flink_version"]
        found = restored(each["case"], version, "new", version)
        if found.verdict == "refused":
            refused.add(each["case"])
        green = found.verdict == "restored" and not found.unchecked
        if each["outcome"] == "restored" and found.verdict == "refused":
            wrong.append((each["case"], version, each["backend"], found.error))
        if each["outcome"] != "restored" and green:
            wrong.append((each["case"], version, each["backend"], "all checked"))

    assert wrong == []
    assert refused == REFUSED


@for_each(
    ("case", "state", "rule"),
    [
        ("key_string_long", "", "String may not become Long"),
        ("window_acc_tuple", "window-contents", "as many types within"),
        ("async_input_type", "_async_wait_operator_state_", "Long may not become String"),
        ("sql_sum_type", "accState", "equal types, NOT NULL included"),
    ],
)
@for_each("version", ["1.20.5", "2.2.1"])
def test_a_refusal_has_flinks_sentence_and_rule(
    case: str, state: str, rule: str, version: str
) -> None:
    said = next(each["message"] for each in cases("schemas") if each["case"] == case)
    found = restored(case, version, "new", version)

    refusal = next(
        one for each in found.operators for one in each.states if one.verdict == "incompatible"
    )
    assert (refusal.state, refusal.exception) == (state, "StateMigrationException")
    assert rule in (refusal.rule or "")
    assert found.error == refusal.sentence
    # Flink's sentence has packages and hash codes; that of HashMap begins with the backend.
    assert "state serializer" in said or refusal.sentence.split("(")[0] in said


@pytest.mark.parametrize(
    ("taken_with", "started_with"),
    [("1.20.5", "1.20.5"), ("1.20.5", "2.2.1"), ("2.2.1", "2.2.1")],
)
def test_an_unchanged_program_restores_in_the_next_release_too(
    taken_with: str, started_with: str
) -> None:
    for case, version in programs():
        # What Kryo 2 wrote has a test of its own.
        if version != taken_with or (taken_with, case) == ("1.20.5", "kryo_class_renamed"):
            continue
        found = restored(case, started_with, "old", taken_with)
        verdicts = {one.verdict for each in found.operators for one in each.states}
        assert found.verdict == "restored"
        assert verdicts <= {"compatible", "unknown"}
        assert "key types" in found.checked


def test_state_types_are_checked_where_flink_declares_all_of_them() -> None:
    for case in ("sql_sum_type", "window_acc_tuple", "async_input_type"):
        assert restored(case, "1.20.5", "old", "1.20.5").unchecked == ("user code",)
    assert "state types" in restored("same", "1.20.5", "old", "1.20.5").unchecked


def test_a_document_without_declared_types_is_never_compatible() -> None:
    document = {"name": "plain", "transformations": _PLAIN}
    found = check_restore(savepoints()["same", "1.20.5"], document, flink_version="1.20")

    keep = next(each for each in found.operators if each.states and each.name == "Keep")
    assert {one.verdict for one in keep.states} == {"unknown"}
    assert {"key types", "state types"} <= set(found.unchecked)


_PLAIN: Final = [
    {"id": "a", "type": "source", "uid": "generated"},
    {"id": "k", "type": "key_by", "inputs": ["a"], "keys": ["n"]},
    {"id": "p", "type": "keyed_process", "inputs": ["k"], "uid": "keep", "name": "Keep"},
    {"id": "s", "type": "sink", "inputs": ["p"], "uid": "sink"},
]


def verdicts(before: Savepoint, after: Savepoint) -> list[StateVerdict]:
    """Verdicts on ``Keep``: from ``before`` to a program that declares the types of ``after``."""
    document = deepcopy(programs()["same", "1.20.5"]["new"])
    keep = next(one for one in document["stream_graph"]["nodes"] if one["name"] == "Keep")
    schema = next(one.schema for one in after.operators if one.schema.key is not None)
    states = [
        {"name": one.name, "kind": one.kind, "value": to_builtins(one.value)}
        for one in schema.states
    ]
    keep["operator"]["declared"] = {"key": to_builtins(schema.key), "states": states}
    found = check_restore(before, document, flink_version="1.20")
    return [each for one in found.operators if one.name == "Keep" for each in one.states]


def map_state(key: SerializerType, value: SerializerType) -> Savepoint:
    """A savepoint of the golden file, with other types for its map state."""
    read = load_savepoint(savepoints()["map_value_pojo_added", "1.20.5"])
    kind = SerializerType(
        serializer="MapSerializer", fields=(TypeField(type=key), TypeField(type=value))
    )
    operators = []
    for one in read.operators:
        states = [
            replace(each, value=kind) if each.name == "m" else each for each in one.schema.states
        ]
        operators.append(replace(one, schema=replace(one.schema, states=tuple(states))))
    return replace(read, operators=tuple(operators))


def test_the_values_of_a_map_may_be_migrated_and_its_keys_not_with_every_backend() -> None:
    text = SerializerType(serializer="StringSerializer", type_name="String")
    small = SerializerType(serializer="PojoSerializer", class_name="A")
    large = replace(small, fields=(TypeField(name="a", type=text),))

    def verdict(before: Savepoint, after: Savepoint) -> list[str]:
        return [one.verdict for one in verdicts(before, after) if one.state == "m"]

    assert verdict(map_state(text, small), map_state(text, large)) == ["migrated"]
    assert verdict(map_state(small, text), map_state(large, text)) == ["unknown"]
    assert verdict(map_state(text, text), map_state(small, text)) == ["incompatible"]


def test_two_documents_are_compared_by_what_they_declare() -> None:
    pair = programs()["sql_sum_type", "1.20.5"]

    found = check_restore(pair["old"], pair["new"], flink_version="1.20")

    assert (found.verdict, found.exception) == ("refused", "StateMigrationException")
    assert check_restore(pair["old"], pair["old"], flink_version="1.20").verdict == "restored"


def test_a_savepoint_is_compared_state_by_state_with_what_a_program_declares() -> None:
    same, other = (
        load_savepoint(savepoints()[case, "1.20.5"]) for case in ("ttl_on", "value_int_long")
    )

    unchanged, changed = verdicts(same, same), verdicts(other, same)

    assert {one.verdict for one in unchanged} == {"compatible"}
    assert unchanged[0].sentence == (
        "compatible as is: the same serializer with the same parameters"
    )
    words = [one.rule for one in changed if one.state == "v"]
    assert words == ["Integer may not become Long: the serializers differ"]


def test_state_that_another_kryo_wrote_is_refused_by_the_savepoints_format() -> None:
    moved = restored("kryo_class_renamed", "2.2.1", "old", "1.20.5")
    stayed = restored("kryo_class_renamed", "2.2.1", "old", "2.2.1")

    assert moved.verdict == "refused"
    assert "Kryo 2 wrote it, and Kryo 5 of Flink 2.2 cannot read" in (moved.error or "")
    assert "Kryo 2" not in str(stayed.to_dict())
