"""What Spark forks its workers from has loaded all that they need: no record pays for it."""

import json
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from explorer import compile_graph
from explorer.documents import samples
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.spark.practice import practice_job
from explorer.engine.spark.workers import PRACTICE
from explorer.locations import sample_folder
from tests.engine.on_spark import spark_home

SOURCE = """
import json, os, pickle, sys
from pathlib import Path
from pyspark import daemon
from explorer.engine.spark import workers

def forked():
    from explorer.engine.task.local_job import run_job
    before = set(sys.modules)
    frames = [len(run_job(job)) for job in pickle.loads(Path(sys.argv[1]).read_bytes())]
    print(json.dumps([frames, sorted(set(sys.modules) - before), "pandas" in sys.modules]))

daemon.manager = forked
workers.main()
"""
"""It goes as far as Spark's own daemon would begin, and does there what a worker does."""


@pytest.mark.process
def test_a_worker_loads_nothing_more_whatever_the_samples_do(tmp_path: Path) -> None:
    practice, jobs = tmp_path / "practice", tmp_path / "jobs"
    practice.write_bytes(pickle.dumps(practice_job()))
    planned = [
        plan_trial(compile_graph(sample.path), data_dir=sample_folder() / "data").job
        for sample in samples()
    ]
    jobs.write_bytes(pickle.dumps(planned))
    done = subprocess.run(
        [sys.executable, "-c", SOURCE, jobs],
        env=os.environ | {PRACTICE: str(practice)},
        capture_output=True,
        text=True,
        check=True,
    )
    frames, loaded, with_pandas = json.loads(done.stdout)

    assert len(frames) == len(planned) > 10
    assert all(frames)
    assert [name for name in loaded if name.startswith(("explorer", "numpy", "pyarrow"))] == []
    assert not with_pandas


PYSPARK = """
import sys
from importlib.util import find_spec
from explorer.engine.spark.workers import prefer_unpacked_pyspark

prefer_unpacked_pyspark()
print(find_spec("pyspark").origin, sum("pyspark.zip" in path for path in sys.path_importer_cache))
"""
"""Prints where a daemon imports PySpark from, and whether its workers read the archive again."""


def pyspark_of_a_daemon(home: Path) -> list[str]:
    archives = map(str, (home / "python/lib").glob("*.zip"))
    environ = os.environ | {"SPARK_HOME": str(home), "PYTHONPATH": os.pathsep.join(archives)}
    command = [sys.executable, "-c", PYSPARK]
    printed = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    return printed.stdout.split()


@pytest.mark.process
def test_pyspark_is_compiled_anew_only_where_it_is_not_the_installed_one(tmp_path: Path) -> None:
    shutil.copytree(spark_home() / "python/lib", tmp_path / "python/lib")
    archive = tmp_path / "python/lib/pyspark.zip"
    file, reads = pyspark_of_a_daemon(spark_home())

    assert (Path(file).resolve(), reads) == ((spark_home() / "__init__.py").resolve(), "0")
    assert pyspark_of_a_daemon(tmp_path) == [str(archive / "pyspark/__init__.py"), "1"]
