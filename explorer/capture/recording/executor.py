"""An executor that submits nothing: it records the pipeline of each ``execute`` call.

Flink asks a ``PipelineExecutorServiceLoader`` for who runs a pipeline. ``Recorder`` is that loader,
the factory that it gives and the executor that the factory makes, all in Python behind py4j's
proxies. To the program each job has ended at once, without a row.
"""

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

from explorer.capture.jvm.java_objects import JavaObjects
from explorer.capture.recording.ended_job import CORE, EndedJob, JavaProxy
from explorer.capture.recording.stream_graphs import produced_data_sets

Reader = Callable[[Any, Any, Any], None]
"""Called with a pipeline, its configuration and the class loader of its program."""


class Recorder(JavaProxy):
    """Passes each pipeline to ``read``; what that raises is collected in ``failures``, too."""

    def __init__(self, objects: JavaObjects, read: Reader) -> None:
        self._objects, self._read = objects, read
        # The executor of a release that has ``cache()``, 1.16 on, lists the data sets.
        caching = f"{CORE}.CacheSupportedPipelineExecutor"
        own = caching if objects.has_class(caching) else f"{CORE}.PipelineExecutor"
        loading = [f"{CORE}.PipelineExecutorServiceLoader", f"{CORE}.PipelineExecutorFactory"]
        self.Java = SimpleNamespace(implements=[*loading, own])
        self._data_sets: dict[str, Any] = {}
        """The cluster data sets that the jobs so far would have produced, by their IDs."""
        self.failures: list[Exception] = []
        self._jobs = 0
        self.read_results: dict[int, list[str]] = {}
        """By the number of a job, what the program has read of it: rows, accumulators."""
        self.accumulators: dict[int, tuple[str, ...]] = {}
        """By the number of a job, the accumulators that its functions register."""
        self.loader: Any = None
        """The class loader of the program, which ``read`` sets."""

    def _note(self, job: int, read: str) -> None:
        """Remember that the program has read something of a job."""
        noted = self.read_results.setdefault(job, [])
        if read not in noted:
            noted.append(read)

    def getExecutorFactory(self, configuration: Any) -> "Recorder":
        return self

    def getExecutorNames(self) -> Any:
        return self._objects.java.java.util.stream.Stream.empty()

    def getName(self) -> str:
        return "capture"

    def isCompatibleWith(self, configuration: Any) -> bool:
        return True

    def getExecutor(self, configuration: Any) -> "Recorder":
        return self

    def execute(self, pipeline: Any, configuration: Any, loader: Any = None) -> Any:
        """``PipelineExecutor.execute``; up to 1.11 it is given no class loader."""
        try:
            self._read(pipeline, configuration, loader)
            self._jobs += 1
            self._data_sets |= produced_data_sets(self._objects, pipeline)
            job = EndedJob(self._objects, pipeline, partial(self._note, self._jobs))
            self.accumulators[self._jobs] = job.accumulators
        except Exception as error:
            self.failures.append(error)
            raise
        return self._objects.java.java.util.concurrent.CompletableFuture.completedFuture(job)

    def listCompletedClusterDatasetIds(self, configuration: Any, loader: Any) -> Any:
        """The data sets of ``DataStream.cache()`` that the next job reads."""
        ids = self._objects.java.java.util.HashSet()
        for data_set in self._data_sets.values():
            ids.add(data_set)
        return self._objects.java.java.util.concurrent.CompletableFuture.completedFuture(ids)

    def invalidateClusterDataset(self, data_set: Any, configuration: Any, loader: Any) -> Any:
        """Forget a data set, as ``CachedDataStream.invalidate`` asks."""
        self._data_sets.pop(str(data_set.toString()), None)
        return self._objects.java.java.util.concurrent.CompletableFuture.completedFuture(None)
