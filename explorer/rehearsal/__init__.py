"""Restores a savepoint into a program with Flink's own classes, in a throw-away JVM.

Runs foreign programs, confined to a folder of its own: reached from the shell and from
Python, never from the page.
"""

from explorer.model.rehearsal import Rehearsal, RehearsedOperator, RehearsedState
from explorer.rehearsal.rehearsing import RehearsalError, rehearse

__all__ = [
    "Rehearsal",
    "RehearsalError",
    "RehearsedOperator",
    "RehearsedState",
    "rehearse",
]
