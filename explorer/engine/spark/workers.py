"""A PySpark worker daemon that imports the engine's modules before it forks workers.

Spark starts it as ``spark.python.daemon.module``: ``python -m explorer.engine.spark.workers
pyspark.worker``. Spark's own daemon imports nothing before it forks, so every worker imports all
modules again, and the first subtasks pay for it. PySpark forks before it loads libraries that
start threads; Arrow starts threads too, and handles forks itself.
"""

import gc
import os
import pickle
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Final

from explorer.without_pandas import refuse_pandas

MODULE: Final = "explorer.engine.spark.workers"
"""This module's name, for Spark."""
PRACTICE: Final = "STREAMGRAPH_EXPLORER_PRACTICE"
"""By this variable of the environment the daemon finds a job to practise on: a file's path."""
NEEDED: Final = ("mmh3", "msgspec", "numpy", "pyarrow")
"""Libraries without which no subtask runs."""
LOADED: Final = (
    "pyarrow.csv",
    "pyarrow.json",
    "pyarrow.parquet",
    "pyspark.worker",
    "explorer.engine.task.deployment",
    "explorer.engine.task.local_job",
)
"""Modules that workers import as they go, and those that stand above them."""


def load() -> None:
    """Load what a subtask may need, from Spark and from us."""
    refuse_pandas()
    for name in (*LOADED, *_operators()):
        import_module(name)


def _operators() -> Iterator[str]:
    """Name the modules of all operators: a job names one only when its plan is decoded."""
    package = import_module("explorer.engine.operators")
    for module in iter_modules(package.__path__, f"{package.__name__}."):
        yield module.name


def practise(job: Path) -> None:
    """Run the job that the driver left, so that no first record pays for a library's first call."""
    from explorer.engine.task.local_job import run_job

    # What fails here fails again where it is reported.
    with suppress(Exception):
        run_job(pickle.loads(job.read_bytes()))  # noqa: S301 - the driver's, in its own folder


def main() -> None:
    """Load, practise, and become Spark's daemon."""
    from pyspark import daemon

    load()
    if PRACTICE in os.environ:
        practise(Path(os.environ[PRACTICE]))
    # A worker collects garbage after each task: what is here is none, and need not be looked at.
    gc.collect()
    gc.freeze()
    daemon.manager()


if __name__ == "__main__":
    main()
