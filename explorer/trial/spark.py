"""How does a job run on Spark? As one Spark job with one shuffle map stage a job vertex.

The only module that imports PySpark, and only when a trial starts. Every subtask of every task has
a shuffle partition of its own; a task's records for all its consumers go into one shuffle, and a
consumer reads just its own partitions of its producers' shuffles. So several consumers cost no
second run of the producer. Beside the public API it uses what ``RDD.partitionBy`` is made of.
"""

import atexit
import logging
import os
import re
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from explorer.errors import TrialError
from explorer.task import plan
from explorer.task.deployment import Deployment, deployments, limit_memory, partitions, run
from explorer.task.subtask import RESULT
from explorer.trial import workspace
from explorer.trial.failures import reason_of
from explorer.trial.java import java_problem

_NO_MEMORY: Final = "-XX:+ExitOnOutOfMemoryError"
"""A thread of Spark's that dies for lack of memory takes its task along, which then never ends."""
SETTINGS: Final = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "2g",
    "spark.driver.maxResultSize": "400m",
    "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 " + _NO_MEMORY,
    "spark.executor.extraJavaOptions": _NO_MEMORY,
    "spark.python.worker.reuse": "true",
    "spark.python.unix.domain.socket.enabled": "true",
    "spark.python.worker.faulthandler.enabled": "true",
    "spark.python.task.killTimeout": "200ms",
    "spark.shuffle.compress": "false",
    "spark.shuffle.spill.compress": "false",
    "spark.sql.runSQLOnFiles": "false",
}
"""Measured choices: sockets instead of TCP take a stage from 100 ms to 36, C1 halves the start, and
frames of columns are not worth compressing. What the driver collects is in Java's memory several
times over, so a fifth of it is the most."""

_AUTHENTICATED: Final = re.compile(r"local(\[|$)")
"""Masters for which Spark makes up a secret itself; any other has one of its own, or none."""

WORKER_BYTES: Final = 6 << 30
"""What a worker may map: far more than a trial should use, since Arrow reserves addresses that it
never touches. Not ``spark.executor.pyspark.memory``, which tells the terminal of each worker."""


STAGES: Final = 50
"""Stages of one Spark job; each further job costs some 50 ms."""


def _keep(partition: int) -> int:
    """A frame's partition is said by the frame; also identifies the partitioner to Spark."""
    return partition


class Engine:
    """A running Spark context."""

    _parts: tuple[Path, ...] = ()
    """Folders of Spark's within ours."""

    def __init__(self, master: str, folder: Path) -> None:
        problem = java_problem()
        if problem:
            raise TrialError(problem)
        self.master, self.folder = master, folder
        self._unfit = False
        found = _active_context()
        self._own = found is None
        self._context = _start(master, folder) if found is None else found
        self.where: str = self._context.master
        """The master that it really runs on: a context that is there already keeps its own."""
        if not (self._own and master.startswith("local")):
            self._ship_package()
        self._parts = tuple(path for path in folder.iterdir() if path.is_dir())

    @property
    def runs(self) -> bool:
        """Whether the JVM still answers, and its context takes jobs."""
        java = self._context._jsc
        if java is None or not _answers(self._context._gateway):
            return False
        return not java.sc().isStopped()

    @property
    def alive(self) -> bool:
        """Whether it can run another trial: nothing of its own is broken or gone."""
        return not self._unfit and self.folder.is_dir() and self._whole and self.runs

    @property
    def _whole(self) -> bool:
        """Whether Spark's own folders are there: a cleaner may take them and leave ours."""
        return all(part.is_dir() for part in self._parts)

    def give_up(self) -> None:
        """Take no more trials: something of Spark's own is broken. Ends the JVM if it is ours."""
        self._unfit = True
        gateway = self._context._gateway
        if self._own and getattr(gateway, "of_trials", False):
            _end(gateway)

    def close(self) -> None:
        """Stop the context, unless somebody else started it; a dead JVM is forgotten."""
        if self._own:
            with suppress(Exception):
                self._context.stop()
        _forget_dead_gateway()

    def _ship_package(self) -> None:
        """Give this package to executors that may not have it; its libraries must be there."""
        package = Path(__file__).resolve().parents[1]
        archive = self.folder / "explorer.zip"
        with zipfile.ZipFile(archive, "w") as zipped:
            for file in sorted(package.rglob("*.py")):
                zipped.write(file, file.relative_to(package.parent))
        try:
            self._context.addPyFile(str(archive))
        except Exception as error:  # noqa: BLE001 - whatever it is, no trial can run
            self.close()
            log = self.folder / "spark.log"
            raise TrialError(_start_problem(self.master, log, error)) from None

    def cancel(self, group: str) -> None:
        """Cancel the jobs of a group; the thread that waits for them gets an exception."""
        with suppress(Exception):
            self._context.cancelJobGroup(group)

    def run(self, job: plan.Job, group: str, progress: Path) -> list[bytes]:
        """Run a job; give the frames that are meant for the driver.

        ``group`` names its Spark jobs and marks its failures, so nobody else may know it.
        """
        context = self._context
        context.setJobGroup(group, job.name[:100], interruptOnCancel=False)
        most = WORKER_BYTES if self._own else None
        shuffles = _shuffles(context, job, group, progress, most)
        try:
            result = partitions(job)[RESULT]
            return [
                frame
                for some in _a_few_stages(shuffles)
                for frame in _pruned(context, some, [result]).collect()
            ]
        finally:
            context._jsc.clearCallSite()
            self._clean(shuffles)

    def _clean(self, shuffles: Sequence[Any]) -> None:
        """Remove the shuffle files now rather than when Java's collector finds them."""
        with suppress(Exception):
            cleaner = self._context._jsc.sc().cleaner().get()
            for shuffle in shuffles:
                for dependency in _java_list(self._context, shuffle.rdd().dependencies()):
                    cleaner.doCleanupShuffle(dependency.shuffleId(), True)  # noqa: FBT003


def _a_few_stages(shuffles: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """The shuffles, producers first, as many at a time as one Spark job should compute.

    Java walks a job's lineage call within call: a chain of 300 stages overflows its stack. A later
    job finds the shuffles of an earlier one done, and its walk ends there.
    """
    for first in range(0, len(shuffles), STAGES):
        yield shuffles[first : first + STAGES]


def _java_list(context: Any, scala: Any) -> Iterable[Any]:
    converted: Iterable[Any] = context._jvm.scala.jdk.javaapi.CollectionConverters.asJava(scala)
    return converted


def _shuffles(
    context: Any, job: plan.Job, trial: str, progress: Path, most: int | None
) -> list[Any]:
    """One shuffle a task, producers first; ``most``: the bytes that a worker may map."""
    places = partitions(job)
    partitioner = context._jvm.PythonPartitioner(places[RESULT] + 1, id(_keep))
    made: list[Any] = []
    for deployment in deployments(job, trial, progress):
        task = deployment.task
        context._jsc.setCallSite(f"vertex:{task.id}")
        producers = sorted({edge.source for edge in task.inputs})
        if producers:
            first = places[task.number]
            own = range(first, first + task.parallelism)
            source = _pruned(context, [made[producer] for producer in producers], own)
        else:
            source = context.parallelize(range(task.parallelism), task.parallelism)
        mapped = source.mapPartitionsWithIndex(_body(deployment, most))
        mapped._bypass_serializer = True
        pairs = context._jvm.PairwiseRDD(mapped._jrdd.rdd()).asJavaPairRDD()
        made.append(pairs.partitionBy(partitioner))
    return made


def _body(
    deployment: Deployment, most: int | None
) -> Callable[[int, Iterator[Any]], Iterator[bytes]]:
    """What Spark calls for each subtask.

    A function within a function travels by value, so that workers need not import this module.
    """

    def body(subtask: int, rows: Iterator[Any]) -> Iterator[bytes]:
        from pyspark import TaskContext

        if most is not None:
            limit_memory(most)
        context = TaskContext.get()
        attempt = 0 if context is None else context.attemptNumber()
        frames: Iterator[bytes] = iter(rows if deployment.task.inputs else ())
        return run(deployment, subtask, frames, attempt)

    return body


def _pruned(context: Any, shuffles: Sequence[Any], partitions: Iterable[int]) -> Any:
    """The frames of these partitions, of all these shuffles; no other partition is computed.

    Shuffles with the same partitioner make a union partition by partition, so it costs no stage. A
    Scala set of numbers is the predicate that the pruning wants.
    """
    from pyspark.core.rdd import RDD
    from pyspark.serializers import NoOpSerializer

    jvm = context._jvm
    # All at once: a union of unions is one more call within a call for each of them.
    each = context._gateway.new_array(jvm.org.apache.spark.api.java.JavaPairRDD, len(shuffles))
    for at, shuffle in enumerate(shuffles):
        each[at] = shuffle
    joined = context._jsc.union(each)
    wanted = jvm.java.util.HashSet()
    for partition in partitions:
        wanted.add(partition)
    predicate = jvm.scala.jdk.javaapi.CollectionConverters.asScala(wanted).toSet()
    pruned = jvm.org.apache.spark.rdd.PartitionPruningRDD.create(joined.rdd(), predicate)
    pairs = jvm.org.apache.spark.api.java.JavaPairRDD.fromRDD(
        pruned, joined.kClassTag(), joined.vClassTag()
    )
    return RDD(jvm.PythonRDD.valueOfPair(pairs), context, NoOpSerializer())


def _active_context() -> Any:
    """The context that this process already has, if somebody else started one."""
    from pyspark import SparkContext

    _forget_dead_gateway()
    context = SparkContext._active_spark_context
    if context is not None and context._jsc.sc().isStopped():
        context.stop()
        return None
    return context


def _start(master: str, folder: Path) -> Any:
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway

    root = str(Path(__file__).resolve().parents[2])
    settings = SETTINGS | {
        "spark.master": master,
        "spark.app.name": "streamgraph-explorer trial",
        "spark.local.dir": str(folder),
        "spark.python.unix.domain.socket.dir": str(folder),
        "spark.executorEnv.PYTHONPATH": root,
    }
    if _AUTHENTICATED.match(master):
        settings["spark.authenticate"] = "true"
    log = folder / "spark.log"
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    try:
        conf = SparkConf(loadDefaults=False).setAll(list(settings.items()))
        if SparkContext._gateway is None:
            with log.open("wb") as output:
                launch: Any = launch_gateway
                gateway = launch(conf, {"stdout": output, "stderr": output})
            gateway.of_trials = True
            logging.getLogger().addFilter(_is_not_py4js)
            atexit.register(_end, gateway)
            conf = SparkConf(loadDefaults=False, _jvm=gateway.jvm).setAll(list(settings.items()))
        else:
            gateway = SparkContext._gateway
        context = SparkContext(conf=conf, gateway=gateway)
    except Exception as error:  # noqa: BLE001 - whatever it is, no trial can run
        _forget_dead_gateway()
        raise TrialError(_start_problem(master, log, error)) from None
    context.pythonExec = sys.executable
    # What listens to the JVM need not print a stack when the JVM is gone: the trial says so.
    listener: Any = context._accumulatorServer
    listener.handle_error = lambda *_: None
    context.setLogLevel("ERROR")
    return context


def _is_not_py4js(record: logging.LogRecord) -> bool:
    """Py4j tells the root logger of a JVM that is gone, with its stack; a trial says so itself."""
    return record.module != "java_gateway"


def _end(gateway: Any) -> None:
    """End the JVM that we started, so that its folder can go; a graceful stop takes a second."""
    gateway._gateway_client.is_connected = False  # so nobody writes to it any more
    gateway.proc.kill()
    gateway.proc.wait()


def _start_problem(master: str, log: Path, error: Exception) -> str:
    """What Spark's log complains of first, else the exception's own words."""
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    complaints = [line.partition(" ERROR ")[2] for line in lines if " ERROR " in line]
    complaints += [reason_of(line) for line in lines if "Exception" in line]
    words = complaints[0] if complaints else reason_of(str(error))
    return f"Spark could not be started with master {master!r}: {words[:300]}"


def _forget_dead_gateway() -> None:
    """Let the next context start a JVM of its own if this process's JVM is gone."""
    from pyspark import SparkContext

    gateway = SparkContext._gateway
    if gateway is None or _answers(gateway):
        return
    with suppress(Exception):
        gateway._gateway_client.is_connected = False
    SparkContext._gateway = SparkContext._jvm = None
    SparkContext._active_spark_context = None


def _answers(gateway: Any) -> bool:
    """Whether somebody is at the other end."""
    process = getattr(gateway, "proc", None)
    if process is not None and process.poll() is not None:
        return False
    try:
        gateway.jvm.java.lang.System.nanoTime()
    except Exception:  # noqa: BLE001 - py4j has many ways to say that nobody is there
        return False
    return True


def new_engine(master: str) -> Engine:
    """Start an engine in a folder of its own."""
    return Engine(master, workspace.make())
