"""Records that are written to channels, and the counted bytes."""

import time
from typing import Any

import numpy as np
import pytest

from explorer.engine import plan
from explorer.engine.rows.batch import Batch, from_rows
from explorer.engine.task.frames import (
    Frame,
    FrameKind,
    read_columnar,
    unpack,
)
from explorer.engine.task.record_writer import (
    FRAME_BYTES,
    FRAME_ROWS,
    RecordWriter,
    effective_partitioner,
)
from explorer.engine.task.serializers import LENGTH_WIDTH, batch_bytes, watermark_bytes
from explorer.model.row_type import LONG, STRING, RowType
from tests.engine.task.jobs import NUMBERS, edge


def written(
    one: plan.Edge, *batches: Batch, watermark: int | None = None
) -> tuple[RecordWriter, list[tuple[int, Frame]]]:
    """A writer that wrote these batches, and each frame with its consumer."""
    frames: list[tuple[int, Frame]] = []
    writer = RecordWriter(one, 0, "o", lambda to, frame: frames.append((to, unpack(frame))))
    for batch in batches:
        writer.write(batch)
    if watermark is not None:
        writer.watermark(watermark)
    writer.close()
    return writer, frames


def rows(frame: Frame) -> list[Any]:
    timed = frame.kind is FrameKind.TIMED_BATCH
    return [row[0] for row in read_columnar(frame.body, NUMBERS, timed=timed).rows()]


NINE = from_rows(NUMBERS, [(number,) for number in range(9)])


def test_small_batches_travel_together_channel_by_channel() -> None:
    _, frames = written(edge(consumers=3), NINE.slice(0, 4), NINE.slice(4, 9))

    assert [(to, rows(frame)) for to, frame in frames] == [
        (0, [0, 3, 6]),
        (1, [1, 4, 7]),
        (2, [2, 5, 8]),
    ]


@pytest.mark.slow
def test_a_full_frame_does_not_wait() -> None:
    batch = from_rows(NUMBERS, [(0,)] * FRAME_ROWS)
    frames: list[int] = []
    writer = RecordWriter(edge("GLOBAL"), 0, "o", lambda _, frame: frames.append(len(frame)))

    writer.write(batch.slice(0, FRAME_ROWS - 1))
    assert frames == []
    writer.write(batch.slice(0, 1))
    assert len(frames) == 1


def test_long_records_fill_one_frame_after_the_other() -> None:
    texts = RowType.of(w=STRING)
    half = from_rows(texts, [("x" * (FRAME_BYTES // 2),)])
    _, frames = written(edge("GLOBAL", 1, 1, texts), *[half] * 5)
    read = [read_columnar(frame.body, texts, timed=False) for _, frame in frames]

    assert [len(batch) for batch in read] == [2, 2, 1]


def test_thousands_of_batches_that_wait_cost_no_more_each() -> None:
    begun = time.process_time()
    _, frames = written(edge("GLOBAL"), *[NINE.slice(0, 1)] * 3000)

    assert len(frames) == 1
    assert time.process_time() - begun < 5


def test_records_of_another_type_or_with_times_begin_a_frame() -> None:
    other = RowType.of(m=LONG)
    timed = NINE.slice(0, 1).with_timestamps(np.array([5]))
    one = edge("GLOBAL", 1, 1, NUMBERS, other)
    _, frames = written(one, NINE.slice(0, 1), timed, NINE.slice(0, 2).with_row_type(other))

    assert [(frame.kind, frame.row_type, frame.number) for _, frame in frames] == [
        (FrameKind.BATCH, 0, 0),
        (FrameKind.TIMED_BATCH, 0, 1),
        (FrameKind.BATCH, 1, 2),
    ]


def test_a_broadcast_goes_to_all_and_counts_for_each() -> None:
    writer, frames = written(edge("BROADCAST", consumers=3), NINE, watermark=5)
    alone, _ = written(edge("GLOBAL", consumers=1), NINE, watermark=5)

    assert [to for to, _ in frames] == [0, 1, 2] * 2
    assert writer.counters.records == 9
    assert writer.counters.bytes == 3 * alone.counters.bytes


@pytest.mark.parametrize("partitioner", ["REBALANCE", "BROADCAST"])
def test_the_bytes_that_flink_would_send_are_counted(partitioner: str) -> None:
    large = from_rows(RowType.of(w=STRING), [("x" * 1000,)] * 100)
    one = edge(partitioner, 1, 2, RowType.of(w=STRING))
    writer, _ = written(one, large, watermark=7)
    copies = 2 if partitioner == "BROADCAST" else 1
    sent = copies * len(batch_bytes(large)) + 2 * (LENGTH_WIDTH + len(watermark_bytes(7)))

    assert writer.counters.bytes == sent


def test_an_edge_that_is_not_counted_has_bytes_of_its_own_only() -> None:
    writer, _ = written(edge(counted=False), NINE)

    assert writer.counters.bytes > 0
    assert writer.counted_bytes == 0


def test_a_forward_between_other_parallelisms_is_a_rebalance() -> None:
    assert [
        effective_partitioner(edge(name, producers, consumers))
        for name, producers, consumers in (
            ("FORWARD", 2, 2),
            ("FORWARD", 1, 2),
            ("BROADCAST", 1, 2),
            ("HASH", 1, 2),
        )
    ] == ["FORWARD", "REBALANCE", "GLOBAL", "HASH"]
