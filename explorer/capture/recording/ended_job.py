"""The result that a program gets for a recorded job: it has finished, and gave no rows."""

from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any, Final

from py4j.protocol import Py4JError

from explorer.capture.jvm.java_objects import JavaObjects
from explorer.capture.recording.accumulators import empty_accumulators, fetched_results

CORE: Final = "org.apache.flink.core.execution"
_GATEWAY: Final = "org.apache.flink.runtime.operators.coordination.CoordinationRequestGateway"


class JavaProxy:
    """What Java asks of any object; stands behind a proxy of py4j's."""

    def hashCode(self) -> int:
        return id(self) % 2**31

    def equals(self, other_value: Any) -> bool:
        return other_value is self

    def toString(self) -> str:
        return type(self).__name__


class EndedJob(JavaProxy):
    """A ``JobClient``; what the job's sinks would have collected is empty."""

    def __init__(self, objects: JavaObjects, pipeline: Any, ask: Callable[[str], None]) -> None:
        """``ask`` is called with what the program reads of the job: its rows or accumulators."""
        self._java, self._ask = objects.java, ask
        # Rows are collected through the gateway, which there is from 1.11 on.
        gateway = [_GATEWAY] if objects.has_class(_GATEWAY) else []
        self.Java = SimpleNamespace(implements=[f"{CORE}.JobClient", *gateway])
        self._id = self._java.org.apache.flink.api.common.JobID()
        accumulators = empty_accumulators(objects, pipeline)
        self.accumulators = tuple(accumulators)
        """The names of those that the job's functions register."""
        fetched = fetched_results(objects, pipeline)
        self._results = _results(objects.java, accumulators | fetched)
        self._collects = bool(fetched)
        for name in _list_fetched_accumulators(objects, pipeline):
            self._collects = True
            self._results.put(name, _no_rows(objects.java))

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
        self._ask("accumulators")
        return self._now(self._result().getAllAccumulatorResults())

    def getJobExecutionResult(self, *loader: Any) -> Any:
        if self._collects:
            self._ask("rows")
        return self._now(self._result())

    def _result(self) -> Any:
        common = self._java.org.apache.flink.api.common
        return common.JobExecutionResult(self._id, 0, self._results)

    def reportHeartbeat(self, expired: int) -> None:
        return

    def sendCoordinationRequest(self, operator: Any, request: Any) -> Any:
        """No operator answers: a result is asked for in the accumulators then."""
        self._ask("rows")
        future = self._java.java.util.concurrent.CompletableFuture()
        future.completeExceptionally(self._java.java.lang.IllegalStateException("not run"))
        return future


def _results(java: Any, accumulators: Mapping[str, Any]) -> Any:
    """Return the values of accumulators, as ``JobExecutionResult`` holds them."""
    registered = java.java.util.HashMap()
    for name, accumulator in accumulators.items():
        registered.put(name, accumulator)
    helper = java.org.apache.flink.api.common.accumulators.AccumulatorHelper
    return java.java.util.HashMap(helper.toResultMap(registered))


def _list_fetched_accumulators(objects: JavaObjects, pipeline: Any) -> Iterator[str]:
    """Yield the accumulators of the sinks with rows that the program fetches."""
    if not objects.has(pipeline, "getStreamNodes"):
        # The plan of a DataSet program, with collected rows but no sink of their own.
        return
    for node in objects.each(objects.tabled(pipeline).getStreamNodes()):
        factory = node.getOperatorFactory()
        if factory is not None and objects.is_a(factory, "CollectSinkOperatorFactory"):
            function = factory.getOperator().getUserFunction()
            yield str(objects.field(function, "accumulatorName"))


def _no_rows(java: Any) -> Any:
    """Return what ``CollectSinkFunction`` accumulates at the end of a job without rows."""
    sink = java.org.apache.flink.streaming.api.operators.collect.CollectSinkFunction
    common = java.org.apache.flink.api.common
    bytes_ = common.typeutils.base.array.BytePrimitiveArraySerializer.INSTANCE
    nothing = (0, "", 0, java.java.util.ArrayList())
    try:
        result = sink.serializeAccumulatorResult(*nothing)
    except Py4JError:
        # Up to 1.11 it needs the rows' serializer as well.
        result = sink.serializeAccumulatorResult(*nothing, bytes_)
    accumulator = common.accumulators.SerializedListAccumulator()
    accumulator.add(result, bytes_)
    return java.org.apache.flink.util.OptionalFailure.of(accumulator.getLocalValue())
