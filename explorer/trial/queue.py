"""Who runs next? One trial at a time, first come, first served, on one thread.

Spark stays started between trials; a second thread of the page's waits here rather than in Spark.
"""

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from explorer.errors import TrialError
from explorer.trial.spark import Engine, new_engine


class Waiting(Protocol):
    """Something that can be run when its turn comes."""

    def run_on(self, engine: Callable[[str], Engine]) -> None:
        """Run to the end. ``engine`` gives the engine for a master."""

    def give_up(self, error: BaseException) -> None:
        """Say that it is over after ``run_on`` raised ``error``."""


class TrialQueue:
    """The trials that wait, and the thread that runs them."""

    def __init__(self, start: Callable[[str], Engine] = new_engine) -> None:
        """``start``: starts an engine for a master."""
        self._start = start
        self._changed = threading.Condition()
        self._waiting: deque[Waiting] = deque()
        self._thread: threading.Thread | None = None
        self._engine: Engine | None = None

    def put(self, trial: Waiting) -> None:
        """Line up."""
        with self._changed:
            self._waiting.append(trial)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="trials", daemon=True)
                self._thread.start()
            self._changed.notify()

    def leave(self, trial: Waiting) -> bool:
        """Step out of the line; False: it was not in it any more."""
        with self._changed:
            if trial not in self._waiting:
                return False
            self._waiting.remove(trial)
            return True

    def place(self, trial: Waiting) -> int:
        """How many trials come first, the running one too; 0: it does not wait."""
        with self._changed:
            return self._waiting.index(trial) + 1 if trial in self._waiting else 0

    def _work(self) -> None:
        """Run one after the other; whatever a trial raises ends that trial alone."""
        while True:
            trial = self._next()
            try:
                trial.run_on(self._engine_for)
            except BaseException as error:  # noqa: BLE001 - others wait behind it
                with suppress(BaseException):
                    trial.give_up(error)

    def _next(self) -> Waiting:
        with self._changed:
            while not self._waiting:
                self._changed.wait()
            return self._waiting.popleft()

    def _engine_for(self, master: str) -> Engine:
        """The engine that is there if it is alive and of this master, else a new one."""
        known, self._engine = self._engine, None
        if known is not None and known.master == master and known.alive:
            self._engine = known
            return known
        if known is not None:
            known.close()
        try:
            self._engine = self._start(master)
        except OSError as error:
            msg = f"Spark could not be started: {error}"
            raise TrialError(msg) from None
        return self._engine


QUEUE = TrialQueue()
"""One a process, as Spark is."""
