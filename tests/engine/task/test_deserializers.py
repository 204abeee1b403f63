"""Buffers of a channel are decoded into records and watermarks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.engine.rows.batch import Batch, from_rows
from explorer.engine.task.deserializers import ChannelDecoder, decode_rows
from explorer.engine.task.serializers import (
    LENGTH_WIDTH,
    batch_bytes,
    value_bytes,
    watermark_bytes,
)
from explorer.errors import BrokenInvariantError
from explorer.model.row_type import BOOLEAN, STRING, RowType
from tests.engine.task.batches import batches, shown
from tests.engine.task.jobs import NUMBERS


def _framed(element: bytes) -> bytes:
    return len(element).to_bytes(LENGTH_WIDTH, "big") + element


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


def test_elements_come_once_they_are_whole() -> None:
    stream = batch_bytes(from_rows(NUMBERS, [(1,), (2,)])).tobytes()
    decoder = ChannelDecoder(NUMBERS)

    assert decoder.feed(stream[:13]) == []
    (first,) = decoder.feed(stream[13:20])
    assert isinstance(first, Batch)
    assert first.rows() == [[1]]
    (second,) = decoder.feed(stream[20:])
    assert isinstance(second, Batch)
    assert second.rows() == [[2]]


def test_records_with_a_time_and_without_are_two_batches() -> None:
    plain = from_rows(NUMBERS, [(1,), (2,)])
    timed = plain.with_timestamps(np.array([10, 20]))
    found = ChannelDecoder(NUMBERS).feed(
        batch_bytes(plain).tobytes() + batch_bytes(timed).tobytes()
    )

    assert [shown(one) for one in found if isinstance(one, Batch)] == [shown(plain), shown(timed)]


def test_a_watermark_of_a_subpartition_is_its_time() -> None:
    stream = _framed(watermark_bytes(5, 3)) + _framed(watermark_bytes(-7))

    assert ChannelDecoder(NUMBERS).feed(stream) == [5, -7]


def test_another_tag_is_our_bug() -> None:
    with pytest.raises(BrokenInvariantError, match="corrupt stream, found tag 9"):
        ChannelDecoder(NUMBERS).feed(_framed(b"\x09" + bytes(12)))


def test_rows_are_read_from_any_place() -> None:
    rows = value_bytes(from_rows(RowType.of(w=STRING, b=BOOLEAN), [("é", None), (None, True)]))
    flat = np.concatenate([np.zeros(3, np.uint8), rows.data])
    found = decode_rows(flat, rows.starts + 3, RowType.of(w=STRING, b=BOOLEAN))

    assert found.rows() == [["é", None], [None, True]]
