"""Progress from other machines: datagrams while a subtask runs, an accumulator when it ends."""

import socket
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from typing import Any, cast

import pytest

from explorer import compile_graph
from explorer.engine import plan
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.report.vertex_progress import snapshot
from explorer.engine.spark.counter_delivery import ClusterProgress, LatestCounters
from explorer.engine.task.deployment import deployments, run
from explorer.engine.task.published_counters import WIDTH, Sender, seal_datagram
from explorer.model.run_figures import TaskFigures
from tests.engine.on_spark import numbers, wait_until

RUN = "trial-of-a-test"


@pytest.fixture
def job() -> plan.Job:
    return plan_trial(compile_graph(numbers(), "1.20")).job


@pytest.fixture
def progress(job: plan.Job) -> Iterator[ClusterProgress]:
    from pyspark import SparkConf
    from pyspark.accumulators import Accumulator

    counters: Any = Accumulator(-1, {}, cast("Any", LatestCounters()))
    conf = SparkConf(loadDefaults=False).set("spark.driver.host", "127.0.0.1")
    with closing(ClusterProgress(conf, counters, job, RUN)) as made:
        yield made


def first_task(progress: ClusterProgress, job: plan.Job, subtask: int) -> Generator[bytes]:
    deployment = deployments(job, RUN, progress.target)[0]
    yield from run(deployment, subtask, iter(()), 0, progress.finished())


def vertex(progress: ClusterProgress, job: plan.Job) -> TaskFigures:
    return snapshot(job, progress.read())[0]


def test_a_running_subtask_reports_by_datagrams(progress: ClusterProgress, job: plan.Job) -> None:
    frames = first_task(progress, job, 1)
    next(frames)
    wait_until(lambda: vertex(progress, job).state == "running")

    assert [one.state for one in vertex(progress, job).subtasks] == ["waiting", "running"]
    frames.close()


def test_a_finished_subtask_reports_without_datagrams(
    progress: ClusterProgress, job: plan.Job
) -> None:
    progress.target = type(progress.target)()
    for _ in range(2):  # as after a lost executor
        list(first_task(progress, job, 0))
    found = vertex(progress, job)

    assert (found.finished_subtasks, found.records_out) == (1, 50)
    assert [one.records_out for one in found.operators] == [50, 50]


def test_datagrams_of_others_change_nothing(progress: ClusterProgress, job: plan.Job) -> None:
    address = progress.target.address
    assert address is not None
    numbers = bytes([1]) * WIDTH
    sent = [
        b"",
        b"x" * 100,
        seal_datagram("another run", 0, numbers),
        seal_datagram(RUN, -1, numbers),
    ]
    sent += [
        seal_datagram(RUN, 10**15, numbers),
        seal_datagram(RUN, 0, bytes(60_000)),
        seal_datagram(RUN, 0, b""),
    ]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        for datagram in sent:
            other.sendto(datagram, address)
    found = snapshot(job, progress.read())

    assert {one.state for one in found} == {"waiting"}


def test_a_driver_that_no_name_leads_to_gets_no_datagrams() -> None:
    with closing(Sender(("no such host", 1), RUN)) as sender:
        sender.send(0, b"")
        assert not sender.is_open


def test_the_latest_counters_of_a_subtask_count() -> None:
    merged: Mapping[str, Mapping[int, bytes]] = LatestCounters().addInPlace(
        {"a": {0: b"1", 3: b"2"}}, {"a": {0: b"4"}, "b": {}}
    )

    assert merged == {"a": {0: b"4", 3: b"2"}, "b": {}}
