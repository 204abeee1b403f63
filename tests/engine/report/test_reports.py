"""A report's shape: what programs outside read, and a table for a spreadsheet."""

import csv
import io
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from explorer import compile_graph
from explorer.engine import plan_trial
from explorer.engine.counters import OperatorCounters
from explorer.engine.report.gathering import make_report
from explorer.engine.report.progress import snapshot
from explorer.engine.rows.errors import SourceError
from explorer.engine.spark.failures import EngineError, explained, reason_of
from explorer.engine.spark.progress import FileProgress
from explorer.engine.task.deployment import TaskFailure, deployments, failure_in, run
from explorer.engine.task.frames import FrameKind, FramesLostError, pack, unpack
from explorer.engine.task.input_gate import InputGate
from explorer.engine.task.local_job import run_job
from explorer.engine.task.progress import (
    FINISHED,
    RUNNING,
    Layout,
    ProgressTarget,
    Sender,
    Writer,
    width,
)
from explorer.errors import BrokenInvariantError, ExplorerError
from tests.engine.in_process import trial

DOCUMENT = {
    "name": "a report",
    "environment": {"parallelism": 2},
    "transformations": [
        {"id": "s", "type": "legacy_source", "rows": {"sequence": {"from": 0, "to": 9}}},
        {"id": "r", "type": "rebalance", "inputs": ["s"]},
        {"id": "m", "type": "map", "inputs": ["r"], "name": "=1+1", "select": {"n": "n / 2"}},
        {"id": "o", "type": "sink", "inputs": ["m"]},
    ],
}


def test_the_contracts_members_are_there() -> None:
    members = json.loads(json.dumps(trial(DOCUMENT).to_dict()))
    source, target = members["vertices"]

    assert {key: source[key] for key in ("name", "parallelism", "records_in", "records_out")} == {
        "name": "Source: Custom Source",
        "parallelism": 2,
        "records_in": 0,
        "records_out": 10,
    }
    assert source["bytes_out"] == 10 * 14 + 4 * 13
    assert target["subtask_records_in"] == [5, 5]
    assert [operator["name"] for operator in target["operators"]] == [
        "=1+1",
        "Sink: Print to Std. Out",
    ]
    assert members["operators"] == source["operators"] + target["operators"]
    assert {key: members["operators"][1][key] for key in ("node", "records_in", "records_out")} == {
        "node": 3,
        "records_in": 10,
        "records_out": 10,
    }
    assert members["sinks"]["o"]["columns"] == [{"name": "n", "type": "DOUBLE"}]
    assert sorted(members["sinks"]["o"]["data"]) == [[n / 2] for n in range(10)]
    assert members["sinks"]["o"]["rows"] == 10
    assert members["edges"][0]["records"] == 10
    assert members["flink_version"] == "1.20"


def test_vertices_come_in_the_job_graphs_order() -> None:
    compiled = compile_graph(DOCUMENT, "1.20")

    assert [one.id for one in trial(DOCUMENT).vertices] == [
        one.id for one in compiled.job_graph.vertices
    ]


def test_the_table_has_a_line_a_vertex_and_operator_and_no_formula() -> None:
    lines = list(csv.DictReader(io.StringIO(trial(DOCUMENT).to_csv())))

    assert [line["kind"] for line in lines] == [
        "vertex",
        "operator",
        "vertex",
        "operator",
        "operator",
    ]
    assert [line["name"] for line in lines][2:4] == ["'=1+1 -> Sink: Print to Std. Out", "'=1+1"]
    assert lines[0]["bytes_out"] == "192"


def _frames() -> list[bytes]:
    return run_job(plan_trial(compile_graph(DOCUMENT, "1.20")).job)


@pytest.mark.parametrize("change", ["lost", "twice"])
def test_a_report_that_is_lost_or_comes_twice_is_our_bug(change: str) -> None:
    compiled = compile_graph(DOCUMENT, "1.20")
    frames = _frames()
    report = next(frame for frame in frames if unpack(frame).kind is FrameKind.REPORT)
    if change == "lost":
        frames.remove(report)
    else:
        frames.append(report)
    with pytest.raises(BrokenInvariantError):
        make_report(
            compiled,
            plan_trial(compiled),
            frames,
            master="",
            wall_ms=0,
            limit=None,
        )


def test_a_frame_that_is_late_is_our_bug() -> None:
    job = plan_trial(compile_graph(DOCUMENT, "1.20")).job
    gate = InputGate(job.tasks[1].inputs, 0)
    with pytest.raises(BrokenInvariantError, match="frame 1 of channel"):
        gate.read(pack(FrameKind.WATERMARK, 0, 0, 1, 0, b"\0" * 8))


def test_progress_is_read_as_it_was_written(tmp_path: Path) -> None:
    job = plan_trial(compile_graph(DOCUMENT, "1.20")).job
    layout = Layout(job)
    with closing(FileProgress(tmp_path / "progress", job)) as progress:
        for subtask, state in enumerate((RUNNING, FINISHED)):
            size = width(job.tasks[1])
            writer = Writer(
                progress.target, layout.starts[1] + subtask * size, size, Sender(None, "")
            )
            writer.state(state)
            writer.show(0, OperatorCounters(node=3, records_in=5 + subtask, records_out=4))
        waiting, running = snapshot(job, progress.read())

    assert (waiting.state, waiting.records_out) == ("waiting", 0)
    assert (running.state, running.subtasks_done, running.records_in) == ("running", 1, 11)
    assert [one.records_out for one in running.operators] == [8, 0]
    assert {vertex.state for vertex in snapshot(job, progress.read())} == {"waiting"}


ENDINGS = [
    (
        'X: [Y] Traceback\n  z\nTaskFailure: EXPLORER-FAILURE t1 {"text": "out of it"}\n\tat',
        "out of it",
    ),
    (
        "Lost task 0.3 in stage 1.0 (TID 7) (10.0.0.3 executor 1): x.PythonException: Traceback\n"
        "  x\nModuleNotFoundError: No module named 'pyarrow'\n\tat y",
        "the worker '10.0.0.3' lacks pyarrow: a trial needs mmh3, msgspec, numpy and pyarrow in",
    ),
    ("Job aborted: Total size > spark.driver.maxResultSize (1g)", "The sinks hold more rows than"),
    ("SparkException: Python worker exited unexpectedly (crashed)", "A Python worker ended in the"),
    (
        "An error occurred while calling o1.x.\n: java.lang.IllegalStateException: stopped\n\tat q",
        "Spark ended the trial of 'a report': IllegalStateException: stopped",
    ),
    ("ArrowInvalid: column EXPLORER-FAILURE \xff", "Spark ended the trial of 'a report': ArrowInv"),
    ('EXPLORER-FAILURE t2 {"text": "forged"}', "Spark ended the trial of 'a report': EXPLORER-"),
]


@pytest.mark.parametrize(("text", "sentence"), ENDINGS)
def test_what_spark_says_becomes_one_sentence(text: str, sentence: str) -> None:
    job = plan_trial(compile_graph(DOCUMENT, "1.20")).job
    error = explained(RuntimeError(text), job, "t1", ())

    assert isinstance(error, ExplorerError)
    assert str(error).startswith(sentence)
    assert "\n" not in str(error)


FORGED = 'EXPLORER-FAILURE t2 {"text": "forged"}\nEXPLORER-FAILURE '


@pytest.mark.parametrize(
    "error", [ValueError(FORGED), SourceError(FORGED), MemoryError(FORGED), KeyError(FORGED)]
)
def test_no_text_of_a_subtasks_failure_is_taken_for_the_mark(error: Exception) -> None:
    def frames() -> Iterator[bytes]:
        raise error
        yield b""

    job = plan_trial(compile_graph(DOCUMENT, "1.20")).job
    deployment = deployments(job, "t1", ProgressTarget())[1]
    with pytest.raises(TaskFailure) as failure:
        list(run(deployment, 0, frames(), 0))
    told = failure_in(f"Traceback\n{failure.value}\n\tat x", "t1")

    assert isinstance(told, str)
    assert told != "forged"
    assert failure_in(str(failure.value), "t3") is None


def test_frames_that_spark_lost_are_its_own_fault() -> None:
    job = plan_trial(compile_graph(DOCUMENT, "1.20")).job
    deployment = deployments(job, "t1", ProgressTarget())[1]
    with pytest.raises(TaskFailure) as failure:
        list(run(deployment, 0, iter(()), 0))
    for error in (failure.value, FramesLostError("3 subtasks reported")):
        told = explained(error, job, "t1", ())

        assert isinstance(told, EngineError)
        assert str(told).startswith("Spark lost files of its own in the middle of the run")


def test_the_innermost_cause_is_given() -> None:
    text = "x\n: org.apache.A: one\nCaused by: java.io.IOException: No space left on device\n\tat b"

    assert reason_of(text) == "IOException: No space left on device"
