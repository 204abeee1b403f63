"""What is a trial that reads the beginning of its sources alone? The same job, its sources cut."""

import msgspec
from msgspec.structs import replace

from explorer.task import plan
from explorer.trial.planning import TrialPlan


def first_rows(planned: TrialPlan, most: int | None) -> TrialPlan:
    """Let every source end after ``most`` rows, and say so of those that may have more."""
    if most is None:
        return planned
    tasks = tuple(
        replace(task, operators=tuple(_cut(operator, most) for operator in task.operators))
        for task in planned.job.tasks
    )
    pairs = zip(planned.job.tasks, tasks, strict=True)
    ends = [
        before.name
        for old, new in pairs
        for before, after in zip(old.operators, new.operators, strict=True)
        if before != after
    ]
    warnings = (f"{name}: this page reads the first {most:,} rows of a source" for name in ends)
    return replace(
        planned,
        job=replace(planned.job, tasks=tasks),
        warnings=(*planned.warnings, *dict.fromkeys(warnings)),
    )


def _cut(operator: plan.Operator, most: int) -> plan.Operator:
    if operator.source is None or operator.source.rows is None:
        return operator
    rows = _first(operator.source.rows, most)
    return replace(operator, source=replace(operator.source, rows=rows))


def _first(
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
