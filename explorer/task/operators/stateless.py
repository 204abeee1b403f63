"""Operators that look at each record alone: map, filter, flat map, process.

Mirrors ``StreamMap``, ``StreamFilter``, ``StreamFlatMap`` and ``ProcessOperator``.
"""

from collections.abc import Callable
from time import sleep

import numpy as np

from explorer.rows.batch import NO_TIMESTAMP, Batch
from explorer.rows.expressions.evaluator import evaluate, holds
from explorer.rows.sizes import Budget
from explorer.task import plan
from explorer.task.operators.splitting import separators, split_column
from explorer.task.operators.step import Emission, Waitless, computed, selected


class Stateless(Waitless):
    """A step that keeps nothing and waits for nothing."""

    def __init__(self, work: Callable[[Batch], list[Emission]]) -> None:
        self.process = work


def pass_on() -> Stateless:
    """Every record unchanged, with its timestamp."""
    return Stateless(lambda batch: [(None, batch)])


def tag(step: plan.Tag) -> Stateless:
    """Every record unchanged but for its tag; ``CoGroupedStreams.Input1Tagger`` and its twin."""

    def work(batch: Batch) -> list[Emission]:
        return [(None, batch.with_row_type(batch.row_type.tagged(step.tag)))]

    return Stateless(work)


def wait(step: plan.Await) -> Stateless:
    """Every record unchanged, when so many answers at a time have taken their time.

    As each takes as long, they come in the records' order, whether Flink waits for that or not.
    """

    def work(batch: Batch) -> list[Emission]:
        rounds = -(-len(batch) // step.capacity)
        sleep(rounds * step.delay / 1000)
        return [(None, batch)]

    return Stateless(work)


def drop() -> Stateless:
    """No record at all."""
    return Stateless(lambda _: [])


def select(operator: str, step: plan.Select) -> Stateless:
    """A new row of each row; the timestamp stays."""

    def work(batch: Batch) -> list[Emission]:
        made = selected(operator, step, batch)
        return [(None, made.with_objects(batch.objects) if step.in_place else made)]

    return Stateless(work)


def where(operator: str, step: plan.Where) -> Stateless:
    """The rows for which a condition is true."""

    def work(batch: Batch) -> list[Emission]:
        kept = batch.filter(computed(operator, step.condition, batch, holds, Budget()))
        return [(None, kept)] if len(kept) else []

    return Stateless(work)


def route(operator: str, step: plan.Route) -> Stateless:
    """Side outputs by condition, and the main output for rows that meet none.

    ``Context.output`` gives a record without a timestamp ``Long.MIN_VALUE``, as a timestamp.
    """

    def work(batch: Batch) -> list[Emission]:
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

    return Stateless(work)


def timestamped(batch: Batch) -> Batch:
    """The same records, all with a timestamp."""
    if batch.timestamps is not None:
        return batch
    return batch.with_timestamps(np.full(len(batch), NO_TIMESTAMP, np.int64))


def split_text(operator: str, step: plan.SplitText) -> Stateless:
    """One row a part of a text between matches of a pattern; empty parts are dropped."""
    alone = separators(step.pattern)

    def work(batch: Batch) -> list[Emission]:
        texts = computed(operator, step.value, batch, evaluate, Budget())
        words, parents = split_column(texts, step.pattern, alone)
        if not len(words):
            return []
        times = None if batch.timestamps is None else batch.timestamps[parents()]
        origins = None if batch.origins is None else batch.origins.at(parents())
        return [(None, Batch(step.row_type, (words,), times, origins))]

    return Stateless(work)
