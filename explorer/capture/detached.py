"""Flink 1.9 has no executors that could record: there, a detached environment keeps the plan.

``StreamContextEnvironment.execute`` hands its StreamGraph to a ``DetachedEnvironment``, which would
submit it when ``main`` has returned. It takes one job: a second ``execute`` on one environment is
refused, as ``flink run --detached`` refuses it.
"""

from typing import Any, Final

from py4j.protocol import Py4JJavaError

from explorer.capture.ended_job import JavaProxy
from explorer.capture.failures import CaptureError
from explorer.capture.session import Session

_API: Final = "org.apache.flink.api.java"
_ONCE: Final = "Only one call to execute is allowed"
_ONE_JOB: Final = (
    "of Flink 1.9 only the first job of an environment can be captured: what the program does "
    "after its first execute() is left out"
)


class _Environments(JavaProxy):
    """An ``ExecutionEnvironmentFactory`` that remembers what it made."""

    class Java:
        implements: Final = [f"{_API}.ExecutionEnvironmentFactory"]

    def __init__(self, made: Session, packaged: Any) -> None:
        self._session, self._program = made, packaged
        self.all: list[Any] = []

    def createExecutionEnvironment(self) -> Any:
        program = self._session.java.org.apache.flink.client.program
        one = program.DetachedEnvironment(
            None,
            self._program.getAllLibraries(),
            self._program.getClasspaths(),
            self._program.getUserCodeClassLoader(),
            self._program.getSavepointSettings(),
        )
        parallelism = self._session.given.get("parallelism.default")
        if parallelism is not None:
            one.setParallelism(int(parallelism))
        self.all.append(one)
        return one


def run_detached(made: Session, packaged: Any) -> None:
    """Call ``main``, then record the plan of each environment, also where ``main`` has failed."""
    environments = _Environments(made, packaged)
    made.set_context(
        f"{_API}.ExecutionEnvironment", f"{_API}.ExecutionEnvironmentFactory", environments
    )
    loader = packaged.getUserCodeClassLoader()
    try:
        made.java.java.lang.Thread.currentThread().setContextClassLoader(loader)
        packaged.invokeInteractiveModeForExecution()
    except Py4JJavaError as error:
        if environments.all and _ONCE in str(error.java_exception.getCause()):
            raise CaptureError(_ONE_JOB) from None
        raise
    finally:
        for one in environments.all:
            plan = made.objects.field(one, "detachedPlan")
            if plan is not None:
                made.record(plan, made.configuration(), loader)
