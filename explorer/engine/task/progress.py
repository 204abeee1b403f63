"""Progress of a subtask: counters that it writes to a small file while it runs.

Spark reports a Python task's figures only at its end. The file is mapped into memory; where the
workers run on other machines it is simply not there.
"""

import mmap
from itertools import accumulate
from pathlib import Path
from time import time_ns
from typing import Final

from explorer.engine import plan
from explorer.engine.counters import OperatorCounters

WAITING, RUNNING, FINISHED = range(3)
"""A subtask's states."""
WIDTH: Final = 8
"""Bytes of a number."""
BEGUN, ENDED = 1, 2
"""Where, behind a subtask's state, it says when it began and ended: nanoseconds since 1970."""
_OWN: Final = 3
"""Numbers of a subtask before those of its operators."""
_EACH: Final = 3
"""Numbers of an operator: records in, records out, nanoseconds."""


class Layout:
    """Where each task's numbers are: by subtask its own, then those of each operator."""

    def __init__(self, job: plan.Job) -> None:
        widths = (task.parallelism * width(task) for task in job.tasks)
        *self.starts, self.size = [0, *accumulate(widths)]


def width(task: plan.Task) -> int:
    """How many numbers a subtask has."""
    return _OWN + _EACH * len(task.operators)


def operator_at(place: int) -> int:
    """Where, behind a subtask's first number, the numbers of an operator of its task begin."""
    return _OWN + _EACH * place


def create(path: Path, job: plan.Job) -> None:
    """Make the file, all zero."""
    path.write_bytes(bytes(WIDTH * Layout(job).size))


class Writer:
    """A subtask's side."""

    def __init__(self, path: Path, at: int) -> None:
        """``at``: the subtask's first number."""
        self._numbers: memoryview | None = None
        if path.exists():
            with path.open("r+b") as file:
                self._numbers = memoryview(mmap.mmap(file.fileno(), 0)).cast("q")
        self._at = at

    def state(self, state: int) -> None:
        """Say that the subtask runs, or that it is done."""
        if self._numbers is not None:
            self._numbers[self._at] = state
            self._numbers[self._at + (ENDED if state == FINISHED else BEGUN)] = time_ns()

    def show(self, operator: int, counters: OperatorCounters) -> None:
        """Say how far an operator is."""
        if self._numbers is not None:
            at = self._at + operator_at(operator)
            self._numbers[at] = counters.records_in
            self._numbers[at + 1] = counters.records_out
            self._numbers[at + 2] = counters.nanoseconds
