"""A job in this process, subtask by subtask."""

from collections import Counter

import msgspec
import pytest

from explorer.engine.counters import SubtaskReport
from explorer.engine.task.frames import FrameKind, unpack
from explorer.engine.task.local_job import run_job
from tests.engine.task.jobs import job_of, source

JOB = job_of(
    source(1, 2, 3, 4),
    {"id": "r", "type": "rebalance", "inputs": ["s"]},
    {"id": "m", "type": "map", "inputs": ["r"], "parallelism": 2, "select": {"n": "n * 10"}},
    {"id": "o", "type": "sink", "inputs": ["m"], "parallelism": 2},
)


def test_the_driver_gets_rows_and_a_report_of_each_subtask() -> None:
    frames = [unpack(frame) for frame in run_job(JOB)]
    reports = [
        msgspec.msgpack.decode(frame.body, type=SubtaskReport)
        for frame in frames
        if frame.kind is FrameKind.REPORT
    ]

    assert {frame.kind for frame in frames} == {FrameKind.SINK, FrameKind.REPORT}
    assert Counter((one.task, one.subtask) for one in reports) == {(0, 0): 1, (1, 0): 1, (1, 1): 1}
    assert sum(one.records_in for one in reports if one.task == 1) == 4


def test_every_operators_records_pass_the_tap() -> None:
    seen: Counter[int] = Counter()
    run_job(JOB, tap=lambda _subtask, node, _tag, batch: seen.update({node: len(batch)}))

    assert [count for count in seen.values() if count] == [4, 4]


def test_a_pause_may_end_the_job() -> None:
    class StopError(Exception):
        pass

    def stop() -> None:
        raise StopError

    with pytest.raises(StopError):
        run_job(JOB, pause=stop)
