"""What the tests of trials on Spark share: small jobs, patience, processes and their options.

As a program it runs a trial that leaves the archive of Spark's classes, where there is none yet.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from explorer import compile_graph
from explorer.engine.spark.class_archive import archive_file, is_complete
from explorer.engine.spark.engine import Engine
from explorer.engine.spark.queue import QUEUE
from explorer.engine.spark.trial_runs import Trial
from explorer.engine.starting import run_trial, start_trial
from tests.engine.child_processes import child_processes
from tests.patience import PATIENCE
from tests.quick_java import QUICK


def numbers(last: int = 99, *, first: str = "n", second: str = "n") -> dict[str, Any]:
    """Two tasks of two subtasks each: a source with a map, and a map with a sink."""
    rows = {"sequence": {"from": 0, "to": last}}
    return {
        "environment": {"parallelism": 2},
        "transformations": [
            {"id": "s", "type": "legacy_source", "rows": rows},
            {"id": "m", "type": "map", "inputs": ["s"], "select": {"n": first}},
            {"id": "r", "type": "rebalance", "inputs": ["m"]},
            {"id": "f", "type": "map", "inputs": ["r"], "name": "second", "select": {"n": second}},
            {"id": "o", "type": "sink", "inputs": ["f"]},
        ],
    }


ENDLESS = numbers(10**15)


def spark_home() -> Path:
    """The folder with Spark's programs and jars."""
    from pyspark.find_spark_home import _find_spark_home

    return Path(_find_spark_home())


def class_archive() -> Path:
    """The class data sharing archive that an earlier driver left, or the next one leaves."""
    return archive_file(spark_home() / "jars")


def java_options() -> str:
    """Java's options for a process of Spark that ends soon.

    They name the archive of an earlier driver, where it is complete.
    """
    archive = class_archive()
    shared = [f"-XX:SharedArchiveFile={archive}"] if is_complete(archive) else []
    return " ".join((*QUICK, *shared))


def start(document: dict[str, Any], **options: Any) -> Trial:
    return start_trial(compile_graph(document, "1.20"), **options)


def wait_until(happens: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.005)


def runs_on(trial: Trial) -> bool:
    """Whether some records have come out of the source."""
    assert trial.state in ("waiting", "starting", "running"), trial.error
    return bool(trial.progress().vertices[0].operators[0].records_out)


def assert_usable() -> None:
    """The next trial runs as if nothing had been."""
    assert run_trial(numbers()).sinks["o"].rows == 100


def engine() -> Engine:
    """The engine that is there."""
    assert QUEUE._engine is not None
    return QUEUE._engine


def java_process() -> int:
    pid: int = engine()._context._gateway.proc.pid
    return pid


def children(parent: int, word: bytes) -> list[int]:
    """The processes that a process started with this word in their command, the first one first."""
    return [pid for pid in sorted(child_processes(parent)) if word in _command(pid)]


def _command(process: int) -> bytes:
    """Nothing for one that is gone by now: some, as ``java -version``, live for a moment."""
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes()
    return b""


if __name__ == "__main__":
    if not is_complete(class_archive()):
        run_trial(numbers())
