"""Flink's bytes of records, counted and serialized."""

import struct
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given

from explorer.engine.rows.batch import Batch, from_rows
from explorer.engine.rows.field_bytes import field_bytes
from explorer.engine.task.serializers import (
    batch_bytes,
    batch_size,
    batch_sizes,
    element_bytes,
    field_size,
    latency_marker_bytes,
    mask_width,
    row_bytes,
    status_bytes,
    value_bytes,
    watermark_bytes,
)
from explorer.model.row_type import DOUBLE, LONG, RowType
from tests.engine.task.batches import batches
from tests.engine.task.facts import ARROW, columns, facts
from tests.engine.task.jobs import NUMBERS
from tests.engine.task.other_elements import tuple_bytes


@given(batches())
def test_the_count_is_the_number_of_bytes(batch: Batch) -> None:
    assert batch_size(batch) == len(batch_bytes(batch))


@given(batches())
def test_a_slice_has_the_bytes_of_its_own_rows(batch: Batch) -> None:
    half = len(batch) // 2
    parts = (batch.slice(0, half), batch.slice(half, len(batch)))

    assert b"".join(batch_bytes(part).tobytes() for part in parts) == batch_bytes(batch).tobytes()
    assert sum(batch_size(part) for part in parts) == batch_size(batch)


def test_every_nan_travels_as_the_same_bytes() -> None:
    odd = from_rows(RowType.of(x=DOUBLE), [(float("nan"),), (-float("nan"),)])
    halves = [batch_bytes(odd.slice(at, at + 1)).tobytes() for at in (0, 1)]

    assert halves[0] == halves[1]
    assert halves[0].endswith(bytes.fromhex("7ff8000000000000"))


def _element(fact: dict[str, Any]) -> bytes:
    match fact["element"]:
        case "watermark":
            return watermark_bytes(fact["timestamp"])
        case "watermark_status":
            return status_bytes(active=fact["status"] == "ACTIVE")
        case "latency_marker":
            return latency_marker_bytes(
                fact["marked_time"], fact["operator_id"], fact["subtask_index"]
            )
        case _:
            return _record(fact)


def _record(fact: dict[str, Any]) -> bytes:
    fields = columns(fact["type"], fact["value"])
    if fact["type"] in ARROW:
        value = field_bytes(fields[0])
    else:
        value = (tuple_bytes if fact["type"].startswith("TUPLE") else row_bytes)(fields)
    times = np.array([fact["timestamp"]]) if "timestamp" in fact else None
    return element_bytes(value, times).data.tobytes()


def test_stream_elements_have_flinks_bytes() -> None:
    for fact in facts("stream_elements"):
        assert _element(fact).hex() == fact["bytes"], fact


def test_a_row_has_a_bit_for_its_kind_and_for_each_null() -> None:
    assert [mask_width(arity) for arity in (1, 6, 7, 14, 15)] == [1, 1, 2, 2, 3]
    two = [pa.array([1, None]), pa.array([None, "a"])]
    found = row_bytes(two)

    assert found.lengths.tolist() == [9, 3]
    assert found.data.tobytes() == b"\x10" + struct.pack(">q", 1) + b"\x20" + b"\2a"


def test_an_element_has_its_length_its_tag_and_its_time() -> None:
    batch = from_rows(NUMBERS, [(7,)])
    timed = batch.with_timestamps(np.array([5]))

    assert batch_bytes(batch).tobytes() == struct.pack(">iBBq", 10, 1, 0, 7)
    assert batch_bytes(timed).tobytes() == struct.pack(">iBqBq", 18, 0, 5, 0, 7)
    assert batch_sizes(timed).tolist() == [22]


def test_a_union_names_the_input_of_a_row() -> None:
    tagged = RowType(names=("n",), types=(LONG,), tag=2)

    assert value_bytes(from_rows(tagged, [(7,)])).data.tobytes() == struct.pack(">BBq", 2, 0, 7)
    assert batch_size(from_rows(tagged, [(7,)])) == 15


def test_a_null_has_no_bytes() -> None:
    assert field_size(pa.array([1, None, 2])) == 16
    assert field_size(pa.array([True, None])) == 1
    assert field_size(pa.array(["", None, "é", "x" * 127])) == 1 + 3 + 2 + 127


def test_a_watermark_may_name_its_subpartition() -> None:
    assert watermark_bytes(-1) == b"\2" + b"\xff" * 8
    assert watermark_bytes(1, 3) == b"\6" + struct.pack(">iq", 3, 1)
