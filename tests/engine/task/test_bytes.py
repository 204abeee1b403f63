"""Flink's bytes: counted without being made, made, cut into buffers and read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.engine.rows.batch import Batch, from_rows
from explorer.engine.task.deserializers import ChannelDecoder
from explorer.engine.task.frames import FrameKind, columnar_body, pack, read_columnar, unpack
from explorer.engine.task.serializers import LENGTH_WIDTH, batch_bytes, batch_size, watermark_bytes
from explorer.model.row_type import DOUBLE, LONG, RowType
from tests.engine.task.batches import batches, shown


def _framed(element: bytes) -> bytes:
    return len(element).to_bytes(LENGTH_WIDTH, "big") + element


@given(batches())
def test_the_count_is_the_number_of_bytes(batch: Batch) -> None:
    assert batch_size(batch) == len(batch_bytes(batch))


@given(batches(), st.integers(1, 40), st.integers(-(2**63), 2**63 - 1))
def test_bytes_cut_anywhere_give_back_the_records(batch: Batch, size: int, time: int) -> None:
    stream = batch_bytes(batch).tobytes() + _framed(watermark_bytes(time))
    stream += batch_bytes(batch).tobytes()
    decoder = ChannelDecoder(batch.row_type)
    buffers = [stream[start : start + size] for start in range(0, len(stream), size)]
    found = [element for buffer in buffers for element in decoder.feed(buffer)]
    records = [one for element in found if isinstance(element, Batch) for one in shown(element)]

    assert records == shown(batch) * 2
    assert [element for element in found if isinstance(element, int)] == [time]


@given(batches())
def test_a_slice_has_the_bytes_of_its_own_rows(batch: Batch) -> None:
    half = len(batch) // 2
    parts = (batch.slice(0, half), batch.slice(half, len(batch)))

    assert b"".join(batch_bytes(part).tobytes() for part in parts) == batch_bytes(batch).tobytes()
    assert sum(batch_size(part) for part in parts) == batch_size(batch)


@given(batches())
def test_columns_give_back_the_records(batch: Batch) -> None:
    kind, body = columnar_body(batch)
    frame = unpack(pack(kind, 7, 3, 11, 2, body))
    timed = frame.kind is FrameKind.TIMED_BATCH
    found = read_columnar(frame.body, batch.row_type, timed=timed)

    assert (frame.edge, frame.producer, frame.number, frame.row_type) == (7, 3, 11, 2)
    assert shown(found) == shown(batch)


def test_every_nan_travels_as_the_same_bytes() -> None:
    odd = from_rows(RowType.of(x=DOUBLE), [(float("nan"),), (-float("nan"),)])
    halves = [batch_bytes(odd.slice(at, at + 1)).tobytes() for at in (0, 1)]

    assert halves[0] == halves[1]
    assert halves[0].endswith(bytes.fromhex("7ff8000000000000"))


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_longs_travel_in_as_few_bytes_as_they_need(bits: int) -> None:
    ends = [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1]
    batch = from_rows(RowType.of(n=LONG), [(ends[at % 2],) for at in range(1000)])
    kind, body = columnar_body(batch)
    found = read_columnar(memoryview(body), batch.row_type, timed=kind is FrameKind.TIMED_BATCH)

    assert found.columns == batch.columns
    assert len(body) - 1000 * bits // 8 < 1000
