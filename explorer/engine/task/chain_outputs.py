"""The outputs of a chain's operators: to the next operator, and to those that a selector names.

Mirrors ``ChainingOutput``, ``CopyingChainingOutput.pushToOperator``, which copies each record's
value with the type's serializer (here a batch's columns are copied), and ``DirectedOutput``.
"""

from collections.abc import Mapping
from time import perf_counter_ns

import numpy as np

from explorer.engine import plan
from explorer.engine.counters import ChainedCounters
from explorer.engine.rows.batch import Batch, Bools
from explorer.engine.rows.expressions.evaluator import holds
from explorer.engine.rows.sizes import Budget
from explorer.engine.steps.step_work import compute


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


def chosen_names(operator: plan.Operator, batch: Batch) -> Mapping[str, Bools]:
    """Map each output name to the records for which one of the operator's selectors gives it."""
    arrays: dict[str, Bools] = {}
    budget = Budget()
    for selector in operator.selectors:
        if selector.row_type != batch.row_type:
            continue
        for name, condition in selector.conditions:
            met = compute(operator.name, condition, batch, holds, budget)
            arrays[name] = arrays[name] | met if name in arrays else met
    return arrays


def directed(names: tuple[str, ...] | None, chosen: Mapping[str, Bools], batch: Batch) -> Batch:
    """The records that an output emits; ``names`` select the output, None: it emits all."""
    if names is None:
        return batch
    # ``DirectedOutput.selectOutputs`` collects the outputs in a set: a record for which two of the
    # names are chosen leaves once.
    selected = np.zeros(len(batch), np.bool_)
    for name in names:
        if name in chosen:
            selected |= chosen[name]
    return batch if selected.all() else batch.filter(selected)
