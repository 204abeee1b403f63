"""One subtask: frames in, frames out, and its report as the last."""

import msgspec
import pytest

from explorer.engine.counters import SubtaskReport
from explorer.engine.rows.batch import from_rows
from explorer.engine.steps.step_work import MAX_WATERMARK
from explorer.engine.task.frames import (
    FrameKind,
    FramesLostError,
    columnar_body,
    pack,
    read_columnar,
    unpack,
    watermark_body,
)
from explorer.engine.task.subtask import RESULT
from tests.engine.task.jobs import NUMBERS, job_of, source, subtask_of

JOB = job_of(
    source(1, 2, 3),
    {"id": "r", "type": "rebalance", "inputs": ["s"]},
    {"id": "m", "type": "map", "inputs": ["r"], "parallelism": 2, "select": {"n": "n * 10"}},
    {"id": "o", "type": "sink", "inputs": ["m"], "parallelism": 2},
)
SOURCE, SINK = JOB.tasks


def incoming(*values: int) -> list[bytes]:
    """Frames with records of the only channel and its last watermark."""
    kind, body = columnar_body(from_rows(NUMBERS, [(value,) for value in values]))
    edge = SINK.inputs[0].number
    return [
        pack(kind, edge, 0, 0, 0, body),
        pack(FrameKind.WATERMARK, edge, 0, 1, 0, watermark_body(MAX_WATERMARK)),
    ]


def test_a_source_sends_its_rows_to_the_consumers_and_a_report_to_the_driver() -> None:
    sent = [*subtask_of(SOURCE).run(iter(()))]
    targets = [(target, consumer) for target, consumer, _ in sent]

    assert set(targets[:-1]) == {(1, 0), (1, 1)}
    assert targets[-1] == (RESULT, 0)
    assert unpack(sent[-1][2]).kind is FrameKind.REPORT


def test_a_sink_sends_its_rows_to_the_driver() -> None:
    *rows, last = (unpack(frame) for _, _, frame in subtask_of(SINK).run(iter(incoming(1, 2))))

    assert [read_columnar(one.body, NUMBERS, timed=False).rows() for one in rows] == [[[10], [20]]]
    report = msgspec.msgpack.decode(last.body, type=SubtaskReport)
    assert (report.task, report.subtask, report.records_in) == (1, 0, 2)
    assert {one.records_in for one in report.operators} == {2}


def test_an_input_that_breaks_off_is_noticed() -> None:
    with pytest.raises(FramesLostError, match="ended before its channels did"):
        list(subtask_of(SINK).run(iter(incoming(1)[:1])))


def test_the_sent_frames_are_the_same_each_time() -> None:
    def sent() -> list[tuple[int, int, bytes]]:
        return [*subtask_of(SOURCE).run(iter(()))][:-1]

    assert sent() == sent()


def test_an_attempt_is_shown_in_the_report() -> None:
    *_, (_, _, last) = subtask_of(SOURCE).run(iter(()), attempt=3)

    assert msgspec.msgpack.decode(unpack(last).body, type=SubtaskReport).attempt == 3
