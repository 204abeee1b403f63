"""Runs a job on Spark: one Spark job with one shuffle map stage for each job vertex.

A loop's vertices are one stage: records go round within a worker, where state stays what it is and
a round costs no job. Where its edges are all forward, its subtasks still run in parallel.

PySpark is imported only when a trial starts. Every subtask of every task has
a shuffle partition of its own; a task's records for all its consumers go into one shuffle, and a
consumer reads just its own partitions of its producers' shuffles. So several consumers cost no
second run of the producer. In addition to the public API it uses the parts of ``RDD.partitionBy``.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

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
from explorer.engine.spark.java_names import JavaNames, java_names
from explorer.engine.spark.practice import practice_job, practice_name
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
    StageDeployment,
    deployments,
    freeze_modules,
    limit_memory,
    partitions,
    run,
)
from explorer.engine.task.subtask import RESULT
from explorer.errors import TrialError

WORKER_BYTES: Final = 6 << 30
"""What a worker may map: far more than a trial should use, since Arrow reserves addresses that it
never touches. Not ``spark.executor.pyspark.memory``: it prints to each worker's terminal."""


STAGES: Final = 50
"""Stages of one Spark job; each further job costs some 50 ms."""


def _keep(partition: int) -> int:
    """A frame's partition is in the frame; also identifies the partitioner to Spark."""
    return partition


class Engine:
    """A running Spark context."""

    _parts: tuple[Path, ...] = ()
    """Folders of Spark's within ours."""

    def __init__(self, target: SparkTarget, folder: Path) -> None:
        problem = java_problem()
        if problem:
            raise TrialError(problem)
        self.target, self.folder = target, folder
        self._unfit = False
        self._counters: Any = None
        """The accumulator of all runs on a cluster."""
        found = active_context()
        self._own = found is None
        self._context = start(target, folder) if found is None else found
        self.where: str = self._context.master
        """The master that it runs on: an existing context stays on its own."""
        if not self._own and target.is_local and "PYSPARK_PYTHON" not in os.environ:
            # PySpark's default is the first python3 of PATH, which may be another environment's.
            self._context.pythonExec = sys.executable
        if not (self._own and target.is_local):
            self._prepare_executors()
        self._parts = tuple(path for path in folder.iterdir() if path.is_dir())
        self._names = java_names(self._context._jvm)

    def _prepare_executors(self) -> None:
        """Give them what they may not have; raises ``TrialError`` where they cannot run a trial."""
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
        """Run a small job, so that the first trial need not wait for what every first job loads."""
        name = practice_name()
        # What is wrong here the trial itself will say, in words that are about the trial.
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
        return not self._unfit and self.folder.is_dir() and self._whole and self.runs

    @property
    def _whole(self) -> bool:
        """Whether Spark's own folders are there: a cleaner may delete them and leave ours."""
        return all(part.is_dir() for part in self._parts)

    def give_up(self) -> None:
        """Accept no more trials: something of Spark's own is broken. Ends the JVM if it is ours."""
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
        """What carries the counters of a run of ``job`` to this process; the caller closes it."""
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
        most = WORKER_BYTES if self._own else None
        shuffles = _shuffles(context, self._names, job, group, progress, most)
        try:
            own = partitions(job)[RESULT]
            found = [
                frame
                for some in _a_few_stages(shuffles)
                for frame in _pruned(context, self._names, some, own).collect()
            ]
            loaded_enough(context._gateway)
            return found
        finally:
            context._jsc.clearCallSite()
            self._clean(shuffles)

    def _clean(self, shuffles: Sequence[Any]) -> None:
        """Remove the shuffle files now rather than when Java's collector finds them."""
        with suppress(Exception):
            cleaner = self._context._jsc.sc().cleaner().get()
            for shuffle in shuffles:
                written = shuffle.rdd().dependencies().head()
                cleaner.doCleanupShuffle(written.shuffleId(), True)  # noqa: FBT003


def _a_few_stages(shuffles: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """The shuffles, producers first, as many at a time as one Spark job should compute.

    Java traverses a job's lineage call within call: a chain of 300 stages overflows its stack. A
    later job finds the shuffles of an earlier one done, and the traversal ends there.
    """
    for first in range(0, len(shuffles), STAGES):
        yield shuffles[first : first + STAGES]


def _shuffles(
    context: Any, names: JavaNames, job: plan.Job, trial: str, progress: Progress, most: int | None
) -> list[Any]:
    """One shuffle a stage, producers first; ``most``: the bytes that a worker may map."""
    places = partitions(job)
    partitioner = context._jvm.PythonPartitioner(places[RESULT][0] + 1, id(_keep))
    made: list[Any] = []
    stage_of: dict[int, int] = {}
    for number, deployment in enumerate(deployments(job, trial, progress.target)):
        stage = deployment.stage
        stage_of.update((task.number, number) for task in stage.tasks)
        context._jsc.setCallSite(f"vertex:{stage.tasks[0].id}")
        producers = sorted({stage_of[task] for task in stage.producers})
        if producers:
            own = sorted({place for task in stage.tasks for place in places[task.number]})
            source = _pruned(context, names, [made[producer] for producer in producers], own)
        else:
            source = context.parallelize([], len(stage.groups))
        mapped = source.mapPartitionsWithIndex(_body(deployment, most, progress.finished()))
        mapped._bypass_serializer = True
        pairs = context._jvm.PairwiseRDD(mapped._jrdd.rdd()).asJavaPairRDD()
        made.append(pairs.partitionBy(partitioner))
    return made


def _body(
    deployment: StageDeployment, most: int | None, finished: Finished | None
) -> Callable[[int, Iterator[Any]], Iterator[bytes]]:
    """What Spark calls for each subtask.

    A function within a function travels by value, so that workers need not import this module.
    """

    def body(subtask: int, rows: Iterator[bytes]) -> Iterator[bytes]:
        from pyspark import TaskContext

        if most is not None:
            limit_memory(most)
        freeze_modules()
        context = TaskContext.get()
        attempt = 0 if context is None else context.attemptNumber()
        if finished is None:
            return run(deployment, subtask, rows, attempt)
        return run(deployment, subtask, rows, attempt, finished)

    return body


def _pruned(context: Any, names: JavaNames, shuffles: Sequence[Any], own: Iterable[int]) -> Any:
    """The frames of these partitions, of all these shuffles; no other partition is computed.

    Shuffles with the same partitioner make a union partition by partition, so it costs no stage. A
    Scala set of numbers is the predicate that the pruning wants.
    """
    from pyspark.core.rdd import RDD
    from pyspark.serializers import NoOpSerializer

    joined = shuffles[0] if len(shuffles) == 1 else _union(context, names, shuffles)
    predicate = context._jvm.PythonUtils.toSeq(list(own)).toSet()
    pruned = names.pruning_rdd.create(joined.rdd(), predicate)
    pairs = names.pair_rdd.fromRDD(pruned, joined.kClassTag(), joined.vClassTag())
    return RDD(context._jvm.PythonRDD.valueOfPair(pairs), context, NoOpSerializer())


def _union(context: Any, names: JavaNames, shuffles: Sequence[Any]) -> Any:
    # All at once: a union of unions is one more call within a call for each of them.
    each = context._gateway.new_array(names.pair_rdd, len(shuffles))
    for at, shuffle in enumerate(shuffles):
        each[at] = shuffle
    return context._jsc.union(each)


def new_engine(target: SparkTarget) -> Engine:
    """Start an engine in a folder of its own."""
    return Engine(target, workspace.make())
