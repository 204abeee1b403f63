"""The sentences in which Flink refuses a restore, a row each; braces are filled in by the check."""

from typing import Final, NamedTuple


class Refusal(NamedTuple):
    """An exception of Flink's and its message."""

    exception: str
    text: str


UNKNOWN_VERSION: Final = Refusal(
    "IllegalArgumentException", "Unrecognized checkpoint version number: {version}"
)
NO_OPERATOR: Final = Refusal(
    "IllegalStateException",
    "Failed to rollback to checkpoint/savepoint {path}. Cannot map checkpoint/savepoint state for "
    "operator {id} to the new program, because the operator is not available in the new program. "
    "If you want to allow to skip this, you can set the --allowNonRestoredState option on the CLI.",
)
OTHER_MAXIMUM: Final = Refusal(
    "IllegalStateException",
    # Flink puts the metadata's toString where the path belongs.
    "Failed to rollback to checkpoint/savepoint Checkpoint Metadata. Max parallelism mismatch "
    "between checkpoint/savepoint state and new program. Cannot map operator {id} with max "
    "parallelism {old} to new program with max parallelism {new}. This indicates that the program "
    "has been changed in a non-compatible way after the checkpoint/savepoint.",
)
TOO_PARALLEL: Final = Refusal(
    "IllegalStateException",
    "The state for task {task} can not be restored. The maximum parallelism ({old}) of the "
    "restored state is lower than the configured parallelism ({parallelism}). Please reduce the "
    "parallelism of the task to be lower or equal to the maximum parallelism.",
)
DIFFERENT_MAXIMA: Final = Refusal(
    "IllegalStateException",
    # The text of the exception is not known before the jars of its release can be asked.
    "The operators of task {task} recorded different maximum parallelisms: {maxima}",
)
MIXED: Final = Refusal(
    "FlinkRuntimeException",
    "Can not restore vertex {name}({task}) which contain mixed operator finished state: [{states}]",
)
BEHIND_RUNNING: Final = Refusal(
    "FlinkRuntimeException",
    "Illegal JobGraph modification. Cannot run a program with fully finished vertices predeceased "
    "with the ones not fully finished. Task vertex {name}({task}) has a predecessor not fully "
    "finished",
)
BEHIND_ALL_RUNNING: Final = Refusal(
    "FlinkRuntimeException",
    "Illegal JobGraph modification. Cannot run a program with partially finished vertices "
    "predeceased with all running ones. Task vertex {name}({task}) has a all running predecessor",
)
BEHIND_ALL_TO_ALL: Final = Refusal(
    "FlinkRuntimeException",
    "Illegal JobGraph modification. Cannot run a program with partially finished vertices "
    "predeceased with running or partially finished ones and connected via the ALL_TO_ALL edges. "
    "Task vertex {name}({task}) has a {state} predecessor",
)
