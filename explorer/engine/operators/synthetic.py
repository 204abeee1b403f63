"""An operator of which only figures are known: how many records go on, and what each one costs.

It stands in for a function that a captured program's document does not hold.
"""

from time import perf_counter_ns

import numpy as np

from explorer.engine import plan
from explorer.engine.operators.stateless import timestamped
from explorer.engine.operators.step import Emission, Share, Waitless, busy_until
from explorer.engine.rows.batch import BATCH_ROWS, Batch, Longs

_MILLION = 1_000_000


class Synthetic(Waitless):
    """Hands on so many records for each that comes in, evenly, however they come in batches."""

    def __init__(self, step: plan.Synthesize, share: Share) -> None:
        self._cost = step.cost
        self._outputs = [(tag, _Spacing(ratio, share)) for tag, ratio in step.outputs]

    def process(self, batch: Batch) -> list[Emission]:
        """Repeat or leave out records, and take the time that they cost."""
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
    sum is then what a single subtask would hand on (Hermite's identity).
    """

    def __init__(self, ratio: int, share: Share) -> None:
        self._step = ratio * share.parallelism
        self._whole = _MILLION * share.parallelism
        self._rest = _MILLION * share.subtask

    def copies(self, records: int) -> Longs:
        """By record, how often it goes on; whole numbers, so that no batch loses a part."""
        reached = self._rest + self._step * np.arange(records + 1, dtype=np.int64)
        self._rest = int(reached[-1]) % self._whole
        counts: Longs = np.diff(reached // self._whole)
        return counts


def _repeated(batch: Batch, copies: Longs) -> list[Batch]:
    """The records, each as often as ``copies`` says, in batches of no more than the usual size."""
    if (copies == 1).all():
        return [batch]
    picked = np.repeat(np.arange(len(batch)), copies)
    starts = range(0, len(picked), BATCH_ROWS)
    return [batch.take(picked[start : start + BATCH_ROWS]) for start in starts]
