"""Flink 1.9 has no executors that could record: there, a detached environment stores the plan.

``StreamContextEnvironment.execute`` gives its StreamGraph to a ``DetachedEnvironment``, which would
submit it when ``main`` has returned. Its client optimizes the plan of a DataSet program. It runs
one job: a second ``execute`` on one environment is refused, as ``flink run --detached`` refuses it.
"""

from typing import Any, Final

from py4j.protocol import Py4JJavaError

from explorer.capture.failures import CaptureError
from explorer.capture.recording.ended_job import JavaProxy
from explorer.capture.recording.recording_session import Session

_API: Final = "org.apache.flink.api.java"
_NAME: Final = "capture"
_NOWHERE: Final = {"jobmanager.rpc.address": "localhost", "rest.address": "localhost"}
_ONCE: Final = "Only one call to execute is allowed"
_ONE_JOB: Final = (
    "of Flink 1.9 only the first job of an environment can be captured: what the program does "
    "after its first execute() is left out"
)


class DetachedEnvironments(JavaProxy):
    """An ``ExecutionEnvironmentFactory`` that remembers what it made."""

    class Java:
        implements: Final = [f"{_API}.ExecutionEnvironmentFactory"]

    def __init__(self, session: Session, loader: Any) -> None:
        self._session, self._loader = session, loader
        self._all: list[Any] = []
        # A client with an optimizer for DataSet programs; it connects to no cluster.
        configuration = session.configuration()
        for key, value in _NOWHERE.items():
            configuration.setString(key, value)
        clients = session.java.org.apache.flink.client.program.rest
        self._client = clients.RestClusterClient(configuration, _NAME)
        session.set_context(f"{_API}.ExecutionEnvironment", self)

    def createExecutionEnvironment(self) -> Any:
        java = self._session.java
        value = java.java.util.ArrayList()
        savepoint = java.org.apache.flink.runtime.jobgraph.SavepointRestoreSettings.none()
        program = java.org.apache.flink.client.program
        one = program.DetachedEnvironment(self._client, value, value, self._loader, savepoint)
        parallelism = self._session.given.get("parallelism.default")
        if parallelism is not None:
            one.setParallelism(int(parallelism))
        self._all.append(one)
        return one

    def record(self) -> None:
        """Record the current plans."""
        environments, self._all = self._all, []
        for environment in environments:
            plan = self._session.objects.field(environment, "detachedPlan")
            if plan is not None:
                self._session.record(plan, self._session.configuration(), self._loader)


def run_detached(session: Session, packaged: Any) -> None:
    """Call ``main``, then record the plan of each environment, also where ``main`` has failed."""
    loader = packaged.getUserCodeClassLoader()
    environments = DetachedEnvironments(session, loader)
    try:
        session.java.java.lang.Thread.currentThread().setContextClassLoader(loader)
        packaged.invokeInteractiveModeForExecution()
    except Py4JJavaError as error:
        environments.record()
        cause = error.java_exception.getCause() or error.java_exception
        if session.documents and _ONCE in str(cause):
            raise CaptureError(_ONE_JOB) from None
        raise
    environments.record()
