"""The interface of a step's work on batches and watermarks, and what several steps use for it.

Mirrors ``Input.processElement`` and ``Input.processWatermark``.
"""

from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter_ns
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar

import msgspec
import numpy as np

from explorer.engine.rows.batch import NO_TIMESTAMP, Batch, Longs
from explorer.engine.rows.errors import RowError, RowFailure
from explorer.engine.rows.expressions.evaluator import evaluate
from explorer.engine.rows.expressions.ir import Expression
from explorer.engine.rows.sizes import Budget
from explorer.java_numbers import LONG_MAX, LONG_MIN
from explorer.model.row_type import RowType

Emission: TypeAlias = tuple[str | None, Batch]
"""Records for the main output (None) or for a side output's tag."""


class EmittedWatermark(NamedTuple):
    """A watermark that an operator generates, between the records that it emits."""

    time: int


Output: TypeAlias = Emission | EmittedWatermark

MAX_WATERMARK: Final = LONG_MAX
"""``Watermark.MAX_WATERMARK``: no more event time will come."""
MIN_WATERMARK: Final = LONG_MIN

T = TypeVar("T")


class SubtaskContext(NamedTuple):
    """The subtask's index, the parallelism, and values that the steps of an operator share."""

    subtask: int
    parallelism: int
    common: dict[str, Any]


class StepWork(Protocol):
    """An operator's work on one of its inputs, for one row type.

    In a traced run every batch has ``origins``, and so must have what goes on. ``take``,
    ``filter``, ``slice`` and ``concat`` of a batch keep them. A step that makes a ``Batch`` of new
    columns sets them itself: ``batch.origins`` for a row of each row, ``origins.at`` where
    a row becomes several or none, ``left.joined(right)`` where two rows make one. State by
    key or window has ``AggregatedOrigins`` next to its accumulators, rolled with them.
    """

    def process(self, batch: Batch) -> Sequence[Output]:
        """Process records; return what is emitted, in its order.

        Raises ``BatchTooLargeError``, having done nothing, where that would be too much at once.
        """

    def advance(self, time: int) -> list[Emission]:
        """Process a watermark; return what is emitted before it."""


class Waitless:
    """Work on which watermarks have no effect."""

    def advance(self, time: int) -> list[Emission]:
        return []


class Stateless(Waitless):
    """Work without state: a function of each batch."""

    def __init__(self, process: Callable[[Batch], Sequence[Output]]) -> None:
        self.process = process


class StatelessStep(msgspec.Struct, frozen=True, kw_only=True):
    """A step without state: it processes each batch alone."""

    def work(self, operator: str, row_type: RowType, share: SubtaskContext) -> Stateless:
        return Stateless(partial(self.process, operator))

    def process(self, operator: str, batch: Batch) -> Sequence[Output]:
        """Process records; return what is emitted, in its order."""
        raise NotImplementedError


class DropsLate:
    """Work over windows that counts the records that it drops as late."""

    late_dropped = 0
    """``numLateRecordsDropped``: late records that go to no side output."""


def compute(
    operator: str,
    expression: Expression,
    batch: Batch,
    compute: Callable[[Expression, Batch, Budget], T],
    budget: Budget,
) -> T:
    """Evaluate ``expression``; a row that fails is reported with the operator's name."""
    try:
        return compute(expression, batch, budget)
    except RowFailure as failure:
        row = batch.row(failure.index)
        place, text = expression.place, expression.text
        raise RowError(operator, place, text, row, failure.reason) from None


def evaluate_select(
    operator: str, select: Sequence[Expression], row_type: RowType, batch: Batch
) -> Batch:
    """Evaluate a ``select`` for each record; without expressions return the records."""
    if not select:
        return batch
    budget = Budget()
    columns = tuple(compute(operator, expression, batch, evaluate, budget) for expression in select)
    return Batch(row_type, columns, batch.timestamps, batch.origins)


def timestamped(batch: Batch) -> Batch:
    """Return the same records, all with a timestamp; missing ones become ``NO_TIMESTAMP``."""
    if batch.timestamps is not None:
        return batch
    return batch.with_timestamps(np.full(len(batch), NO_TIMESTAMP, np.int64))


def times_of(operator: str, place: str, batch: Batch) -> Longs:
    """Each record's timestamp; raises ``RowError`` for a record that has none."""
    times = batch.timestamps
    if times is None:
        times = np.full(len(batch), NO_TIMESTAMP, np.int64)
    missing = int(np.argmin(times))
    if times[missing] == NO_TIMESTAMP:
        reason = "the record has no timestamp; put a timestamps transformation before"
        raise RowError(operator, place, "", batch.row(missing), reason)
    return times


def later(times: Longs, by: int) -> Longs:
    """Add ``by`` milliseconds; sums beyond the range of LONG become its limit."""
    if by >= 0:
        return np.minimum(times, LONG_MAX - by) + by
    return np.maximum(times, LONG_MIN - by) + by


def busy_until(begun: int, records: int, cost: float) -> None:
    """Keep the thread busy for ``cost`` microseconds per record, counted from ``begun``.

    ``begun`` is a value of ``perf_counter_ns``.
    """
    until = begun + round(records * cost * 1000)
    while perf_counter_ns() < until:
        pass
