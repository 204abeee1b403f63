"""Savepoints and checkpoints: what is in them, and whether a program restores from them."""

from explorer.savepoints.loading import load_savepoint
from explorer.savepoints.restoring import Restore, RestoredOperator, check_restore, restored
from explorer.savepoints.savepoint import OperatorState, Savepoint, SavepointError

__all__ = [
    "OperatorState",
    "Restore",
    "RestoredOperator",
    "Savepoint",
    "SavepointError",
    "check_restore",
    "load_savepoint",
    "restored",
]
