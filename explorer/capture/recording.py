"""An executor that submits nothing: it takes down the pipeline of each ``execute`` call.

Flink asks a ``PipelineExecutorServiceLoader`` for who runs a pipeline. ``Recorder`` is that loader,
the factory that it gives and the executor that the factory makes, all in Python behind py4j's
proxies. To the program each job has ended at once, without a result.
"""

from collections.abc import Callable
from typing import Any, Final

Reader = Callable[[Any, Any, Any], None]
"""Takes a pipeline, its configuration and the class loader of its program."""

_CORE: Final = "org.apache.flink.core.execution"


class JavaProxy:
    """What Java asks of any object; stands behind a proxy of py4j's."""

    def hashCode(self) -> int:
        return id(self) % 2**31

    def equals(self, other: Any) -> bool:
        return other is self

    def toString(self) -> str:
        return type(self).__name__


class Recorder(JavaProxy):
    """Hands each pipeline to ``read``; what that raises is kept in ``failures``, too."""

    class Java:
        """What py4j's proxy implements."""

        implements: Final = [
            f"{_CORE}.PipelineExecutorServiceLoader",
            f"{_CORE}.PipelineExecutorFactory",
            f"{_CORE}.PipelineExecutor",
        ]

    def __init__(self, java: Any, read: Reader) -> None:
        self._java, self._read = java, read
        self.failures: list[Exception] = []

    def getExecutorFactory(self, configuration: Any) -> "Recorder":
        return self

    def getExecutorNames(self) -> Any:
        return self._java.java.util.stream.Stream.empty()

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
        except Exception as error:
            self.failures.append(error)
            raise
        done = self._java.java.util.concurrent.CompletableFuture
        return done.completedFuture(_EndedJob(self._java))


class _EndedJob(JavaProxy):
    """A ``JobClient`` of a job that has finished; it has accumulated nothing and stores nothing."""

    class Java:
        implements: Final = [f"{_CORE}.JobClient"]

    def __init__(self, java: Any) -> None:
        self._java = java
        self._id = java.org.apache.flink.api.common.JobID()

    def _now(self, value: Any) -> Any:
        return self._java.java.util.concurrent.CompletableFuture.completedFuture(value)

    def getJobID(self) -> Any:
        return self._id

    def getJobStatus(self) -> Any:
        return self._now(self._java.org.apache.flink.api.common.JobStatus.FINISHED)

    def cancel(self) -> Any:
        return self._now(None)

    def stopWithSavepoint(self, *how: Any) -> Any:
        return self._now("")

    def triggerSavepoint(self, *how: Any) -> Any:
        return self._now("")

    def getAccumulators(self, *loader: Any) -> Any:
        return self._now(self._java.java.util.HashMap())

    def getJobExecutionResult(self, *loader: Any) -> Any:
        nothing = self._java.java.util.HashMap()
        common = self._java.org.apache.flink.api.common
        return self._now(common.JobExecutionResult(self._id, 0, nothing))

    def reportHeartbeat(self, expired: int) -> None:
        return
