"""Progress of a run, from the counters that subtasks publish."""

from array import array
from contextlib import closing
from pathlib import Path

from explorer import compile_graph
from explorer.engine.counters import OperatorCounters
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.report.vertex_progress import skew, snapshot, vertex_state
from explorer.engine.spark.counter_delivery import FileProgress
from explorer.engine.task.published_counters import (
    FINISHED,
    RUNNING,
    Layout,
    Sender,
    Writer,
    width,
)
from tests.engine.report.reported import DOCUMENT


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
    assert (running.state, running.finished_subtasks, running.records_in) == ("running", 1, 11)
    assert [one.records_out for one in running.operators] == [8, 0]
    assert {vertex.state for vertex in snapshot(job, progress.read())} == {"waiting"}


def test_without_counters_every_vertex_waits() -> None:
    job = plan_trial(compile_graph(DOCUMENT, "1.20")).job

    for data in (b"", b"\1" * 8):
        found = snapshot(job, data)
        assert [one.state for one in found] == ["waiting", "waiting"]
        assert [one.records_in for one in found] == [0, 0]
        assert [len(one.subtasks) for one in found] == [2, 2]


def test_a_vertex_adds_up_its_subtasks() -> None:
    job = plan_trial(compile_graph(DOCUMENT, "1.20")).job
    layout, size = Layout(job), width(job.tasks[1])
    numbers = [0] * layout.size
    for subtask in (0, 1):
        start = layout.starts[1] + subtask * size
        numbers[start : start + 9] = [
            FINISHED, 5_000_000, 9_000_000, 10 + subtask, 7, 1_000_000, 7, 6, 2_000_000,
        ]  # fmt: skip
    found = snapshot(job, memoryview(array("q", numbers)).tobytes())[1]

    assert (found.state, found.finished_subtasks, found.records_in) == ("finished", 2, 21)
    assert [(one.records_in, one.records_out, one.operator_ms) for one in found.operators] == [
        (21, 14, 2.0),
        (14, 12, 4.0),
    ]
    times = [(one.begun_ms, one.ended_ms, one.operator_ms) for one in found.subtasks]
    assert times == [(0.0, 4.0, 3.0)] * 2


def test_a_vertex_runs_from_its_first_subtask_to_its_last() -> None:
    assert [vertex_state(states) for states in ([0, 1], [2, 1], [2, 2], [0, 0])] == [
        "running",
        "running",
        "finished",
        "waiting",
    ]


def test_skew_is_how_much_more_the_largest_has() -> None:
    assert [skew(amounts) for amounts in ([1, 1, 4], [0, 0], [5])] == [2.0, 1.0, 1.0]
