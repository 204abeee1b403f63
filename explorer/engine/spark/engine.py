"""Runs a job on Spark: one Spark job with one shuffle map stage for each job vertex.

A loop's vertices are one stage: records circulate within a worker, so a round needs no Spark job
and state stays in memory. If all edges of the loop are forward, its subtasks run in parallel.

PySpark is imported only when a trial starts. Every subtask of every task has its own shuffle
partition. A task's records for all consumers go into one shuffle, and a consumer reads only its own
partitions of its producers' shuffles, so several consumers need no second run of the producer. In
addition to the public API this module uses the parts of ``RDD.partitionBy``.
"""

import os
import sys
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from explorer.engine import plan
from explorer.engine.spark import workspace
from explorer.engine.spark.counter_delivery import (
    ClusterProgress,
    FileProgress,
    LatestCounters,
    Progress,
)
from explorer.engine.spark.executors import check_libraries, check_paths, ship_package
from explorer.engine.spark.java import java_problem
from explorer.engine.spark.practice import practice_job
from explorer.engine.spark.spark_context import (
    active_context,
    answers,
    end,
    forget_dead_gateway,
    is_active,
    loaded_enough,
    start,
    start_problem,
)
from explorer.engine.spark.spark_settings import SparkTarget
from explorer.engine.task.deployment import (
    Finished,
    PlacedStage,
    deployments,
    freeze_modules,
    limit_memory,
    partitions,
    run,
)
from explorer.engine.task.subtask import RESULT
from explorer.errors import MissingJavaError, TrialError

_PYSPARKS: Final = [
    "PairwiseRDD",
    "PythonPartitioner",
    "PythonRDD",
    "PythonUtils",
    "SimplePythonFunction",
]
"""Names that PySpark has imported into the JVM's view, and that a run uses."""
WORKER_BYTES: Final = 6 << 30
"""Limit of the bytes that a worker maps: far more than a trial should use, since Arrow reserves
unused addresses. ``spark.executor.pyspark.memory`` would print to each worker's terminal."""
STAGES: Final = 50
"""Stages of one Spark job; each further job costs some 50 ms. Java traverses a job's lineage
recursively, and a chain of 300 stages overflows its stack; a later job reuses earlier shuffles."""


def _keep(partition: int) -> int:
    """Return the partition that a frame names; also identifies the partitioner to Spark."""
    return partition


class Engine:
    """A running Spark context."""

    _parts: tuple[Path, ...] = ()
    """Spark's folders within ``folder``."""

    def __init__(self, target: SparkTarget, folder: Path) -> None:
        problem = java_problem()
        if problem:
            raise MissingJavaError(problem)
        self.target, self.folder = target, folder
        self._unfit = False
        self._counters: Any = None
        """The accumulator of all runs on a cluster."""
        value = active_context()
        self._own = value is None
        self._context = start(target, folder) if value is None else value
        self.where: str = self._context.master
        """The master of the context, which may be another than the target's."""
        if not self._own and target.is_local and "PYSPARK_PYTHON" not in os.environ:
            # PySpark's default is the first python3 of PATH, which may be another environment's.
            self._context.pythonExec = sys.executable
        if not (self._own and target.is_local):
            self._prepare_executors()
        self._parts = tuple(path for path in folder.iterdir() if path.is_dir())
        self._names = _java_names(self._context._jvm)

    def _prepare_executors(self) -> None:
        """Ship this package to executors; raises ``TrialError`` where they cannot run a trial."""
        try:
            ship_package(self._context, self.folder)
            check_libraries(self._context)
        except TrialError:
            self.close()
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, no trial can run
            self.close()
            log = self.folder / "spark.log"
            raise TrialError(start_problem(self.target.master, log, error)) from None

    def practise(self) -> None:
        """Run a small job, so that the first trial need not wait for classes to load."""
        name = f"practice-{uuid.uuid4().hex}"
        # The trial itself will report the same problems.
        with suppress(Exception):
            job = practice_job()
            with closing(self.progress(job, name)) as progress:
                self.run(job, name, progress)

    @property
    def runs(self) -> bool:
        """Whether the JVM still answers, and its context accepts jobs."""
        java = self._context._jsc
        if java is None or not answers(self._context._gateway):
            return False
        return not java.sc().isStopped()

    @property
    def alive(self) -> bool:
        """Whether it can run another trial: nothing of its own is broken or gone."""
        # A cleaner of temporary files may delete only some folders.
        complete = all(part.is_dir() for part in (self.folder, *self._parts))
        return not self._unfit and complete and self.runs

    def give_up(self) -> None:
        """Accept no more trials, since Spark is broken; ends the JVM if this module started it."""
        self._unfit = True
        gateway = self._context._gateway
        if self._own and getattr(gateway, "of_trials", False):
            end(gateway)

    def close(self) -> None:
        """Stop the context, unless the caller started it; a dead JVM is forgotten."""
        # A second stop would make PySpark forget the context that a caller started since.
        if self._own and is_active(self._context):
            with suppress(Exception):
                self._context.stop()
        forget_dead_gateway()

    def cancel(self, group: str) -> None:
        """Cancel the jobs of a group; the thread that waits for them gets an exception."""
        with suppress(Exception):
            self._context.cancelJobGroup(group)

    def check_paths(self, paths: Mapping[str, str]) -> None:
        """Raise ``TrialError`` where a worker on another host does not see one of these paths.

        ``paths``: by path, the words that name it in a message.
        """
        if paths and not self.where.startswith("local"):
            check_paths(self._context, paths)

    def progress(self, job: plan.Job, group: str) -> Progress:
        """Make the progress of a run of ``job``; the caller closes it."""
        if self.where.startswith("local"):
            return FileProgress(self.folder / f"{group}.progress", job)
        if self._counters is None:
            self._counters = self._context.accumulator({}, LatestCounters())
        return ClusterProgress(self._context.getConf(), self._counters, job, group)

    def run(self, job: plan.Job, group: str, progress: Progress) -> list[bytes]:
        """Run a job; return the frames for the driver.

        ``group`` names its Spark jobs and marks its failures, so it must stay secret.
        """
        context = self._context
        context.setJobGroup(group, job.name[:100], interruptOnCancel=False)
        shuffles = self._shuffles(job, group, progress)
        try:
            result_partitions = partitions(job)[RESULT]
            values = [
                frame
                for first in range(0, len(shuffles), STAGES)
                for frame in self._read_partitions(
                    shuffles[first : first + STAGES], result_partitions
                ).collect()
            ]
            loaded_enough(context._gateway)
            return values
        finally:
            context._jsc.clearCallSite()
            # Remove the shuffle files now rather than when Java's collector finds them.
            with suppress(Exception):
                cleaner = context._jsc.sc().cleaner().get()
                for shuffle in shuffles:
                    written = shuffle.rdd().dependencies().head()
                    cleaner.doCleanupShuffle(written.shuffleId(), True)  # noqa: FBT003

    def _shuffles(self, job: plan.Job, trial: str, progress: Progress) -> list[Any]:
        context, places = self._context, partitions(job)
        partitioner = context._jvm.PythonPartitioner(places[RESULT][0] + 1, id(_keep))
        maximum = WORKER_BYTES if self._own else None
        values: list[Any] = []
        stage_of: dict[int, int] = {}
        for number, deployment in enumerate(deployments(job, trial, progress.target)):
            stage = deployment.stage
            stage_of.update((task.number, number) for task in stage.tasks)
            context._jsc.setCallSite(f"vertex:{stage.tasks[0].id}")
            producers = sorted({stage_of[task] for task in stage.producers})
            if producers:
                own = sorted({place for task in stage.tasks for place in places[task.number]})
                source = self._read_partitions([values[producer] for producer in producers], own)
            else:
                source = context.parallelize([], len(stage.groups))
            mapped = source.mapPartitionsWithIndex(_body(deployment, maximum, progress.finished()))
            mapped._bypass_serializer = True
            pairs = context._jvm.PairwiseRDD(mapped._jrdd.rdd()).asJavaPairRDD()
            values.append(pairs.partitionBy(partitioner))
        return values

    def _read_partitions(self, shuffles: Sequence[Any], own: Iterable[int]) -> Any:
        """The frames of some partitions of these shuffles; no other partition is computed.

        Shuffles with the same partitioner form a union partition by partition, so it costs no
        stage. The pruning accepts a Scala set of numbers as its predicate.
        """
        from pyspark.core.rdd import RDD
        from pyspark.serializers import NoOpSerializer

        context, names, joined = self._context, self._names, shuffles[0]
        if len(shuffles) > 1:
            # One union of all: nested unions would nest calls.
            new_array = context._gateway.new_array(names.pair_rdd, len(shuffles))
            for at, shuffle in enumerate(shuffles):
                new_array[at] = shuffle
            joined = context._jsc.union(new_array)
        predicate = context._jvm.PythonUtils.toSeq(list(own)).toSet()
        pruned = names.pruning_rdd.create(joined.rdd(), predicate)
        pairs = names.pair_rdd.fromRDD(pruned, joined.kClassTag(), joined.vClassTag())
        return RDD(context._jvm.PythonRDD.valueOfPair(pairs), context, NoOpSerializer())


def _body(
    deployment: PlacedStage, maximum: int | None, finished: Finished | None
) -> Callable[[int, Iterator[Any]], Iterator[bytes]]:
    """Make the function that Spark calls for each subtask.

    A nested function is serialized by value, so workers need not import this module.
    """

    def body(subtask: int, rows: Iterator[bytes]) -> Iterator[bytes]:
        from pyspark import TaskContext

        if maximum is not None:
            limit_memory(maximum)
        freeze_modules()
        context = TaskContext.get()
        attempt = 0 if context is None else context.attemptNumber()
        return run(deployment, subtask, rows, attempt, finished)

    return body


def new_engine(target: SparkTarget) -> Engine:
    """Start an engine in a folder of its own."""
    return Engine(target, workspace.make())


class _JavaNames(NamedTuple):
    """Classes that are not imported into the JVM's view."""

    pair_rdd: Any
    pruning_rdd: Any


def _java_names(jvm: Any) -> _JavaNames:
    """Look up the classes once for each engine; PySpark's become attributes of the view.

    For each name py4j asks Java's class loader, which searches all jars of Spark before it knows
    that ``scala`` is a package. A lookup for each stage needs a third of a small trial's time.
    """
    for name in _PYSPARKS:
        # The view returns an attribute without a lookup in Java.
        setattr(jvm, name, getattr(jvm, name))
    spark = jvm.org.apache.spark
    return _JavaNames(
        pair_rdd=spark.api.java.JavaPairRDD, pruning_rdd=spark.rdd.PartitionPruningRDD
    )
