"""An executor that submits nothing: it takes down the pipeline of each ``execute`` call.

Flink asks a ``PipelineExecutorServiceLoader`` for who runs a pipeline. ``Recorder`` is that loader,
the factory that it gives and the executor that the factory makes, all in Python behind py4j's
proxies. To the program each job has ended at once, without a row.
"""

from collections.abc import Callable
from typing import Any, Final

from explorer.capture.ended_job import CORE, EndedJob, JavaProxy
from explorer.capture.java_objects import JavaObjects

Reader = Callable[[Any, Any, Any], None]
"""Takes a pipeline, its configuration and the class loader of its program."""


class Recorder(JavaProxy):
    """Hands each pipeline to ``read``; what that raises is kept in ``failures``, too."""

    class Java:
        """What py4j's proxy implements."""

        implements: Final = [
            f"{CORE}.PipelineExecutorServiceLoader",
            f"{CORE}.PipelineExecutorFactory",
            f"{CORE}.PipelineExecutor",
        ]

    def __init__(self, objects: JavaObjects, read: Reader) -> None:
        self._objects, self._read = objects, read
        self.failures: list[Exception] = []

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
            job = EndedJob(self._objects, pipeline)
        except Exception as error:
            self.failures.append(error)
            raise
        return self._objects.java.java.util.concurrent.CompletableFuture.completedFuture(job)
