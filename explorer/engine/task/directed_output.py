"""Sends each record to the outputs that an ``OutputSelector`` names; mirrors ``DirectedOutput``."""

from collections.abc import Mapping

import numpy as np

from explorer.engine import plan
from explorer.engine.rows.batch import Batch, Bools
from explorer.engine.rows.expressions.evaluator import holds
from explorer.engine.rows.sizes import Budget
from explorer.engine.steps.step_work import compute


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
    selected = np.zeros(len(batch), np.bool_)
    for name in names:
        if name in chosen:
            selected |= chosen[name]
    return batch if selected.all() else batch.filter(selected)
