"""What is a trial that reads the beginning of its sources alone? The same job, its sources cut."""

import msgspec
from msgspec.structs import replace

from explorer.task import plan
from explorer.trial.planning import TrialPlan
from explorer.trial.sampling import with_sources


def first_rows(planned: TrialPlan, most: int) -> TrialPlan:
    """Let every source end after ``most`` rows, and say so of those that may have more."""
    ends: list[str] = []

    def cut(operator: plan.Operator, source: plan.Source) -> plan.Source:
        if source.rows is None:
            return source
        shorter = replace(source, rows=_first(source.rows, most))
        if shorter != source:
            ends.append(f"{operator.name}: this page reads the first {most:,} rows of a source")
        return shorter

    job = with_sources(planned.job, cut)
    return replace(planned, job=job, warnings=(*planned.warnings, *dict.fromkeys(ends)))


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
