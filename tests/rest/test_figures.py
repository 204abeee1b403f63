"""Figures of a task: what a cluster answers of its subtasks, its load and its operators."""

from collections.abc import Mapping

import pytest

from explorer.model.run_figures import OperatorFigures, TaskFigures
from explorer.model.running_job import RunningOperator, RunningTask
from explorer.model.stream_graph import NodeId
from explorer.rest.answers import Cluster
from explorer.rest.figures import metric_names, operator_names, task_figures
from tests.rest.listening import answering

PATH = "/jobs/a/vertices/b"
IO = {
    "read-bytes": 10,
    "write-bytes": 20,
    "read-records": 1,
    "write-records": 2,
    "accumulated-busy-time": 3.6,
    "accumulated-idle-time": 5,
}
SUBTASKS = {
    "subtasks": [
        {"subtask": 0, "status": "RUNNING", "metrics": IO},
        {"subtask": 1, "status": "FINISHED"},
    ]
}


def task(*names: str) -> RunningTask:
    operators = tuple(
        RunningOperator(node=NodeId(turn), name=name) for turn, name in enumerate(names, start=1)
    )
    return RunningTask(id="b", name="task", parallelism=2, operators=operators)


def figures(
    *names: str,
    metrics: tuple[str, ...] = (),
    lively: bool = False,
    answers: Mapping[str, object] | None = None,
) -> tuple[TaskFigures, list[str]]:
    """The figures of a task with operators of these names, and what the cluster was asked for."""
    whole = {PATH: SUBTASKS, **{f"{PATH}/{path}": one for path, one in (answers or {}).items()}}
    with answering(whole) as (address, asked):
        cluster = Cluster(address, timeout=5)
        found = task_figures(cluster, PATH, task(*names), "RUNNING", metrics, lively=lively)
    return found, asked


def test_counts_stand_by_subtask_and_one_without_metrics_has_none() -> None:
    first, second = figures()[0].subtasks

    assert (first.bytes_in, first.bytes_out, first.records_in, first.records_out) == (10, 20, 1, 2)
    assert (first.busy_ms, first.idle_ms, first.back_pressured_ms) == (4, 5, None)
    assert (second.state, second.records_in, second.busy_ms) == ("FINISHED", 0, None)


def test_load_is_asked_for_where_the_job_is_lively() -> None:
    load = {"subtasks": [{"subtask": 0, "ratio": 0.1, "idleRatio": 0.2, "busyRatio": "NaN"}]}
    found, asked = figures(lively=True, answers={"backpressure": load})
    first, second = found.subtasks

    assert asked == [PATH, f"{PATH}/backpressure"]
    assert (first.back_pressured, first.idle, first.busy) == (0.1, 0.2, None)
    assert (second.back_pressured, second.idle, second.busy) == (None, None, None)


def test_a_cluster_without_load_leaves_it_out() -> None:
    assert {one.busy for one in figures(lively=True)[0].subtasks} == {None}


def test_operators_have_the_counts_under_their_own_names() -> None:
    names = ("Sink: a", "twice", "twice")
    metrics = ("Sink__a.numRecordsIn", "twice.numRecordsIn")
    get = "Sink__a.numRecordsIn%2CSink__a.numRecordsOut"
    sums = [{"id": "Sink__a.numRecordsIn", "sum": 7.0}, {"id": "Sink__a.numRecordsOut", "sum": 5}]
    found, _ = figures(
        *names, metrics=metrics, answers={f"subtasks/metrics?get={get}&agg=sum": sums}
    )

    assert found.operators == (OperatorFigures(node=NodeId(1), records_in=7, records_out=5),)


@pytest.mark.parametrize("value", [None, "NaN"])
def test_an_operator_with_half_of_its_counts_has_none(value: object) -> None:
    get = "a.numRecordsIn%2Ca.numRecordsOut"
    sums = [{"id": "a.numRecordsIn", "sum": 7}, {"id": "a.numRecordsOut", "sum": value}]
    found, _ = figures(
        "a", metrics=("a.numRecordsIn",), answers={f"subtasks/metrics?get={get}&agg=sum": sums}
    )

    assert found.operators == ()


def test_names_of_metrics_are_split_into_requests_that_flink_accepts() -> None:
    names = [f"{turn:03}{'x' * 60}" for turn in range(60)]
    _, asked = figures(*names, metrics=tuple(f"{name}.numRecordsIn" for name in names))

    requests = [path for path in asked if "?get=" in path]
    assert len(requests) > 1
    assert max(map(len, requests)) < 4096
    assert sum(path.count(".numRecordsIn") for path in requests) == 60


def test_operators_are_those_that_read_records() -> None:
    metrics = ["numRecordsIn", "a.numRecordsIn", "a.numRecordsOut", "b.c.numRecordsIn"]

    assert operator_names(metrics) == ["a", "b.c"]


def test_an_ended_job_has_no_metrics() -> None:
    with answering({f"{PATH}/subtasks/metrics": [{"id": "x"}]}) as (address, _):
        cluster = Cluster(address, timeout=5)

        assert metric_names(cluster, PATH) == ("x",)
        assert metric_names(cluster, "/jobs/a/vertices/c") == ()
