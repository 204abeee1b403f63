"""A trial on a cluster of processes: what an executor takes with it is made again, the same."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from explorer import compile_graph
from explorer.trial import TrialReport, start_trial
from explorer.trial.queue import QUEUE
from tests.trial.in_process import rows_of, trial

pytestmark = pytest.mark.spark

MASTER = "local-cluster[2,1,1024]"
PATIENCE = 600.0
SUBTASKS = 4
ROWS = 60_000


def dealt_out_again_and_again() -> dict[str, Any]:
    """Whom a round robin deals a record to depends on all that came before it."""
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


def executors() -> Iterator[int]:
    """The processes of the engine's executors."""
    assert QUEUE._engine is not None
    java = QUEUE._engine._context._gateway.proc.pid
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if parent == java and b"CoarseGrainedExecutorBackend" in command:
            yield int(folder.name)


def run_and_kill(vertex: int) -> TrialReport:
    """Run, and end an executor as soon as some of a vertex's subtasks are done."""
    compiled = compile_graph(dealt_out_again_and_again(), "1.20")
    running = start_trial(compiled, limit=None, master=MASTER)
    deadline = time.monotonic() + PATIENCE
    while not running.progress().vertices[vertex].subtasks_done:
        assert time.monotonic() < deadline, "it did not come to this vertex"
        assert not running.wait(0.005), running.error
    os.kill(min(executors()), signal.SIGKILL)

    assert running.wait(PATIENCE)
    assert running.report is not None, running.error
    return running.report


@pytest.mark.parametrize("vertex", [3, 4])
def test_rows_are_the_same_after_an_executor_was_lost(vertex: int) -> None:
    here, there = trial(dealt_out_again_and_again()), run_and_kill(vertex)
    found, wanted = (
        [one.subtask_records_in for one in report.vertices] for report in (there, here)
    )

    assert rows_of(there) == rows_of(here)
    assert len(rows_of(there)["o"]) == ROWS
    assert found == wanted
