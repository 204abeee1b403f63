"""How much a worker's process may take."""

import subprocess
import sys

import pytest

GIB = 1 << 30


def ends_with(code: str) -> str:
    """The last line that a process writes which limits itself, as a worker does."""
    program = f"from explorer.engine.task.deployment import limit_memory; {code}"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    return (ran.stdout + ran.stderr).rstrip().rpartition("\n")[2]


@pytest.mark.process
def test_a_worker_that_takes_too_much_runs_out_of_memory() -> None:
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
