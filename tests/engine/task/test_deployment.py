"""Limits of a worker's memory, and the failures that a subtask reports."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from explorer import compile_graph
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.rows.errors import SourceError
from explorer.engine.task.deployment import TaskFailure, deployments, failure_in, run
from explorer.engine.task.published_counters import ProgressTarget
from tests.engine.report.reported import DOCUMENT
from tests.many_cases import for_each

GIB = 1 << 30


def ends_with(code: str) -> str:
    """The last line of a process that limits its memory like a worker."""
    program = f"from explorer.engine.task.deployment import limit_memory; {code}"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    return (ran.stdout + ran.stderr).rstrip().rpartition("\n")[2]


@pytest.mark.process
def test_a_worker_that_needs_too_much_runs_out_of_memory() -> None:
    # Arrow has mapped some already when the limit is set, so the room is far more than that.
    assert ends_with(f"limit_memory({6 * GIB}); bytearray({7 * GIB})") == "MemoryError"


@pytest.mark.process
@pytest.mark.parametrize(("asked", "limit"), [(5 * GIB, 4 * GIB), (4 * GIB, 4 * GIB)])
def test_a_tighter_limit_stays(asked: int, limit: int) -> None:
    code = f"limit_memory({limit}); limit_memory({asked}); import resource; "
    code += "print(resource.getrlimit(resource.RLIMIT_AS)[0])"

    assert ends_with(code) == str(limit)


@pytest.mark.process
def test_the_collector_skips_the_modules_of_a_worker() -> None:
    code = "import gc; d.freeze_modules(); found = len(gc.get_objects()); "
    code += "kept = gc.get_freeze_count(); d.freeze_modules(); "
    code += "print(found < 1000 < kept == gc.get_freeze_count())"

    assert ends_with(f"import explorer.engine.task.deployment as d; {code}") == "True"


FORGED = 'EXPLORER-FAILURE t2 {"text": "forged"}\nEXPLORER-FAILURE '


@for_each("error", [ValueError(FORGED), SourceError(FORGED), MemoryError(FORGED), KeyError(FORGED)])
def test_no_text_of_a_subtasks_failure_is_read_as_the_mark(error: Exception) -> None:
    def frames() -> Iterator[bytes]:
        raise error
        yield b""

    job = plan_trial(compile_graph(DOCUMENT, "1.20")).job
    deployment = deployments(job, "t1", ProgressTarget())[1]
    with pytest.raises(TaskFailure) as failure:
        list(run(deployment, 0, frames(), 0))
    reported = failure_in(f"Traceback\n{failure.value}\n\tat x", "t1")

    assert isinstance(reported, str)
    assert reported != "forged"
    assert failure_in(str(failure.value), "t3") is None
