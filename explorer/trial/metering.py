"""How much may a run in this process take? Rows, bytes and work, each ended with a sentence."""

from time import thread_time
from typing import NoReturn

import msgspec

from explorer.errors import TrialError
from explorer.rows.batch import Batch
from explorer.task import plan


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What ends a run."""

    name: str
    """What the run is called: preview."""
    subtasks: int
    """Each is made and run for itself, whatever it has to do."""
    rows: int
    """Rows that all operators together may hand on: a flat map can make many of one."""
    bytes: int
    """Of all rows that operators hand on; what waits for a consumer lies in memory."""
    seconds: float
    """Of this thread's own work, however busy the machine is with others'."""


class Meter:
    """Counts what the operators of a job hand on, and ends what is too much."""

    def __init__(self, job: plan.Job, limits: Limits) -> None:
        """Raises ``TrialError`` for a job of too many subtasks."""
        self._limits, self._end = limits, thread_time() + limits.seconds
        self._names = {one.node: one.name for task in job.tasks for one in task.operators}
        self._rows = self._bytes = 0
        total = sum(task.parallelism for task in job.tasks)
        if total > limits.subtasks:
            msg = (
                f"this job has {total:,} subtasks, and a {limits.name} runs at most "
                f"{limits.subtasks:,}; start a trial run, or lower the parallelism"
            )
            raise TrialError(msg)

    def weigh(self, node: int, batch: Batch) -> None:
        """Count what is handed on."""
        self._rows += len(batch)
        self._bytes += batch.nbytes()
        if self._rows > self._limits.rows:
            self._end_at(node, f"{self._limits.rows:,} rows")
        if self._bytes > self._limits.bytes:
            self._end_at(node, f"{self._limits.bytes >> 20} MB of rows")

    def _end_at(self, node: int, amount: str) -> NoReturn:
        msg = (
            f"the {self._limits.name} ended at {amount}, which {self._names[node]!r} was handing "
            "on; start a trial run, or begin with fewer rows"
        )
        raise TrialError(msg)

    def pause(self) -> None:
        """End a job that takes too long."""
        if thread_time() > self._end:
            msg = (
                f"the {self._limits.name} ended after {self._limits.seconds:g} s of work; start a "
                "trial run, or begin with fewer rows"
            )
            raise TrialError(msg)
