"""How does a record get to the next operator of its task? As it is, or as a copy.

Mirrors ``ChainingOutput`` and ``CopyingChainingOutput.pushToOperator``, which copies each record's
value with the type's serializer; here a batch's columns are copied.
"""

from time import perf_counter_ns

from explorer.rows.batch import Batch
from explorer.task.report import ChainedCounters


class ChainingOutput:
    """An output to the next operator, and what passed it."""

    def __init__(self, source: int, target: int, *, copies: bool) -> None:
        """``source`` and ``target``: nodes; ``copies``: whether objects are not reused."""
        self._source, self._target, self._copies = source, target, copies
        self._records = self._nanoseconds = 0

    def push(self, batch: Batch) -> Batch:
        """What the next operator gets."""
        self._records += len(batch)
        if not self._copies:
            return batch
        begun = perf_counter_ns()
        made = batch.copied()
        self._nanoseconds += perf_counter_ns() - begun
        return made

    @property
    def counters(self) -> ChainedCounters:
        """So far."""
        return ChainedCounters(
            source=self._source,
            target=self._target,
            records=self._records,
            copied=self._records if self._copies else 0,
            nanoseconds=self._nanoseconds,
        )
