"""A trial on a standalone cluster: the figures of this process, whatever becomes of its own."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from socket import gethostname
from time import sleep
from typing import Any
from zipfile import ZipFile

import pytest

from explorer.cli.main import main
from explorer.engine.report.trial_report import TrialReport
from explorer.engine.spark import executors as spark_executors
from explorer.engine.spark.packing import FOLDER
from explorer.engine.spark.spark_settings import (
    EXECUTOR_JAVA_OPTIONS,
    SETTINGS,
    SparkTarget,
    spark_target,
)
from explorer.engine.spark.trial_runs import Trial
from explorer.engine.spark.workers import NEEDED
from explorer.engine.starting import run_trial
from explorer.engine.steps.planned import OutputFolder
from explorer.errors import TrialError
from tests.engine.in_process import counts_of, rows_of, trial
from tests.engine.on_spark import (
    ENDLESS,
    engine,
    java_options,
    runs_on,
    start,
    wait_until,
)
from tests.engine.standalone import Cluster, standalone
from tests.journeys.conftest import free_port, wait_for_health
from tests.patience import PATIENCE
from tests.visitors import Visitor

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("standalone")]

EAGER = {
    "spark.speculation": "true",
    "spark.speculation.interval": "50ms",
    "spark.speculation.quantile": "0.5",
    "spark.speculation.multiplier": "1.1",
    "spark.speculation.minTaskRuntime": "50ms",
}
"""A task that runs longer than others is begun on the other host, too; the first to end counts."""
WITHOUT_ARCHIVES = ("spark.executorEnv.SPARK_HOME", "/none")
"""Executors import their Python's PySpark and do not compile the archive of Spark's folder."""
NOTHING: Mapping[str, str] = {}

DYNAMIC = {
    "spark.dynamicAllocation.enabled": "true",
    "spark.dynamicAllocation.executorIdleTimeout": "3s",
}
"""Executors come with the tasks that wait, and go when they have none."""
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


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """The cluster, and a first trial of it, so that its executors are there."""
    with pytest.MonkeyPatch.context() as patch, standalone(tmp_path_factory.mktemp("spark")) as up:
        for name, value in EAGER.items():
            patch.setitem(SETTINGS, name, value)
        java = f"{SETTINGS[EXECUTOR_JAVA_OPTIONS]} {java_options()}"
        patch.setitem(SETTINGS, EXECUTOR_JAVA_OPTIONS, java)
        patch.setitem(SETTINGS, *WITHOUT_ARCHIVES)
        patch.setattr(spark_executors, "REGISTRATION", PATIENCE)
        patch.setattr(spark_executors, "PATIENCE", PATIENCE)
        assert_exact(run(up))
        yield up
        # The next trial starts an engine of its own.
        engine().close()


def begin(cluster: Cluster, conf: Mapping[str, str] = NOTHING) -> Trial:
    """Start a trial with a sink that writes, as each attempt at a subtask then does."""
    document = dealt_out_again_and_again()
    document["transformations"][-1]["write"] = {"path": "out", "format": "jsonl"}
    output = OutputFolder(path=cluster.folder / "written")
    return start(document, limit=None, target=spark_target(cluster.master, conf), output=output)


def run(cluster: Cluster) -> TrialReport:
    return ended(begin(cluster))


def done_in(running: Trial, vertex: int) -> bool:
    """Whether some subtasks of a vertex have finished."""
    assert running.state in ("waiting", "starting", "running"), running.error
    return running.progress().vertices[vertex].finished_subtasks > 0


def ended(running: Trial) -> TrialReport:
    assert running.wait(PATIENCE)
    assert running.report is not None, running.error
    return running.report


def assert_exact(found: TrialReport) -> None:
    """The same rows and the same figures as in this process."""
    here = run_here()
    assert rows_of(found) == rows_of(here)
    assert len(rows_of(found)["o"]) == ROWS
    assert written(found) == rows_of(here)["o"]
    for there, wanted in zip(found.vertices, here.vertices, strict=True):
        assert counts_of(there) == counts_of(wanted)


def written(found: TrialReport) -> Counter[str]:
    """What a source reads of the sink's folder, beside which no part in progress is left."""
    folder = found.sinks["o"].written
    assert folder is not None
    path = Path(folder.path)
    assert [one.name for one in path.parent.iterdir()] == ["out"]
    read = {"path": "out", "format": "jsonl", "schema": "n LONG, w STRING"}
    source = {"id": "s", "type": "source", "rows": read}
    sink = {"id": "o", "type": "sink", "inputs": ["s"]}
    return rows_of(trial({"transformations": [source, sink]}, path.parent))["o"]


def test_sources_and_sinks_accept_urls_that_every_worker_reaches(cluster: Cluster) -> None:
    lines = "".join(f"{'abc'[n % 3]},{n}\n" for n in range(3000))
    (cluster.folder / "in.csv").write_text(f"w,n\n{lines}")
    document: dict[str, Any] = {
        "environment": {"parallelism": 3},
        "transformations": [
            {"id": "s", "type": "source", "rows": {"path": "in.csv", "format": "csv"}},
            {"id": "k", "type": "key_by", "inputs": ["s"], "keys": ["w"]},
            {"id": "r", "type": "reduce", "inputs": ["k"], "aggregate": {"n": "sum(n)"}},
            {"id": "o", "type": "sink", "inputs": ["r"]},
        ],
    }
    here = trial(document, cluster.folder)
    base = f"file://{cluster.folder}"
    document["transformations"][0]["rows"]["path"] = f"{base}/in.csv"
    document["transformations"][-1]["write"] = {"path": f"{base}/by-url/out", "format": "jsonl"}
    found = run_trial(document, master=cluster.master, output_dir=cluster.folder)

    assert rows_of(found) == rows_of(here)
    for there, wanted in zip(found.vertices, here.vertices, strict=True):
        assert counts_of(there) == counts_of(wanted)
    folder = found.sinks["o"].written
    assert folder is not None
    assert folder.path == str(cluster.folder / "by-url/out")
    assert sum(one.rows for one in folder.files) == 3000


def test_workers_import_bytecode_of_the_shipped_package_beside_its_sources(
    cluster: Cluster,
) -> None:
    assert cluster.executors()
    context, name = engine()._context, "explorer.engine.task.deployment"
    files = context.parallelize([0], 1).map(lambda _: import_module(name).__file__).collect()
    with ZipFile(engine().folder / "explorer.zip") as archive:
        shipped = set(archive.namelist())
    bytecode = {name for name in shipped if name.endswith(".pyc")}

    assert files[0].endswith("explorer.zip/explorer/engine/task/deployment.pyc")
    assert {name.removesuffix("c") for name in bytecode} < shipped - bytecode


def test_running_subtasks_on_other_hosts_report_their_records(cluster: Cluster) -> None:
    running = start(ENDLESS, collect=False, target=SparkTarget(master=cluster.master))
    try:
        wait_until(lambda: runs_on(running))
        source, map_task = running.progress().vertices
        # Other hosts report in an accumulator: a file would lie on their own disks.
        files_meanwhile = list(engine().folder.glob("*.progress"))
    finally:
        running.cancel()
    assert running.wait(PATIENCE)

    assert (source.state, source.finished_subtasks) == ("running", 0)
    assert map_task.state == "waiting"
    assert files_meanwhile == list(engine().folder.glob("*.progress")) == []


def stages() -> list[Any]:
    """What Spark reports of all stages so far."""
    context = engine()._context
    jvm, none = context._jvm, context._jvm.java.util.Collections.emptyList()
    quantiles = context._gateway.new_array(jvm.double, 0)
    listed = context._jsc.sc().statusStore().stageList(none, *(False, False), quantiles, none)
    return list(jvm.scala.jdk.javaapi.CollectionConverters.asJava(listed))


def speculative_tasks() -> int:
    """How many tasks of all stages so far were speculative."""
    context = engine()._context
    store, converters = context._jsc.sc().statusStore(), context._jvm.scala.jdk.javaapi
    return sum(
        bool(task.speculative())
        for stage in stages()
        for task in converters.CollectionConverters.asJava(
            store.taskList(stage.stageId(), stage.attemptId(), 1000)
        )
    )


def failed_tasks() -> int:
    """How many tasks of all stages so far have failed."""
    return sum(stage.numFailedTasks() for stage in stages())


def test_a_task_that_hangs_is_overtaken_by_a_speculative_copy(cluster: Cluster) -> None:
    running = begin(cluster)
    first = cluster.executors()[0]
    wait_until(lambda: bool(cluster.python_workers(first)))
    for worker in cluster.python_workers(first):
        os.kill(worker, signal.SIGSTOP)
    found = ended(running)

    assert speculative_tasks() > 0
    assert_exact(found)


def signal_workers(cluster: Cluster, kind: signal.Signals) -> None:
    for executor in cluster.executors():
        for worker in cluster.python_workers(executor):
            os.kill(worker, kind)


def hold(cluster: Cluster) -> int:
    """Stop all workers; how many tasks run, which Spark reports a moment late."""
    signal_workers(cluster, signal.SIGSTOP)
    return sum(stage.numActiveTasks() for stage in stages())


def test_a_python_worker_that_is_killed_in_mid_task_is_replaced(cluster: Cluster) -> None:
    before = failed_tasks() if cluster.executors() else 0
    running = begin(cluster)
    wait_until(lambda: done_in(running, 1))
    while failed_tasks() == before:
        # Stopped first: a worker that waits for work gets some, and has it when it is killed. Of
        # the two tasks one may have ended, which Spark reports late.
        wait_until(lambda: hold(cluster) > 0)
        sleep(0.5)
        wait_until(lambda: hold(cluster) > 0)
        signal_workers(cluster, signal.SIGKILL)
        sleep(1)
    found = ended(running)

    assert failed_tasks() > before
    assert_exact(found)


def test_shuffle_files_that_are_lost_are_made_again(cluster: Cluster) -> None:
    running = begin(cluster)
    wait_until(lambda: done_in(running, 2))
    lost = cluster.shuffle_files()
    for file in lost:
        file.unlink(missing_ok=True)
    found = ended(running)

    assert lost
    assert_exact(found)


def test_results_that_are_lost_with_an_executor_are_computed_again(cluster: Cluster) -> None:
    for vertex in (3, 4):
        running = begin(cluster)
        wait_until(lambda: done_in(running, vertex))  # noqa: B023 - called at once
        os.kill(cluster.executors()[0], signal.SIGKILL)

        assert_exact(ended(running))


def test_a_library_that_executors_lack_is_named_before_anything_runs(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cluster.executors()
    monkeypatch.setattr(spark_executors, "NEEDED", ("msgspec", "no_such_library", "pyarrow"))
    with pytest.raises(TrialError) as refusal:
        spark_executors.check_libraries(engine()._context)

    assert re.fullmatch(
        rf"the worker '\S+' of '{cluster.master}' lacks no_such_library: a trial needs msgspec, "
        "no_such_library and pyarrow in the Python of every worker; install them there, or ship "
        "an environment with spark.archives",
        str(refusal.value),
    )
    named = {host.name for host in cluster.hosts if host.is_isolated} or {gethostname()}
    assert any(f"'{name}'" in str(refusal.value) for name in named)


def test_a_worker_without_the_named_python_is_named(cluster: Cluster) -> None:
    context = engine()._context
    python, context.pythonExec = context.pythonExec, "/no/such/python"
    try:
        with pytest.raises(TrialError) as refusal:
            spark_executors.check_libraries(context)
    finally:
        context.pythonExec = python

    addresses = "|".join(host.address for host in cluster.hosts)
    assert re.fullmatch(
        rf"the worker '({addresses})' of '{cluster.master}' has no Python at '/no/such/python'; "
        "name one of the workers' own with --conf spark.pyspark.python=PATH",
        str(refusal.value),
    )


def test_a_cluster_without_a_free_core_is_reported_and_delays_no_other_trial(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark_executors, "REGISTRATION", 1)
    monkeypatch.setattr(spark_executors, "PATIENCE", 2)
    for executor in cluster.executors():
        os.kill(executor, signal.SIGSTOP)
    try:
        with pytest.raises(TrialError, match=r"no executor of 'spark://.*' took a task within 2 s"):
            spark_executors.check_libraries(engine()._context)
    finally:
        for executor in cluster.executors():
            os.kill(executor, signal.SIGCONT)


def test_a_local_file_that_no_worker_sees_is_named(cluster: Cluster, tmp_path: Path) -> None:
    hidden = Path("/mnt")  # a folder that isolated hosts have an empty one of
    isolated = [host for host in cluster.hosts if host.is_isolated]
    file = (hidden if isolated else tmp_path) / "numbers.csv"
    file.write_text("n\n1\n")
    if not isolated:
        file = file.with_name("gone.csv")
    try:
        with pytest.raises(TrialError) as refusal:
            engine().check_paths({str(file): "source 's'"})
    finally:
        file.unlink(missing_ok=True)

    assert "source 's': the worker '" in str(refusal.value)
    assert f"does not see '{file}'; put it where every worker sees it" in str(refusal.value)


def packed_by_the_command(archive: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """The settings that ``trial --pack-environment`` prints beside the archive."""
    with pytest.raises(SystemExit) as ended:
        main(["trial", "--pack-environment", str(archive)])
    assert ended.value.code == 0
    printed = re.findall(r"--conf (\S+)=(\S+)", capsys.readouterr().out)
    assert printed == [
        ("spark.archives", f"{archive}#{FOLDER}"),
        ("spark.executorEnv.PYTHONPATH", FOLDER),
    ]
    return dict(printed)


def assert_suffices(libraries: str) -> None:
    """A Python that has no libraries but these finds what a worker needs."""
    program = f"import {', '.join(NEEDED)}, pyarrow.compute; print(pyarrow.__file__)"
    ended = subprocess.run(
        [sys.executable, "-S", "-c", program],
        env={"PYTHONPATH": libraries},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout.startswith(libraries), ended.stderr


def test_executors_that_come_and_go_have_the_packed_libraries_and_change_no_figure(
    cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    served = all(host.is_isolated for host in cluster.hosts)
    keeper = "shuffle.service" if served else "dynamicAllocation.shuffleTracking"
    libraries = packed_by_the_command(tmp_path / "libraries.tgz", capsys)
    running = begin(cluster, DYNAMIC | libraries | {f"spark.{keeper}.enabled": "true"})
    wait_until(lambda: done_in(running, 2))
    first = cluster.executors()
    os.kill(first[0], signal.SIGKILL)
    report = ended(running)
    context = engine()._context
    used = context.parallelize([0], 1).map(lambda _: __import__("pyarrow").__file__).collect()
    folder, is_packed, _ = used[0].partition(f"/{FOLDER}/pyarrow/")
    assert is_packed
    assert_suffices(f"{folder}/{FOLDER}")
    assert_exact(report)
    if served:
        # Their files are the shuffle service's, so that nothing holds idle executors.
        wait_until(lambda: not cluster.executors())


@contextmanager
def page_on(cluster: Cluster) -> Iterator[int]:
    """The page of ``ui --master``, and its port."""
    port, log = free_port(), cluster.folder / "page.log"
    command = [sys.executable, "-m", "explorer", "ui", "--port", str(port)]
    java = f"{EXECUTOR_JAVA_OPTIONS}={java_options()}"
    python = "=".join(WITHOUT_ARCHIVES)
    settings = ("spark.cores.max=1", "spark.executor.memory=512m", java, python)
    options = ["--master", cluster.master]
    options += [word for setting in settings for word in ("--conf", setting)]
    with log.open("wb") as output:
        server = subprocess.Popen(
            [*command, *options],
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | {"STREAMLIT_SERVER_HEADLESS": "true"},
        )
    try:
        wait_for_health(f"http://127.0.0.1:{port}/_stcore/health", server, log)
        yield port
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE)


async def tasks_of_a_visitor(port: int) -> list[Any]:
    """The rows of the table of tasks after a visitor's trial of the word count."""
    visitor = await Visitor(port).open("sample=01-word-count&tab=Local run")
    tasks = await visitor.run_trial()
    await visitor.close()
    return tasks


def test_visitors_of_a_page_share_one_application(cluster: Cluster) -> None:
    engine().close()  # its executors have all cores
    before = cluster.applications()
    with page_on(cluster) as port:
        for _ in range(2):
            tasks = asyncio.run(asyncio.wait_for(tasks_of_a_visitor(port), PATIENCE))
            assert [task["cells"][2] for task in tasks] == ["0", "202", "1,589"]

    assert cluster.applications() == before + 1
