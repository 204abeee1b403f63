"""A trial from the queue to its report, with its progress and its cancellation."""

import threading
import uuid
from collections.abc import Callable
from time import perf_counter
from typing import Final, Literal, TypeAlias

import msgspec

from explorer.engine.planning.trial_plan import TrialPlan
from explorer.engine.report.gathering import make_report
from explorer.engine.report.trial_report import TrialReport
from explorer.engine.report.vertex_progress import snapshot
from explorer.engine.spark.committing import commit, staged
from explorer.engine.spark.counter_delivery import Progress
from explorer.engine.spark.engine import Engine
from explorer.engine.spark.failures import EngineError, explain_failure, java_ended
from explorer.engine.spark.queue import QUEUE
from explorer.engine.spark.spark_settings import SparkTarget
from explorer.errors import ExplorerError, TrialError, own_bug
from explorer.flink.compiler import Compilation
from explorer.model.run_figures import TaskFigures

State: TypeAlias = Literal["waiting", "starting", "running", "finished", "failed", "cancelled"]

_CANCEL_AGAIN: Final = 0.3
"""Seconds between two attempts to cancel a run."""
_CANCELS: Final = 100
"""Attempts to cancel a run before its engine is given up."""


class TrialProgress(msgspec.Struct, frozen=True, kw_only=True):
    """The current state of a trial."""

    state: State
    place: int
    """Number of trials that run earlier; 0: none, or the trial does not wait."""
    waited_ms: float
    """Time in the queue."""
    elapsed_ms: float
    """Time since Spark began to run the trial; 0 while Spark itself still starts."""
    stopping: bool
    """Whether the trial was cancelled, or ran too long, and has not ended yet."""
    vertices: tuple[TaskFigures, ...]
    """Progress of each vertex, in the JobGraph's order."""


class Trial:
    """A started trial; thread-safe."""

    def __init__(
        self,
        compilation: Compilation,
        planned: TrialPlan,
        *,
        target: SparkTarget,
        timeout: float | None,
        limit: int | None,
    ) -> None:
        self.compilation, self.target = compilation, target
        self._plan, self._timeout, self._limit = planned, timeout, limit
        self._group = f"trial-{uuid.uuid4().hex}"
        self._lock = threading.RLock()
        self._looking = threading.Lock()
        """Held while the counters are read or closed."""
        self._done = threading.Event()
        self._state: State = "waiting"
        self._engine: Engine | None = None
        self._progress: Progress | None = None
        self._last = snapshot(planned.job)
        self._lined_up = perf_counter()
        self._begun: float | None = None
        self._ended: float | None = None
        self._stop_reason: str | None = None
        self.report: TrialReport | None = None
        """The report of a finished trial."""
        self.failure: ExplorerError | None = None
        """The error that ended the trial."""

    @property
    def state(self) -> State:
        """The state; ``starting``: the trial is first in the queue, and Spark still starts."""
        state = self._state
        return "starting" if state == "waiting" and not self.place else state

    @property
    def stopping(self) -> bool:
        """Whether the trial was cancelled, or ran too long, and has not ended yet."""
        return self._stop_reason is not None and not self._done.is_set()

    @property
    def place(self) -> int:
        """Number of trials that run earlier; 0: none, or the trial does not wait."""
        return QUEUE.place(self)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings before the run, of the compilation and of the plan."""
        return self.compilation.warnings + self._plan.warnings

    @property
    def error(self) -> str | None:
        """The message of the error that ended the trial."""
        return None if self.failure is None else str(self.failure)

    def progress(self) -> TrialProgress:
        """The progress of every vertex and operator."""
        vertices = self._vertices()
        order = {vertex.id: at for at, vertex in enumerate(self.compilation.job_graph.vertices)}
        end = self._ended or perf_counter()
        return TrialProgress(
            state=self.state,
            place=self.place,
            waited_ms=round(((self._begun or end) - self._lined_up) * 1000, 3),
            elapsed_ms=0.0 if self._begun is None else round((end - self._begun) * 1000, 3),
            stopping=self.stopping,
            vertices=tuple(sorted(vertices, key=lambda vertex_progress: order[vertex_progress.id])),
        )

    def _vertices(self) -> tuple[TaskFigures, ...]:
        with self._looking:
            if self._progress is not None:
                self._last = snapshot(self._plan.job, self._progress.read())
            return self._last

    def cancel(self) -> None:
        """End the trial, unless it has ended."""
        self._stop("the trial was cancelled")

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the trial has ended; return whether it has."""
        return self._done.wait(timeout)

    def outcome(self) -> TrialReport:
        """Return the report; raises the error that ended the trial."""
        if self.report is None:
            raise self.failure or TrialError("the trial ended without a report")
        return self.report

    def _stop(self, reason: str) -> None:
        with self._lock:
            if self._done.is_set() or self._stop_reason is not None:
                return
            self._stop_reason = reason
            engine = self._engine
            if engine is None:
                # The trial waits, or Spark still starts, which need not end first.
                self._finish("cancelled", TrialError(reason))
        QUEUE.leave(self)
        if engine is not None:
            threading.Thread(target=self._keep_cancelling, args=(engine,), daemon=True).start()

    def _keep_cancelling(self, engine: Engine) -> None:
        """Cancel until the run has ended: the first call may precede Spark's job.

        The engine of a task that cannot be stopped is given up, since other trials wait.
        """
        for _ in range(_CANCELS):
            engine.cancel(self._group)
            if self._done.wait(_CANCEL_AGAIN):
                return
        engine.give_up()

    def run_on(self, engine: Callable[[SparkTarget], Engine]) -> None:
        """Run to the end; called by the queue."""
        with self._lock:
            if self._done.is_set():
                return
            self._state = "starting"
        timer: threading.Timer | None = None
        if self._timeout is not None:
            reason = f"the trial took longer than its limit of {self._timeout:g} s"
            timer = threading.Timer(self._timeout, self._stop, (reason,))
            timer.daemon = True
            timer.start()
        try:
            self._run(engine(self.target))
        except ExplorerError as error:
            self._fail(error)
        except Exception as error:  # noqa: BLE001 - a trial reports every end
            self._fail(self._explain_end(error))
        finally:
            if timer is not None:
                timer.cancel()

    def give_up(self, error: BaseException) -> None:
        """End with an internal error; called by the queue."""
        self._finish("failed", TrialError(own_bug(error)))

    def _run(self, engine: Engine) -> None:
        with self._lock:
            if self._done.is_set():
                return
            progress = engine.progress(self._plan.job, self._group)
            self._engine, self._progress = engine, progress
            self._begun, self._state = perf_counter(), "running"
        try:
            report = self._run_and_commit(engine, progress, self._begun)
        finally:
            self._vertices()
            with self._looking:
                self._progress = None
                progress.close()
        self.report = report
        self._finish("finished", None)

    def _run_and_commit(self, engine: Engine, progress: Progress, begun: float) -> TrialReport:
        with staged(self._plan.outputs):
            engine.check_paths(self._plan.paths)
            try:
                frames = engine.run(self._plan.job, self._group, progress)
            finally:
                self._ended = perf_counter()
            if self._stop_reason is not None:
                raise TrialError(self._stop_reason)
            report = make_report(
                self.compilation,
                self._plan,
                frames,
                master=engine.where,
                wall_ms=(self._ended - begun) * 1000,
                limit=self._limit,
            )
            commit(self._plan.outputs, frames)
        return report

    def _explain_end(self, error: Exception) -> ExplorerError:
        """Explain an error that ended the run; a failed engine accepts no more trials."""
        engine, vertices = self._engine, self.progress().vertices
        if self._stop_reason is not None:
            return TrialError(self._stop_reason)
        if engine is not None and not engine.runs:
            return java_ended(vertices)
        explorer_error = explain_failure(error, self._plan.job, self._group, vertices)
        if engine is not None and isinstance(explorer_error, EngineError):
            engine.give_up()
        return explorer_error

    def _fail(self, error: ExplorerError) -> None:
        if self._stop_reason is not None:
            self._finish("cancelled", TrialError(self._stop_reason))
        else:
            self._finish("failed", error)

    def _finish(self, state: State, error: ExplorerError | None) -> None:
        """End in a state, unless the trial has ended."""
        with self._lock:
            if not self._done.is_set():
                self.failure, self._engine, self._state = error, None, state
                self._done.set()
