"""Savepoints and checkpoints: what is in them, and whether a program restores from them."""

from explorer.savepoints.data_input import SavepointError
from explorer.savepoints.expected import expected_savepoint
from explorer.savepoints.loading import load_savepoint
from explorer.savepoints.plain_values import savepoint_from_values, savepoint_values
from explorer.savepoints.restoring import (
    FlinkVerdict,
    FoundBy,
    Outcome,
    StateOutcome,
    flink_verdict,
)
from explorer.savepoints.savepoint import OperatorState, Savepoint

__all__ = [
    "FlinkVerdict",
    "FoundBy",
    "OperatorState",
    "Outcome",
    "Savepoint",
    "SavepointError",
    "StateOutcome",
    "expected_savepoint",
    "flink_verdict",
    "load_savepoint",
    "savepoint_from_values",
    "savepoint_values",
]
