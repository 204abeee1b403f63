"""A trial from its start to its report: waiting, running, watched, cancelled, done."""

import threading
import uuid
from collections.abc import Callable
from time import perf_counter
from typing import Final, Literal, TypeAlias

import msgspec

from explorer.engine.planning.trial_plan import TrialPlan
from explorer.engine.report.gathering import make_report
from explorer.engine.report.trial_report import TrialReport
from explorer.engine.report.vertex_progress import VertexProgress, snapshot
from explorer.engine.spark.committing import commit, staged
from explorer.engine.spark.counter_delivery import Progress
from explorer.engine.spark.engine import Engine
from explorer.engine.spark.failures import EngineError, explained, java_ended
from explorer.engine.spark.queue import QUEUE
from explorer.engine.spark.spark_settings import SparkTarget
from explorer.errors import ExplorerError, TrialError, own_bug
from explorer.flink.compiler import Compilation

State: TypeAlias = Literal["waiting", "starting", "running", "finished", "failed", "cancelled"]

_CANCEL_AGAIN: Final = 0.3
"""Seconds."""
_CANCELS: Final = 100
"""How often a run is cancelled before its engine is given up."""


class TrialProgress(msgspec.Struct, frozen=True, kw_only=True):
    """A trial as it stands."""

    state: State
    place: int
    """Trials that come first; 0: none, or it does not wait."""
    waited_ms: float
    """From when it was lined up until Spark began to run it."""
    elapsed_ms: float
    """Since Spark began to run it; 0 while Spark itself still starts."""
    stopping: bool
    """Whether it was cancelled, or ran too long, and has not ended yet."""
    vertices: tuple[VertexProgress, ...]
    """In the JobGraph's order."""


class Trial:
    """A trial that was started; safe to ask from any thread."""

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
        """What it found; None unless it is finished."""
        self.failure: ExplorerError | None = None
        """Why it failed or stopped, with its objects."""

    @property
    def state(self) -> State:
        """Where it stands; ``starting``: it is first in the queue, and Spark still starts."""
        state = self._state
        return "starting" if state == "waiting" and not self.place else state

    @property
    def stopping(self) -> bool:
        """Whether it was cancelled, or ran too long, and has not ended yet."""
        return self._stop_reason is not None and not self._done.is_set()

    @property
    def place(self) -> int:
        """Its place in the queue: how many trials come first; 0: none, or it does not wait."""
        return QUEUE.place(self)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is to be known of it before it runs."""
        return self.compilation.warnings + self._plan.warnings

    @property
    def error(self) -> str | None:
        """Why it failed or stopped, in one sentence."""
        return None if self.failure is None else str(self.failure)

    def progress(self) -> TrialProgress:
        """How far every vertex and operator has come."""
        vertices = self._vertices()
        order = {vertex.id: at for at, vertex in enumerate(self.compilation.job_graph.vertices)}
        end = self._ended or perf_counter()
        return TrialProgress(
            state=self.state,
            place=self.place,
            waited_ms=round(((self._begun or end) - self._lined_up) * 1000, 3),
            elapsed_ms=0.0 if self._begun is None else round((end - self._begun) * 1000, 3),
            stopping=self.stopping,
            vertices=tuple(sorted(vertices, key=lambda one: order[one.id])),
        )

    def _vertices(self) -> tuple[VertexProgress, ...]:
        with self._looking:
            if self._progress is not None:
                self._last = snapshot(self._plan.job, self._progress.read())
            return self._last

    def cancel(self) -> None:
        """Stop waiting or running; nothing happens to a trial that is done."""
        self._stop("the trial was cancelled")

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is done; False: it is not yet."""
        return self._done.wait(timeout)

    def outcome(self) -> TrialReport:
        """What it found, once it is done; raises what ended it."""
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
                # It waits, or Spark still starts, and nothing waits for Spark.
                self._finish("cancelled", TrialError(reason))
        QUEUE.leave(self)
        if engine is not None:
            threading.Thread(target=self._keep_cancelling, args=(engine,), daemon=True).start()

    def _keep_cancelling(self, engine: Engine) -> None:
        """Cancel until it is over: the first call may come before Spark knows the job.

        A task that cannot be stopped would keep all who wait behind it; its engine is given up.
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
        except Exception as error:  # noqa: BLE001 - a trial that ends must say so
            self._fail(self._explained(error))
        finally:
            if timer is not None:
                timer.cancel()

    def give_up(self, error: BaseException) -> None:
        """End with what went wrong in us; called by the queue, which goes on."""
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
            frames = self._frames(engine, progress)
            if self._stop_reason is not None:
                raise TrialError(self._stop_reason)
            report = make_report(
                self.compilation,
                self._plan,
                frames,
                master=engine.where,
                wall_ms=((self._ended or 0) - begun) * 1000,
                limit=self._limit,
            )
            commit(self._plan.outputs, frames)
        return report

    def _frames(self, engine: Engine, progress: Progress) -> list[bytes]:
        """Run the job; its subtasks publish their counters to ``progress``."""
        try:
            return engine.run(self._plan.job, self._group, progress)
        finally:
            self._ended = perf_counter()

    def _explained(self, error: Exception) -> ExplorerError:
        """What ended the run, in words; an engine that failed accepts no more trials."""
        engine, vertices = self._engine, self.progress().vertices
        if self._stop_reason is not None:
            return TrialError(self._stop_reason)
        if engine is not None and not engine.runs:
            return java_ended(vertices)
        found = explained(error, self._plan.job, self._group, vertices)
        if engine is not None and isinstance(found, EngineError):
            engine.give_up()
        return found

    def _fail(self, error: ExplorerError) -> None:
        if self._stop_reason is not None:
            self._finish("cancelled", TrialError(self._stop_reason))
        else:
            self._finish("failed", error)

    def _finish(self, state: State, error: ExplorerError | None) -> None:
        """Say how it ended; what ended it first holds."""
        with self._lock:
            if not self._done.is_set():
                self.failure, self._engine, self._state = error, None, state
                self._done.set()
