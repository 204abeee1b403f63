"""The queue of trials: one runs at a time, on one thread, in fair turns (``turns``).

An owner's trials run in the order in which they were queued. Spark stays started between trials.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Protocol

from explorer.engine.spark.engine import Engine, new_engine
from explorer.engine.spark.spark_settings import SparkTarget
from explorer.engine.spark.turns import QueuePlace, Ticket, Turns, check_space
from explorer.errors import TrialError


class Waiting(Protocol):
    """A queued piece of work."""

    def run_on(self, engine: Callable[[SparkTarget], Engine]) -> None:
        """Run to the end. ``engine`` gives the engine for a target."""

    def give_up(self, error: BaseException) -> None:
        """End after ``run_on`` raised ``error``."""


class _EarlyStart:
    """Starts the engine in a turn of the queue."""

    def __init__(self, target: SparkTarget, is_idle: Callable[[], bool]) -> None:
        """``is_idle``: whether no trial waits meanwhile."""
        self._target, self._is_idle = target, is_idle

    def run_on(self, engine: Callable[[SparkTarget], Engine]) -> None:
        """Start the engine; a later trial reports why it does not start."""
        with suppress(TrialError):
            started = engine(self._target)
            if self._is_idle():
                started.practise()

    def give_up(self, error: BaseException) -> None:
        """Do nothing: no caller waits for an early start."""


class TrialQueue:
    """The waiting trials, and the thread that runs them."""

    def __init__(self, start: Callable[[SparkTarget], Engine] = new_engine) -> None:
        """``start``: starts an engine for a target."""
        self._start = start
        self._changed = threading.Condition()
        self._waiting: dict[Waiting, Ticket] = {}
        """The waiting trials, in the order in which they were queued."""
        self._running: Ticket | None = None
        self._begun = 0.0
        """Start time of the running trial."""
        self._turns = Turns()
        self._early: SparkTarget | None = None
        """The target of an engine to start before a trial needs it."""
        self._thread: threading.Thread | None = None
        self._engine: Engine | None = None

    def put(self, trial: Waiting, place: QueuePlace, *, short: bool = False) -> None:
        """Queue a trial; raises ``TrialError`` beyond the limits of ``place``."""
        with self._changed:
            running = [self._running] if self._running is not None else []
            check_space(place, [*self._waiting.values(), *running])
            self._waiting[trial] = Ticket(owner=place.owner, address=place.address, short=short)
            self._early = None  # the trial itself starts the engine that it needs
            self._wake()

    def prepare(self, target: SparkTarget) -> None:
        """Start an engine now in the background, for the first trial."""
        with self._changed:
            if self._engine is None and self._thread is None:
                self._early = target
                self._wake()

    def _wake(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="trials", daemon=True)
            self._thread.start()
        self._changed.notify()

    def leave(self, trial: Waiting) -> bool:
        """Remove a trial from the queue; return whether it was there."""
        with self._changed:
            return self._waiting.pop(trial, None) is not None

    def place(self, trial: Waiting) -> int:
        """Number of trials that run earlier, including the running one; 0: it does not wait."""
        with self._changed:
            if trial not in self._waiting:
                return 0
            return self._turns.in_order(self._waiting).index(trial) + (self._running is not None)

    def _work(self) -> None:
        """Run one trial after the other; an exception ends only its own trial."""
        while True:
            trial = self._next()
            try:
                trial.run_on(self._engine_for)
            except BaseException as error:  # noqa: BLE001 - other trials wait
                with suppress(BaseException):
                    trial.give_up(error)

    def _next(self) -> Waiting:
        with self._changed:
            if self._running is not None:
                self._turns.end(self._running, monotonic() - self._begun)
            self._running = None
            while not self._waiting:
                if self._early is not None:
                    early, self._early = _EarlyStart(self._early, lambda: not self._waiting), None
                    return early
                # The queue is empty, so no caller has to be preferred.
                self._turns = Turns()
                self._changed.wait()
            trial = self._turns.next_trial(self._waiting)
            self._running, self._begun = self._waiting.pop(trial), monotonic()
            self._turns.begin(self._running)
            return trial

    def _engine_for(self, target: SparkTarget) -> Engine:
        """Return the running engine if it is alive and of this target, else a new one."""
        engine, self._engine = self._engine, None
        if engine is not None and engine.target == target and engine.alive:
            self._engine = engine
            return engine
        if engine is not None:
            engine.close()
        try:
            self._engine = self._start(target)
        except OSError as error:
            msg = f"Spark could not be started: {error}"
            raise TrialError(msg) from None
        return self._engine


QUEUE = TrialQueue()
"""One a process, as Spark is."""
