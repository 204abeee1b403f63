"""A PySpark worker daemon that imports the engine's modules before it forks workers.

Spark starts it as ``spark.python.daemon.module``: ``python -m explorer.engine.spark.workers
pyspark.worker``. Spark's own daemon imports nothing before it forks, so every worker imports all
modules again, and the first subtasks pay for it. PySpark forks before it loads libraries that
start threads; Arrow starts threads too, and handles forks itself.
"""

import gc
import os
import pickle
import sys
from contextlib import suppress
from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path
from pkgutil import iter_modules
from typing import Final

from explorer.without_pandas import refuse_pandas

MODULE: Final = "explorer.engine.spark.workers"
"""This module's name, for Spark."""
PRACTICE: Final = "STREAMGRAPH_EXPLORER_PRACTICE"
"""The environment variable with the path of a job for the daemon to practise on."""
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
"""Modules that workers import during a task, directly or indirectly."""
PACKAGES: Final = (
    "explorer.engine.operators",
    "explorer.engine.rows.sources",
    "explorer.engine.steps",
)
"""Packages with modules that a task imports by its operators, steps and files."""


def prefer_unpacked_pyspark() -> None:
    """Search no archive of Spark's folder if PySpark and Py4J are on the path unpacked, too.

    Spark names its archives first. They have only sources, which each daemon would compile, and
    each worker reads their tables of contents again.
    """
    if "SPARK_HOME" not in os.environ:
        return
    home = Path(os.environ["SPARK_HOME"]).resolve()
    files = filter(os.path.isfile, sys.path)
    archives = [path for path in files if Path(path).resolve().is_relative_to(home)]
    others = [path for path in sys.path if path not in archives]
    pyspark, py4j = (PathFinder.find_spec(name, others) for name in ("pyspark", "py4j"))
    # Another PySpark may be of another version than Spark's Java classes.
    if py4j and pyspark and Path(str(pyspark.origin)).resolve().is_relative_to(home):
        sys.path[:] = others
        for path in archives:
            sys.path_importer_cache.pop(path, None)


def load() -> None:
    """Import all modules that a subtask may need: every operator's, file format's and step's."""
    refuse_pandas()
    for name in LOADED:
        import_module(name)
    for package in map(import_module, PACKAGES):
        for module in iter_modules(package.__path__, f"{package.__name__}."):
            import_module(module.name)


def practise(job: Path) -> None:
    """Run the driver's practice job, so that the first record does not wait for first calls."""
    from explorer.engine.task.local_job import run_job

    # A failure recurs in a trial, which reports it.
    with suppress(Exception):
        run_job(pickle.loads(job.read_bytes()))  # noqa: S301 - the driver's, in its own folder


def main() -> None:
    """Load, practise, and become Spark's daemon."""
    prefer_unpacked_pyspark()
    from pyspark import daemon

    load()
    if PRACTICE in os.environ:
        practise(Path(os.environ[PRACTICE]))
    # A worker collects garbage after each task, which need not traverse these modules.
    gc.collect()
    gc.freeze()
    daemon.manager()


if __name__ == "__main__":
    main()
