"""The first trial of a process beside the shortest Spark job that reads, counts and writes."""

import ctypes
import os
import resource
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple

from benchmarks.trial.pipelines import write_lines
from explorer.engine.spark.spark_settings import SETTINGS

LINES: Final = 1_000
SECONDS: Final = 300
_SUBREAPER: Final = 36
"""``PR_SET_CHILD_SUBREAPER``: a JVM that outlives its Python is waited for, and its time counts."""
DOCUMENT: Final[dict[str, Any]] = {
    "environment": {"parallelism": 2},
    "transformations": [
        {"id": "lines", "type": "source", "rows": {"path": "lines.txt", "format": "text"}},
        {"id": "ones", "type": "map", "inputs": ["lines"], "select": {"line": "line", "n": "1"}},
        {"id": "by", "type": "key_by", "inputs": ["ones"], "keys": ["line"]},
        {"id": "count", "type": "reduce", "inputs": ["by"], "aggregate": {"n": "sum(n)"}},
        {
            "id": "out",
            "type": "sink",
            "inputs": ["count"],
            "write": {"path": "out", "format": "csv"},
        },
    ],
}


class Cost(NamedTuple):
    """Seconds of a process with all that it starts."""

    elapsed: float
    cpu: float


def trial(folder: Path) -> None:
    """Run the document, the first trial of this process."""
    import explorer

    explorer.run_trial(DOCUMENT, data_dir=folder, output_dir=folder / "trial", collect=False)


def spark_job(folder: Path) -> None:
    """Start a session with all of a trial's settings, count the same lines and write the counts."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    counts = builder.getOrCreate().read.text(str(folder / "lines.txt")).groupBy("value").count()
    counts.write.mode("overwrite").csv(str(folder / "spark"))


_JOBS: Final = {"bare Spark job": spark_job, "first trial": trial}


def compare_first(rounds: int) -> None:
    """Let both take turns; print the least seconds of each, and their ratios to the first."""
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    costs: dict[str, list[Cost]] = {name: [] for name in _JOBS}
    with tempfile.TemporaryDirectory() as folder:
        write_lines(Path(folder, "lines.txt"), LINES)
        for _ in range(rounds):
            for name in _JOBS:
                costs[name].append(_cost(name, folder))
    print(f"{'process':<16}{'elapsed, s':>11}{'ratio':>7}{'CPU, s':>8}{'ratio':>7}")
    least = {name: Cost(*map(min, zip(*values, strict=True))) for name, values in costs.items()}
    spark = next(iter(least.values()))
    for name, cost in least.items():
        elapsed, cpu = cost.elapsed / spark.elapsed, cost.cpu / spark.cpu
        print(f"{name:<16}{cost.elapsed:>11.2f}{elapsed:>7.2f}{cost.cpu:>8.2f}{cpu:>7.2f}")


def _cost(name: str, folder: str) -> Cost:
    """The cost of one job in a process of its own; a hanging one ends the benchmark."""
    signal.alarm(SECONDS)
    before, start = _cpu_of_children(), perf_counter()
    command = [sys.executable, "-m", __name__, name, folder]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    elapsed = perf_counter() - start
    try:
        while True:
            os.wait()
    except ChildProcessError:
        signal.alarm(0)
        return Cost(elapsed, _cpu_of_children() - before)


def _cpu_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    _JOBS[sys.argv[1]](Path(sys.argv[2]))
