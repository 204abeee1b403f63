"""Frames of a subtask are decoded in their order, and its channels' least watermark is emitted."""

import pytest

from explorer.engine import plan
from explorer.engine.rows.batch import from_rows
from explorer.engine.steps.step_work import MAX_WATERMARK
from explorer.engine.task.frames import (
    FrameKind,
    columnar_body,
    origin,
    pack,
    watermark_body,
)
from explorer.engine.task.input_gate import InputGate, Records, Watermark, WatermarkValve
from explorer.errors import BrokenInvariantError
from tests.engine.task.jobs import NUMBERS, edge


def test_the_least_watermark_rises_when_the_last_channel_does() -> None:
    valve = WatermarkValve([(0, 0), (0, 1), (1, 0)])
    moves = [((0, 0), 5), ((0, 1), 7), ((1, 0), 6), ((0, 0), 3), ((0, 0), 9), ((0, 1), 9)]

    assert [valve.advance(channel, time) for channel, time in moves] == [
        None,
        None,
        5,
        None,
        6,
        None,
    ]


def gate(*edges: plan.Edge) -> InputGate:
    return InputGate(edges, 0)


def records(number: int, *values: int, producer: int = 0, edge: int = 0) -> bytes:
    kind, body = columnar_body(from_rows(NUMBERS, [(value,) for value in values]))
    return pack(kind, edge, producer, number, 0, body)


def watermark(number: int, time: int, producer: int = 0, edge: int = 0) -> bytes:
    return pack(FrameKind.WATERMARK, edge, producer, number, 0, watermark_body(time))


def test_a_channel_belongs_to_an_edge_and_a_producer() -> None:
    two = gate(edge(producers=2), edge(producers=1, number=5, input=1))

    assert two.channels == [(0, 0), (0, 1), (5, 0)]


def test_frames_become_records_of_their_input_and_watermarks() -> None:
    one = gate(edge(input=1))
    (first,) = one.read(records(0, 7, 8))
    (second,) = one.read(watermark(1, 99))

    assert isinstance(first, Records)
    assert (first.input, first.batch.rows()) == (1, [[7], [8]])
    assert second == Watermark((0, 0), 99)


def test_a_frame_that_is_missing_is_our_bug() -> None:
    one = gate(edge())
    one.read(records(0, 1))

    with pytest.raises(BrokenInvariantError, match=r"frame 2 of channel .* where 1 was due"):
        one.read(records(2, 3))


def test_frames_are_sorted_by_producer_and_those_read_first_come_first() -> None:
    later, first = edge(producers=2), edge(producers=1, number=1, source=3, first=True)
    frames = [
        records(0, 1, producer=1),
        watermark(1, MAX_WATERMARK, producer=1),
        records(0, 2, edge=1),
        watermark(1, MAX_WATERMARK, edge=1),
        watermark(0, MAX_WATERMARK),
    ]
    order = [origin(frame) for frame in gate(later, first).sorted(frames)]

    assert order == [(1, 0), (1, 0), (0, 0), (0, 1), (0, 1)]


def test_a_valve_is_open_until_every_channel_has_ended() -> None:
    valve = WatermarkValve([(0, 0), (0, 1)])

    assert valve.advance((0, 0), MAX_WATERMARK) is None
    assert valve.open
    assert valve.advance((0, 1), 5) == 5
    assert valve.advance((0, 1), 3) is None
    assert valve.advance((0, 1), MAX_WATERMARK) == MAX_WATERMARK
    assert not valve.open
