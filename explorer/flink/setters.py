"""What do Flink's setters throw for a number that is too small? One row a field.

A document's field and the configuration option that stands in for it end in the same setter.
Mirrors the preconditions of ``CheckpointConfig`` and ``ExecutionConfig``.
"""

from typing import Final, NamedTuple


class Least(NamedTuple):
    """The least value that a setter takes, and its words for a smaller one."""

    number: int
    words: str


CHECKPOINT_INTERVAL: Final = Least(10, "Checkpoint interval must be larger than or equal to 10 ms")
CHECKPOINT_TIMEOUT: Final = Least(10, "Checkpoint timeout must be larger than or equal to 10 ms")
MAX_CONCURRENT: Final = Least(1, "The maximum number of concurrent attempts must be at least one.")
TOLERABLE_FAILURES: Final = Least(
    0, "The tolerable failure checkpoint number must be non-negative."
)
OPERATOR_MAX_PARALLELISM: Final = Least(1, "The maximum parallelism must be greater than 0.")
