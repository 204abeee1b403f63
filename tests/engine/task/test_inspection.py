"""The meaning of each byte: Flink's bytes and those of the serializers are decoded."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from explorer.engine.rows.batch import Batch
from explorer.engine.task.inspection import (
    BytePart,
    Fields,
    InspectionError,
    inspect_elements,
    inspect_event,
)
from explorer.engine.task.serializers import LENGTH_WIDTH, batch_bytes, watermark_bytes
from tests.engine.task.batches import batches
from tests.engine.task.facts import facts
from tests.many_cases import for_each

ROW_KINDS = {
    "INSERT": "000000000000000005",
    "UPDATE_BEFORE": "800000000000000005",
    "UPDATE_AFTER": "400000000000000005",
    "DELETE": "c00000000000000005",
}
"""What ``RowSerializer`` of Flink 1.20.5 printed for ``Row.ofKind(kind, 5L)``."""


def fields_of(kind: str) -> list[tuple[str, str]]:
    inside = kind[kind.index("(") + 1 : -1].split(",")
    return [(f"f{place}", one) for place, one in enumerate(inside)]


def element(data: bytes, fields: Fields) -> tuple[BytePart, ...]:
    """The parts of one element, as ``StreamElementSerializer`` writes it."""
    return inspect_elements(len(data).to_bytes(LENGTH_WIDTH, "big") + data, fields)[1:]


def shown(value: Any) -> str:
    return (
        {True: "true", False: "false"}.get(value, str(value))
        if isinstance(value, bool)
        else (repr(value) if isinstance(value, str) else str(value))
    )


@for_each("fact", [f for f in facts("stream_elements") if "ROW" in f.get("type", "")])
def test_flinks_own_rows_are_decoded(fact: dict[str, Any]) -> None:
    fields = fields_of(fact["type"])
    parts = element(bytes.fromhex(fact["bytes"]), fields)
    values = {part.name: part.value for part in parts}

    assert b"".join(part.data for part in parts).hex() == fact["bytes"]
    for (name, _), value in zip(fields, fact["value"], strict=True):
        if value is None:
            assert name not in values
            assert name in values["null mask"]
        else:
            assert values[name] == shown(value)
    assert values.get("timestamp") == (str(fact["timestamp"]) if "timestamp" in fact else None)


def reported(fact: dict[str, Any]) -> list[str]:
    """The fields of an element after its tag, in Flink's order."""
    members = ("timestamp", "status", "marked_time", "operator_id", "subtask_index")
    return [str(fact[member]).lower() for member in members if member in fact]


def test_elements_that_are_no_records_are_named() -> None:
    others = [fact for fact in facts("stream_elements") if fact["element"] != "record"]
    for fact in others:
        tag, *parts = element(bytes.fromhex(fact["bytes"]), [])
        assert tag.value == fact["element"].replace("_", " ")
        assert [part.value for part in parts] == reported(fact)
    assert len(others) == 8


@for_each("kind", ROW_KINDS)
def test_a_rows_kind_is_read_off_its_mask(kind: str) -> None:
    mask = element(b"\x01" + bytes.fromhex(ROW_KINDS[kind]), [("n", "LONG")])[1]
    assert mask.value == f"{kind}, no value null"


@given(batches())
def test_parts_are_all_the_bytes_in_their_order(batch: Batch) -> None:
    data = batch_bytes(batch).tobytes()
    fields = batch.row_type.columns
    parts = inspect_elements(data, fields)

    assert b"".join(part.data for part in parts) == data
    assert [part.offset for part in parts] == [
        sum(len(before.data) for before in parts[:place]) for place in range(len(parts))
    ]
    assert sum(part.name == "length" for part in parts) == len(batch)


@given(st.binary(max_size=60))
def test_any_bytes_are_parts_or_one_sentence(data: bytes) -> None:
    for inspect in (element, inspect_elements):
        try:
            parts = inspect(data, [("n", "LONG"), ("w", "STRING")])
        except InspectionError:
            continue
        assert b"".join(part.data for part in parts) == data


def test_a_watermark_of_a_subpartition_is_an_element_too() -> None:
    parts = element(watermark_bytes(5, subpartition=2), [])
    assert [part.value for part in parts] == ["internal watermark", "2", "5"]


def test_events_end_a_partition() -> None:
    assert [part.hex for part in inspect_event("end of data")] == ["00 00 00 08", "00"]
    assert [part.hex for part in inspect_event("end of partition")] == ["00 00 00 00"]
