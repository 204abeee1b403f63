"""Frames: a header, then columns or Flink's bytes."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from explorer.engine.rows.batch import Batch, concat, from_rows
from explorer.engine.rows.origins import Descent, Origins
from explorer.engine.task.frames import (
    NARROWED,
    FrameKind,
    columnar_body,
    origin,
    pack,
    read_columnar,
    read_watermark,
    unpack,
    watermark_body,
)
from explorer.model.row_type import DOUBLE, LONG, STRING, RowType
from tests.engine.task.batches import batches, shown
from tests.engine.task.jobs import NUMBERS
from tests.many_cases import for_each


@given(batches(), st.sampled_from((1, NARROWED)))
def test_columns_give_back_the_records(drawn: Batch, times: int) -> None:
    """Also those of a batch that is long enough for narrow numbers."""
    batch = concat([drawn] * times)
    kind, body = columnar_body(batch)
    frame = unpack(pack(kind, 7, 3, 11, 2, body))
    timed = frame.kind is FrameKind.TIMED_BATCH
    found = read_columnar(frame.body, batch.row_type, timed=timed)

    assert (frame.edge, frame.producer, frame.number, frame.row_type) == (7, 3, 11, 2)
    assert shown(found) == shown(batch)


@for_each("bits", [8, 16, 32, 64])
def test_longs_travel_in_as_few_bytes_as_they_need(bits: int) -> None:
    ends = [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1]
    batch = from_rows(RowType.of(n=LONG), [(ends[at % 2],) for at in range(1000)])
    kind, body = columnar_body(batch)
    found = read_columnar(memoryview(body), batch.row_type, timed=kind is FrameKind.TIMED_BATCH)

    assert found.columns == batch.columns
    assert len(body) - 1000 * bits // 8 < 1000


@for_each("rows", [NARROWED - 1, NARROWED])
def test_few_longs_travel_as_they_are(rows: int) -> None:
    _, body = columnar_body(from_rows(RowType.of(n=LONG), [(1,)] * rows))

    assert body[0] == (64 if rows < NARROWED else 8)


def test_a_header_is_read_without_the_body() -> None:
    frame = pack(FrameKind.WATERMARK, 7, 3, 11, 0, watermark_body(-5))

    assert origin(frame) == (7, 3)
    assert unpack(frame).place == (FrameKind.WATERMARK, 7, 3, 11)
    assert read_watermark(unpack(frame).body) == -5


def test_a_sinks_frame_names_its_node() -> None:
    frame = unpack(pack(FrameKind.SINK, -4, 0, 0, 0, b""))

    assert (frame.kind, frame.edge, len(frame.body)) == (FrameKind.SINK, -4, 0)


def test_origins_travel_behind_timestamps() -> None:
    descent = Descent()
    batch = from_rows(NUMBERS, [(1,), (2,)]).with_timestamps(np.array([10, 20]))
    traced = batch.with_origins(Origins(descent, descent.sources(2)))
    kind, body = columnar_body(traced)
    found = read_columnar(memoryview(body), NUMBERS, timed=True, descent=descent)

    assert kind is FrameKind.TIMED_BATCH
    assert shown(found) == shown(batch)
    assert found.origins is not None
    assert found.origins.numbers.tolist() == [0, 1]


def test_a_column_of_nulls_is_read_back() -> None:
    row_type = RowType.of(n=LONG, x=DOUBLE, w=STRING)
    batch = from_rows(row_type, [(None, None, None)] * NARROWED)
    _, body = columnar_body(batch)

    assert read_columnar(memoryview(body), row_type, timed=False).rows() == batch.rows()
