"""Limits a plan to a sample: the first rows of each source, or those that meet a condition.

Files are read by a process that may die; see ``explorer.engine.rows.sources.columns``.
"""

from collections.abc import Callable, Sequence
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
"""Limit of a source's rows that are searched for rows that meet a condition."""

Row: TypeAlias = tuple[Any, ...]


class RowSample(msgspec.Struct, frozen=True, kw_only=True):
    """The count of rows of each source, and the condition that they meet."""

    rows: int
    where: str | None = None
    """A condition for a source's rows; None: the first rows."""
    source: int | None = None
    """The node of the source with the condition; None: all sources that have its columns."""


def sample_sources(job: plan.Job, sample: RowSample) -> tuple[plan.Job, tuple[str, ...]]:
    """Limit a job to a sample; also return the names of the sources that have more rows.

    Raises ``ExplorerError`` where a condition fits no source, or fails for a row.
    """
    chosen = _sources_with_condition(job, sample)
    cut: list[str] = []

    def shorter(operator: plan.Operator, source: plan.Source) -> plan.Source:
        if sample.where is not None and operator.node in chosen:
            values, has_more = _matching_rows(source, sample.rows, sample.where)
        else:
            values, has_more = _some_rows(source, sample.rows)
        if has_more:
            cut.append(operator.name)
        return values

    return _with_sources(job, shorter), tuple(cut)


def _with_sources(
    job: plan.Job, change: Callable[[plan.Operator, plan.Source], plan.Source]
) -> plan.Job:
    """Replace each source of a job by ``change`` of its operator and the source."""

    def changed(operator: plan.Operator) -> plan.Operator:
        return (
            operator
            if operator.source is None
            else replace(operator, source=change(operator, operator.source))
        )

    tasks = (replace(task, operators=tuple(map(changed, task.operators))) for task in job.tasks)
    return replace(job, tasks=tuple(tasks))


def _sources_with_condition(job: plan.Job, sample: RowSample) -> set[int]:
    if sample.where is None:
        return set()
    result, refusal = set(), None
    for operator in (item for task in job.tasks for item in task.operators):
        if operator.source is None or sample.source not in {None, operator.node}:
            continue
        try:
            compile_expression(sample.where, operator.source.row_type, "where", BOOLEAN)
            result.add(operator.node)
        except ExplorerError as error:
            refusal = error
    if not result and refusal is not None:
        raise refusal
    return result


def _some_rows(source: plan.Source, count: int) -> tuple[plan.Source, bool]:
    """Limit a source to its first rows; also return whether it has more."""
    match source.rows:
        case plan.SequenceRows(first=first, last=last):
            shorter = plan.SequenceRows(first=first, last=min(last, first + count - 1))
            return replace(source, rows=shorter), last > shorter.last
        case None:
            return source, False
        case _:
            values, has_more = _first_values(source, count)
            return replace(source, rows=plan.InlineRows(values=values)), has_more


def _matching_rows(source: plan.Source, count: int, where: str) -> tuple[plan.Source, bool]:
    """Limit a source to rows that meet a condition; each stays with its subtask."""
    values, has_more = _first_values(source, SEARCHED)
    if not values:
        return source, False
    condition = compile_expression(where, source.row_type, "where", BOOLEAN)
    try:
        result = np.flatnonzero(holds(condition, from_rows(source.row_type, values))).tolist()
    except RowFailure as failure:
        msg = f"where: {where!r} fails for row {failure.index + 1}: {failure.reason}"
        raise TrialError(msg) from None
    retained = tuple(result[:count])
    rows = plan.InlineRows(values=tuple(values[place] for place in retained), places=retained)
    return replace(source, rows=rows), has_more or len(result) > count


def _first_values(source: plan.Source, count: int) -> tuple[tuple[Row, ...], bool]:
    """The first ``count`` rows of a source, and whether it has more."""
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
        case plan.HybridRows():
            return _first_of_all(source.parts, count)
        case None:
            return (), False


def _first_of_all(sources: Sequence[plan.Source], count: int) -> tuple[tuple[Row, ...], bool]:
    """The first rows of sources that are read one after the other, and whether there are more."""
    result: tuple[Row, ...] = ()
    for number, source in enumerate(sources, start=1):
        values, has_more = _first_values(source, count - len(result))
        result += values
        if has_more:
            return result, True
        if len(result) == count:
            return result, any(_first_values(later, 1)[0] for later in sources[number:])
    return result, False


@lru_cache(maxsize=8)
def _beginning(file: plan.FileRows, row_type: RowType, rows: int) -> tuple[tuple[Row, ...], bool]:
    """The file's first rows, and whether it has more; cached while the file is unchanged."""
    return columns.first_rows(Path(file.path), file.name, file.format, row_type, rows)


def first_rows(planned: TrialPlan, maximum: int) -> TrialPlan:
    """Limit every source to ``maximum`` rows, and warn of the sources that may have more."""
    ends: list[str] = []

    def cut(operator: plan.Operator, source: plan.Source) -> plan.Source:
        shorter = _limit_rows(source, maximum)
        if shorter != source:
            ends.append(f"{operator.name}: this page reads the first {maximum:,} rows of a source")
        return shorter

    job = _with_sources(planned.job, cut)
    return replace(planned, job=job, warnings=(*planned.warnings, *dict.fromkeys(ends)))


def _limit_rows(source: plan.Source, maximum: int) -> plan.Source:
    """Limit a source to its first rows; a file is not opened for that."""
    rows = source.rows
    match rows:
        case plan.SequenceRows():
            rows = replace(rows, last=min(rows.last, rows.first + maximum - 1))
        case plan.MadeUpRows():
            rows = replace(rows, last=min(rows.last, maximum - 1))
        case plan.InlineRows():
            rows = replace(rows, values=rows.values[:maximum])
        case plan.FileRows():
            rows = replace(rows, most=maximum)
        case plan.HybridRows():
            return _some_rows(source, maximum)[0] if _first_values(source, maximum)[1] else source
        case None:
            pass
    return replace(source, rows=rows)
