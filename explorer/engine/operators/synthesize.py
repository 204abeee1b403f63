"""Stands in for an operator of which only figures are known: records out, and time per record.

The documents of captured programs do not hold their functions.
"""

from time import perf_counter_ns
from typing import ClassVar, Final

import numpy as np

from explorer.engine.operators.step import Emitted, Step, Traits
from explorer.engine.operators.step_work import (
    Emission,
    Share,
    Waitless,
    busy_until,
    timestamped,
)
from explorer.engine.rows.batch import BATCH_ROWS, Batch, Longs
from explorer.model.row_type import RowType
from explorer.wording import listed

MILLION: Final = 1_000_000


class Synthesize(Step, frozen=True, kw_only=True):
    """Emit a fixed number of records for each record, and spend a fixed time."""

    verb: ClassVar = "stands in for a function"
    traits = Traits(order_sensitive=False, buffers=False, emits_each=False)
    outputs: tuple[tuple[str | None, int], ...]
    """By tag, None for the main output: records out for a million records in."""
    cost: float
    """Microseconds that each record costs."""

    def work(self, operator: str, row_type: RowType, share: Share) -> "SynthesizeWork":
        return SynthesizeWork(self, share)

    def passed(self, emitted: Emitted) -> str:
        return f"It emits {self._ratios()} for each record."

    def ended(self) -> str:
        return f"It emits {self._ratios()} for each record."

    def _ratios(self) -> str:
        return listed(
            f"{count / MILLION:g} to {tag or 'the main output'}" for tag, count in self.outputs
        )


class SynthesizeWork(Waitless):
    """Emits a number of records for each input record, evenly, whatever the batches are."""

    def __init__(self, step: Synthesize, share: Share) -> None:
        self._cost = step.cost
        self._outputs = [(tag, _Spacing(ratio, share)) for tag, ratio in step.outputs]

    def process(self, batch: Batch) -> list[Emission]:
        """Repeat or leave out records, and spend the time that they cost."""
        begun = perf_counter_ns()
        emissions: list[Emission] = []
        for tag, spacing in self._outputs:
            copies = spacing.copies(len(batch))
            made = batch if tag is None else timestamped(batch)
            emissions += ((tag, part) for part in _repeated(made, copies))
        busy_until(begun, len(batch), self._cost)
        return emissions


class _Spacing:
    """How often each record of a stream goes on, where ``ratio`` of a million do.

    Subtask ``i`` of ``p`` begins ``i/p`` of a record ahead: where all get as many records, their
    sum is then what a single subtask would emit (Hermite's identity).
    """

    def __init__(self, ratio: int, share: Share) -> None:
        self._step = ratio * share.parallelism
        self._whole = MILLION * share.parallelism
        self._rest = MILLION * share.subtask

    def copies(self, records: int) -> Longs:
        """By record, how often it goes on; whole numbers, so that no batch loses a part."""
        reached = self._rest + self._step * np.arange(records + 1, dtype=np.int64)
        self._rest = int(reached[-1]) % self._whole
        counts: Longs = np.diff(reached // self._whole)
        return counts


def _repeated(batch: Batch, copies: Longs) -> list[Batch]:
    """The records, each as often as in ``copies``, in batches of no more than the usual size."""
    if (copies == 1).all():
        return [batch]
    picked = np.repeat(np.arange(len(batch)), copies)
    starts = range(0, len(picked), BATCH_ROWS)
    return [batch.take(picked[start : start + BATCH_ROWS]) for start in starts]
