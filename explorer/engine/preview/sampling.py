"""Limits a plan to a sample: the first rows of each source, or those that meet a condition.

Files are read by a process that may die; see ``explorer.engine.rows.sources.columns``.
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
import numpy as np
from msgspec.structs import replace

from explorer.engine import plan
from explorer.engine.planning.trial_plan import TrialPlan
from explorer.engine.rows.batch import from_rows
from explorer.engine.rows.errors import RowFailure
from explorer.engine.rows.expressions.evaluator import holds
from explorer.engine.rows.expressions.parser import compile_expression
from explorer.engine.rows.sources import columns
from explorer.engine.rows.sources.generator import generated
from explorer.errors import ExplorerError, TrialError
from explorer.model.row_type import BOOLEAN, RowType

SEARCHED: Final = 100_000
"""Rows of a source among which those that fulfil a condition are looked for."""

Row: TypeAlias = tuple[Any, ...]


class RowSample(msgspec.Struct, frozen=True, kw_only=True):
    """How many rows of each source, and which."""

    rows: int
    where: str | None = None
    """A condition that a source's rows must fulfil; None: the first rows."""
    source: int | None = None
    """The node of the source to which the condition is put; None: all that have its columns."""


def sampled(job: plan.Job, sample: RowSample) -> tuple[plan.Job, tuple[str, ...]]:
    """The job with some of its sources' rows alone, and the names of the sources that have more.

    Raises ``ExplorerError`` where a condition fits no source, or fails for a row.
    """
    chosen = _chosen(job, sample)
    cut: list[str] = []

    def shorter(one: plan.Operator, source: plan.Source) -> plan.Source:
        where = sample.where if one.node in chosen else None
        some, more = _some_of(source, sample.rows, where)
        if more:
            cut.append(one.name)
        return some

    return with_sources(job, shorter), tuple(cut)


def with_sources(
    job: plan.Job, change: Callable[[plan.Operator, plan.Source], plan.Source]
) -> plan.Job:
    """The same job with other sources; ``change`` is asked for each, with its operator."""

    def changed(one: plan.Operator) -> plan.Operator:
        return one if one.source is None else replace(one, source=change(one, one.source))

    tasks = (replace(one, operators=tuple(map(changed, one.operators))) for one in job.tasks)
    return replace(job, tasks=tuple(tasks))


def _chosen(job: plan.Job, sample: RowSample) -> frozenset[int]:
    """The sources to which the condition is put."""
    if sample.where is None:
        return frozenset()
    found, refusal = set(), None
    for operator in (one for task in job.tasks for one in task.operators):
        if operator.source is None or sample.source not in {None, operator.node}:
            continue
        try:
            compile_expression(sample.where, operator.source.row_type, "where", BOOLEAN)
            found.add(operator.node)
        except ExplorerError as error:
            refusal = error
    if not found and refusal is not None:
        raise refusal
    return frozenset(found)


def _some_of(source: plan.Source, count: int, where: str | None) -> tuple[plan.Source, bool]:
    """A source of no more rows than ``count``, and whether there are more."""
    if where is not None:
        return _fulfilling(source, count, where)
    match source.rows:
        case plan.SequenceRows(first=first, last=last):
            shorter = plan.SequenceRows(first=first, last=min(last, first + count - 1))
            return replace(source, rows=shorter), last > shorter.last
        case None:
            return source, False
        case _:
            values, more = _first_values(source, count)
            return replace(source, rows=plan.InlineRows(values=values)), more


def _fulfilling(source: plan.Source, count: int, where: str) -> tuple[plan.Source, bool]:
    """A source of the rows that fulfil a condition; each stays with the subtask that reads it."""
    values, more = _first_values(source, SEARCHED)
    if not values:
        return source, False
    condition = compile_expression(where, source.row_type, "where", BOOLEAN)
    try:
        found = np.flatnonzero(holds(condition, from_rows(source.row_type, values))).tolist()
    except RowFailure as failure:
        msg = f"where: {where!r} fails for row {failure.index + 1}: {failure.reason}"
        raise TrialError(msg) from None
    retained = tuple(found[:count])
    rows = plan.InlineRows(values=tuple(values[place] for place in retained), places=retained)
    return replace(source, rows=rows), more or len(found) > count


def _first_values(source: plan.Source, count: int) -> tuple[tuple[Row, ...], bool]:
    """The first rows of a source, ``count`` at most, and whether it has more."""
    match source.rows:
        case plan.SequenceRows(first=first, last=last):
            numbers = range(first, min(last + 1, first + count))
            return tuple((number,) for number in numbers), last - first >= count
        case plan.MadeUpRows(rows=made, last=last):
            beginning = generated(made, source.row_type, np.arange(min(last + 1, count)))
            return tuple(map(tuple, beginning.rows())), last >= count
        case plan.InlineRows(values=values):
            return values[:count], len(values) > count
        case plan.FileRows() as file:
            return _beginning(file, source.row_type, count)
        case None:
            return (), False


@lru_cache(maxsize=8)
def _beginning(file: plan.FileRows, row_type: RowType, rows: int) -> tuple[tuple[Row, ...], bool]:
    """The file's first rows, and whether it has more; asked once while the file is the same."""
    return columns.first_rows(Path(file.path), file.name, file.format, row_type, rows)


def first_rows(planned: TrialPlan, most: int) -> TrialPlan:
    """Let every source end after ``most`` rows, and say so of those that may have more."""
    ends: list[str] = []

    def cut(operator: plan.Operator, source: plan.Source) -> plan.Source:
        if source.rows is None:
            return source
        shorter = replace(source, rows=_beginning_of(source.rows, most))
        if shorter != source:
            ends.append(f"{operator.name}: this page reads the first {most:,} rows of a source")
        return shorter

    job = with_sources(planned.job, cut)
    return replace(planned, job=job, warnings=(*planned.warnings, *dict.fromkeys(ends)))


def _beginning_of(
    rows: plan.SequenceRows | plan.MadeUpRows | plan.InlineRows | plan.FileRows, most: int
) -> msgspec.Struct:
    match rows:
        case plan.SequenceRows():
            return replace(rows, last=min(rows.last, rows.first + most - 1))
        case plan.MadeUpRows():
            return replace(rows, last=min(rows.last, most - 1))
        case plan.InlineRows():
            return replace(rows, values=rows.values[:most])
        case plan.FileRows():
            return replace(rows, most=most)
