"""Operators that look at each record alone: map, filter, flat map, process.

Mirrors ``StreamMap``, ``StreamFilter``, ``StreamFlatMap`` and ``ProcessOperator``.
"""

from collections.abc import Callable
from functools import partial
from time import sleep
from typing import Any, Final

import numpy as np

from explorer.engine import plan
from explorer.engine.operators.splitting import separators, split_column
from explorer.engine.operators.step import Emission, Waitless, computed, selected
from explorer.engine.rows.batch import NO_TIMESTAMP, Batch
from explorer.engine.rows.expressions.evaluator import evaluate, holds
from explorer.engine.rows.sizes import Budget


def pass_on(_operator: str, _step: plan.PassOn, batch: Batch) -> list[Emission]:
    """Every record unchanged, with its timestamp."""
    return [(None, batch)]


def drop(_operator: str, _step: plan.Drop, _batch: Batch) -> list[Emission]:
    """No record at all."""
    return []


def tag(_operator: str, step: plan.Tag, batch: Batch) -> list[Emission]:
    """Every record unchanged but for its tag; ``CoGroupedStreams.Input1Tagger`` and its twin."""
    return [(None, batch.with_row_type(batch.row_type.tagged(step.tag)))]


def wait(_operator: str, step: plan.Await, batch: Batch) -> list[Emission]:
    """Every record unchanged, when so many answers at a time have taken their time.

    As each takes as long, they come in the records' order, whether Flink waits for that or not.
    """
    rounds = -(-len(batch) // step.capacity)
    sleep(rounds * step.delay / 1000)
    return [(None, batch)]


def select(operator: str, step: plan.Select, batch: Batch) -> list[Emission]:
    """A new row of each row; the timestamp stays."""
    made = selected(operator, step, batch)
    return [(None, made.with_objects(batch.objects) if step.in_place else made)]


def where(operator: str, step: plan.Where, batch: Batch) -> list[Emission]:
    """The rows for which a condition is true."""
    kept = batch.filter(computed(operator, step.condition, batch, holds, Budget()))
    return [(None, kept)] if len(kept) else []


def route(operator: str, step: plan.Route, batch: Batch) -> list[Emission]:
    """Side outputs by condition, and the main output for rows that meet none.

    ``Context.output`` gives a record without a timestamp ``Long.MIN_VALUE``, as a timestamp.
    """
    rest, budget = np.ones(len(batch), np.bool_), Budget()
    emissions: list[Emission] = []
    for tag, condition in step.conditions:
        met = computed(operator, condition, batch, holds, budget)
        rest &= ~met
        if met.any():
            emissions.append((tag, timestamped(batch.filter(met))))
    if rest.any():
        emissions.append((None, batch.filter(rest)))
    return emissions


def timestamped(batch: Batch) -> Batch:
    """The same records, all with a timestamp."""
    if batch.timestamps is not None:
        return batch
    return batch.with_timestamps(np.full(len(batch), NO_TIMESTAMP, np.int64))


def split_text(operator: str, step: plan.SplitText, batch: Batch) -> list[Emission]:
    """One row a part of a text between matches of a pattern; empty parts are dropped."""
    texts = computed(operator, step.value, batch, evaluate, Budget())
    words, parents = split_column(texts, step.pattern, separators(step.pattern))
    if not len(words):
        return []
    times = None if batch.timestamps is None else batch.timestamps[parents()]
    origins = None if batch.origins is None else batch.origins.at(parents())
    return [(None, Batch(step.row_type, (words,), times, origins))]


_WORK: Final[dict[type[plan.Step], Callable[[str, Any, Batch], list[Emission]]]] = {
    plan.PassOn: pass_on,
    plan.Drop: drop,
    plan.Tag: tag,
    plan.Await: wait,
    plan.Select: select,
    plan.Where: where,
    plan.Route: route,
    plan.SplitText: split_text,
}
"""By what is planned for an operator of that name, what goes on of a batch."""


class Stateless(Waitless):
    """A step that keeps nothing and waits for nothing."""

    def __init__(self, operator: str, step: plan.Step) -> None:
        self.process = partial(_WORK[type(step)], operator, step)
