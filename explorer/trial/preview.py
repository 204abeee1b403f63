"""What do the first rows become, at once? The job in this process, without Spark.

The same plan and the same subtasks as a trial's, so its figures are those of a trial over as many
rows. Of each source the first rows are taken; what grows beyond the limits ends with a sentence.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import repeat
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any, Final, NoReturn, TypeAlias

import msgspec
from msgspec.structs import replace

from explorer.errors import TrialError
from explorer.flink.compiler import Compilation
from explorer.rows.batch import Batch
from explorer.rows.row_type import RowType
from explorer.rows.sources.columns import first_rows
from explorer.task import plan
from explorer.task.local_job import run_job
from explorer.trial.gathering import make_report
from explorer.trial.planning import plan_trial
from explorer.trial.synthetic import is_synthetic
from explorer.trial.trial_report import TrialReport

ROWS: Final = 1000
"""Rows of each source."""
MOST_ROWS: Final = 100_000
"""Rows that all operators together may hand on: a flat map can make many of one."""
MOST_BYTES: Final = 64 * 1024 * 1024
"""Of all rows that operators hand on; what waits for a consumer lies in memory."""
MOST_SUBTASKS: Final = 256
"""Each is made and run for itself, whatever it has to do."""
SECONDS: Final = 2.0
"""Of this thread's own work, however busy the machine is with others'."""
NO_FUNCTIONS: Final = (
    "this document does not hold the program's functions, so there are no rows to look at; a trial "
    "run counts records with synthetic operators in their place"
)
SHOWN: Final = 50
"""Rows that are kept of what one subtask hands on in one place."""


Record: TypeAlias = tuple[int, int | None, tuple[Any, ...]]
"""The subtask that handed it on, its timestamp, if it has one, and its values."""


class HandedOn(msgspec.Struct, frozen=True, kw_only=True):
    """Rows that an operator handed on, to its main output or to a side output."""

    node: int
    tag: str | None
    """The side output's; None: the main output."""
    columns: tuple[tuple[str, str], ...]
    """Name and type."""
    rows: int
    """All of them."""
    data: tuple[Record, ...]
    """The first ones of each subtask."""


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """What the first rows became."""

    report: TrialReport
    handed_on: tuple[HandedOn, ...]
    """By operator, side output and row type, in the order in which they first came."""
    cut: tuple[str, ...]
    """Names of the sources that have more rows than were taken."""

    def of(self, node: int, tag: str | None = None) -> tuple[HandedOn, ...]:
        """What an operator handed on to an output, a table for each row type."""
        return tuple(one for one in self.handed_on if (one.node, one.tag) == (node, tag))

    def to_dict(self) -> dict[str, Any]:
        """The report's members, and those of the preview."""
        own = {"handed_on": msgspec.to_builtins(self.handed_on), "cut": list(self.cut)}
        return self.report.to_dict() | own


def preview_trial(
    compilation: Compilation,
    *,
    data_dir: str | Path | None = None,
    rows: int = ROWS,
    seconds: float = SECONDS,
) -> Preview:
    """Run a job over the first ``rows`` rows of each source, in this process.

    Raises ``ExplorerError`` as ``start_trial`` does, and where a limit is passed.
    """
    if is_synthetic(compilation):
        raise TrialError(NO_FUNCTIONS)
    begun = perf_counter()
    folder = None if data_dir is None else Path(data_dir)
    planned = plan_trial(compilation, data_dir=folder, limit=rows)
    _check_size(planned.job)
    job, cut = _shortened(planned.job, rows)
    watch = _Watch(job, seconds)
    frames = run_job(job, watch.tap, watch.pause)
    report = make_report(
        compilation,
        replace(planned, job=job),
        frames,
        master="this process",
        wall_ms=(perf_counter() - begun) * 1000,
        limit=rows,
        collected=True,
    )
    return Preview(report=report, handed_on=watch.handed_on(), cut=cut)


def _check_size(job: plan.Job) -> None:
    total = sum(task.parallelism for task in job.tasks)
    if total > MOST_SUBTASKS:
        msg = (
            f"this job has {total:,} subtasks, and a preview runs at most {MOST_SUBTASKS:,}; "
            "start a trial run, or lower the parallelism"
        )
        raise TrialError(msg)


def _shortened(job: plan.Job, rows: int) -> tuple[plan.Job, tuple[str, ...]]:
    """The job with its sources' first rows alone, and which sources have more."""
    cut: list[str] = []

    def shorter(one: plan.Operator) -> plan.Operator:
        if one.source is None:
            return one
        source, more = _first_of(one.source, rows)
        if more:
            cut.append(one.name)
        return replace(one, source=source)

    tasks = tuple(
        replace(task, operators=tuple(map(shorter, task.operators))) for task in job.tasks
    )
    return replace(job, tasks=tasks), tuple(cut)


def _first_of(source: plan.Source, count: int) -> tuple[plan.Source, bool]:
    """A source of no more rows than ``count``, and whether there are more."""
    match source.rows:
        case plan.SequenceRows(first=first, last=last):
            shorter = plan.SequenceRows(first=first, last=min(last, first + count - 1))
            return replace(source, rows=shorter), last > shorter.last
        case plan.InlineRows(values=values):
            return _inline(source, values, count)
        case plan.FileRows() as file:
            return _inline(source, _beginning(file, source.row_type, count + 1), count)
        case None:
            return source, False


def _inline(
    source: plan.Source, values: tuple[tuple[Any, ...], ...], count: int
) -> tuple[plan.Source, bool]:
    return replace(source, rows=plan.InlineRows(values=values[:count])), len(values) > count


@lru_cache(maxsize=32)
def _beginning(file: plan.FileRows, row_type: RowType, rows: int) -> tuple[tuple[Any, ...], ...]:
    """The file's first rows; asked once as long as the file is the same."""
    return first_rows(Path(file.path), file.name, file.format, row_type, rows)


class _Watch:
    """Looks at what the operators hand on, keeps the first of it, and ends what is too much."""

    def __init__(self, job: plan.Job, seconds: float) -> None:
        self._names = {one.node: one.name for task in job.tasks for one in task.operators}
        self._seconds, self._end = seconds, thread_time() + seconds
        self._rows = self._bytes = 0
        self._counts: dict[tuple[int, str | None, RowType], dict[int, int]] = {}
        self._data: dict[tuple[int, str | None, RowType], list[Record]] = {}

    def tap(self, subtask: int, node: int, tag: str | None, batch: Batch) -> None:
        """Take what an operator hands on."""
        self._weigh(node, batch)
        place = (node, tag, batch.row_type)
        counts = self._counts.setdefault(place, {})
        before = counts.get(subtask, 0)
        counts[subtask] = before + len(batch)
        if before < SHOWN:
            first = batch.slice(0, min(len(batch), SHOWN - before))
            data = self._data.setdefault(place, [])
            data += ((subtask, time, row) for time, row in _records(first))
        self.pause()

    def _weigh(self, node: int, batch: Batch) -> None:
        """Count what is handed on, and end a job that hands on too much."""
        self._rows += len(batch)
        self._bytes += sum(column.nbytes for column in batch.columns)
        if self._rows > MOST_ROWS:
            self._end_at(node, f"{MOST_ROWS:,} rows")
        if self._bytes > MOST_BYTES:
            self._end_at(node, f"{MOST_BYTES >> 20} MB of rows")

    def _end_at(self, node: int, amount: str) -> NoReturn:
        msg = (
            f"the preview ended at {amount}, which {self._names[node]!r} was handing on; start a "
            "trial run, or begin with fewer rows"
        )
        raise TrialError(msg)

    def pause(self) -> None:
        """End a job that takes too long."""
        if thread_time() > self._end:
            msg = (
                f"the preview ended after {self._seconds:g} s of work; start a trial run, or begin "
                "with fewer rows"
            )
            raise TrialError(msg)

    def handed_on(self) -> tuple[HandedOn, ...]:
        """All that was seen, a table a place."""
        return tuple(
            HandedOn(
                node=node,
                tag=tag,
                columns=_columns(row_type),
                rows=sum(counts.values()),
                data=tuple(self._data.get((node, tag, row_type), ())),
            )
            for (node, tag, row_type), counts in self._counts.items()
        )


def _columns(row_type: RowType) -> tuple[tuple[str, str], ...]:
    return tuple(zip(row_type.names, map(str, row_type.types), strict=True))


def _records(batch: Batch) -> Iterable[tuple[int | None, tuple[Any, ...]]]:
    rows = zip(*(column.to_pylist() for column in batch.columns), strict=True)
    times = repeat(None) if batch.timestamps is None else batch.timestamps.tolist()
    return zip(times, rows, strict=False)
