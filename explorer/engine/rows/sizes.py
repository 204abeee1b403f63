"""Limits on the size of values, rows and batches, checked before one is created.

A frame is in Java's memory in one piece, and a batch in a worker's, so neither size may depend on a
document or a file. A result that is too large for a batch is computed for half of its rows at a
time; a result that is too large for one row is an error that names the row.
"""

from typing import Final

ROW_BYTES: Final = 8 * 1024 * 1024
"""Limit of one emitted row, and so of one value."""
BATCH_BYTES: Final = 8 * 1024 * 1024
"""Limit of rows that are emitted at once."""
WORK_BYTES: Final = 64 * 1024 * 1024
"""Limit of the values that an operator computes of one batch, including intermediate ones."""
MOST_BYTES: Final = 32 * 1024 * 1024
"""Limit of the rows that a sink's subtask retains if their number is limited."""


class BatchTooLargeError(Exception):
    """The result of a batch would need too much memory; the result of half of it may fit."""


class Budget:
    """The remaining bytes that may be created from one batch."""

    def __init__(self) -> None:
        self._left = WORK_BYTES

    def check(self, size: int) -> None:
        """Raise ``BatchTooLargeError`` if ``size`` exceeds the remaining bytes."""
        if size > self._left:
            msg = f"{size:,} bytes, and {self._left:,} are left"
            raise BatchTooLargeError(msg)

    def spend(self, size: int) -> None:
        """Subtract created bytes; raises ``BatchTooLargeError``."""
        self.check(size)
        self._left -= size
