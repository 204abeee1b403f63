"""Limits on the size of values, rows and batches, checked before one is created.

A frame travels through Java's memory in one piece, and a batch through a worker's, so neither may
depend on what a document writes or a file holds. What is too large for a batch is computed for half
of its rows at a time; what is too large for one row fails, with the row's name.
"""

from typing import Final

ROW_BYTES: Final = 8 * 1024 * 1024
"""Of one row that is emitted, and so of one value."""
BATCH_BYTES: Final = 8 * 1024 * 1024
"""Of rows that are emitted at once."""
WORK_BYTES: Final = 64 * 1024 * 1024
"""Of all that an operator computes of one batch, values that are only intermediate included."""
MOST_BYTES: Final = 32 * 1024 * 1024
"""Of rows that a sink's subtask retains if their number is limited."""


class BatchTooLargeError(Exception):
    """What is asked of a batch would need too much memory; of half of it it may not."""


class Budget:
    """Bytes that may still be created from one batch."""

    def __init__(self) -> None:
        self._left = WORK_BYTES

    def check(self, size: int) -> None:
        """Refuse to make more than is left; raises ``BatchTooLargeError``."""
        if size > self._left:
            msg = f"{size:,} bytes, and {self._left:,} are left"
            raise BatchTooLargeError(msg)

    def spend(self, size: int) -> None:
        """Count what is made; raises ``BatchTooLargeError``."""
        self.check(size)
        self._left -= size
