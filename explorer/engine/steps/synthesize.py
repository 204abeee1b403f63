"""Stands in for an operator with an unknown function: emits a ratio of records, and spends time.

The documents of captured programs do not contain their functions.
"""

from time import perf_counter_ns
from typing import ClassVar, Final

import numpy as np

from explorer.engine.rows.batch import BATCH_ROWS, Batch, Longs
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import (
    Emission,
    SubtaskContext,
    Waitless,
    busy_until,
    timestamped,
)
from explorer.model.row_type import RowType
from explorer.wording import listed

MILLION: Final = 1_000_000


class Synthesize(Step, frozen=True, kw_only=True):
    """Emit a fixed number of records for each record, and spend a fixed time."""

    verb: ClassVar = "stands in for a function"
    traits = Traits(order_sensitive=False, emits_each=False)
    outputs: tuple[tuple[str | None, int], ...]
    """By tag, None for the main output: records out for a million records in."""
    cost: float
    """Microseconds that each record costs."""

    def work(self, operator: str, row_type: RowType, share: SubtaskContext) -> "SynthesizeWork":
        return SynthesizeWork(self, share)

    def explain_emission(self, emitted: Emitted) -> str:
        return self.explain_silence()

    def explain_silence(self) -> str:
        ratios = listed(
            f"{count / MILLION:g} to {tag or 'the main output'}" for tag, count in self.outputs
        )
        return f"It emits {ratios} for each record."


class SynthesizeWork(Waitless):
    """Emits a number of records for each input record, evenly, whatever the batches are."""

    def __init__(self, step: Synthesize, share: SubtaskContext) -> None:
        self._cost = step.cost
        self._outputs = [(tag, _Spacing(ratio, share)) for tag, ratio in step.outputs]

    def process(self, batch: Batch) -> list[Emission]:
        begun = perf_counter_ns()
        emissions: list[Emission] = []
        for tag, spacing in self._outputs:
            copies = spacing.copies(len(batch))
            result = batch if tag is None else timestamped(batch)
            emissions += ((tag, part) for part in _repeat(result, copies))
        busy_until(begun, len(batch), self._cost)
        return emissions


class _Spacing:
    """Spaces ``ratio`` emitted records evenly among a million input records.

    Subtask ``i`` of ``p`` begins ``i/p`` of a record ahead: if all receive equally many records,
    they emit as many together as a single subtask would (Hermite's identity).
    """

    def __init__(self, ratio: int, share: SubtaskContext) -> None:
        self._step = ratio * share.parallelism
        self._whole = MILLION * share.parallelism
        self._rest = MILLION * share.subtask

    def copies(self, records: int) -> Longs:
        """Return how often each record is emitted; integers, so that no batch loses a fraction."""
        reached = self._rest + self._step * np.arange(records + 1, dtype=np.int64)
        self._rest = int(reached[-1]) % self._whole
        counts: Longs = np.diff(reached // self._whole)
        return counts


def _repeat(batch: Batch, copies: Longs) -> list[Batch]:
    """Repeat each record as often as in ``copies``, in batches of at most ``BATCH_ROWS``."""
    if (copies == 1).all():
        return [batch]
    picked = np.repeat(np.arange(len(batch)), copies)
    starts = range(0, len(picked), BATCH_ROWS)
    return [batch.take(picked[start : start + BATCH_ROWS]) for start in starts]
