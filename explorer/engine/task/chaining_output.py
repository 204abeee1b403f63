"""Passes records to the next operator of a chain.

Mirrors ``ChainingOutput`` and ``CopyingChainingOutput.pushToOperator``, which copies each record's
value with the type's serializer; here a batch's columns are copied.
"""

from time import perf_counter_ns

from explorer.engine.counters import ChainedCounters
from explorer.engine.rows.batch import Batch


class ChainingOutput:
    """An output to the next operator, with the counters of its records."""

    def __init__(self, source: int, target: int, *, copies: bool) -> None:
        """``source`` and ``target``: nodes; ``copies``: whether objects are not reused."""
        self._copies = copies
        self.counters = ChainedCounters(source=source, target=target)

    def push(self, batch: Batch) -> Batch:
        """Return the batch for the next operator: the same, or a copy."""
        self.counters.records += len(batch)
        if not self._copies:
            return batch
        begun = perf_counter_ns()
        copied = batch.copied()
        self.counters.copied += len(batch)
        self.counters.nanoseconds += perf_counter_ns() - begun
        return copied
