"""A trial on a cluster of processes: lost results of an executor are computed again, equally."""

import os
import signal
from functools import cache
from typing import Any

import pytest

from explorer.engine.report.trial_report import TrialReport
from explorer.engine.spark.spark_settings import EXECUTOR_JAVA_OPTIONS, spark_target
from tests.engine.in_process import rows_of, trial
from tests.engine.on_spark import (
    children,
    cluster_java_options,
    java_process,
    start,
    wait_until,
)
from tests.patience import PATIENCE

pytestmark = pytest.mark.spark

MASTER = "local-cluster[2,1,1024]"
SUBTASKS = 4
ROWS = 60_000


def dealt_out_again_and_again() -> dict[str, Any]:
    """A pipeline of round robins, whose channels depend on all earlier records."""
    rows = {"sequence": {"from": 0, "to": ROWS - 1}}
    steps: list[dict[str, Any]] = [{"id": "s", "type": "legacy_source", "rows": rows}]
    for number in range(4):
        last = steps[-1]["id"]
        steps.append({"id": f"r{number}", "type": "rebalance", "inputs": [last]})
        select = {"n": "n", "w": "concat('k', n)" if number == 0 else "concat(w, 'x')"}
        step = {"id": f"m{number}", "type": "map", "inputs": [f"r{number}"], "select": select}
        steps.append(step)
    steps.append({"id": "o", "type": "sink", "inputs": ["m3"]})
    return {"environment": {"parallelism": SUBTASKS}, "transformations": steps}


@cache
def run_here() -> TrialReport:
    """The report of the same job in this process, with which all those of clusters are compared."""
    return trial(dealt_out_again_and_again())


def run_and_kill(vertex: int) -> TrialReport:
    """Run, and kill an executor as soon as some of a vertex's subtasks have finished."""
    target = spark_target(MASTER, {EXECUTOR_JAVA_OPTIONS: cluster_java_options()})
    running = start(dealt_out_again_and_again(), limit=None, target=target)
    wait_until(lambda: bool(running.progress().vertices[vertex].subtasks_done))
    os.kill(children(java_process(), b"CoarseGrainedExecutorBackend")[0], signal.SIGKILL)

    assert running.wait(PATIENCE)
    assert running.report is not None, running.error
    return running.report


@pytest.mark.parametrize("vertex", [3, 4])
def test_rows_are_the_same_after_an_executor_was_lost(vertex: int) -> None:
    here, there = run_here(), run_and_kill(vertex)
    found, wanted = (
        [one.subtask_records_in for one in report.vertices] for report in (there, here)
    )

    assert rows_of(there) == rows_of(here)
    assert len(rows_of(there)["o"]) == ROWS
    assert found == wanted
