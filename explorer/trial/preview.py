"""What do the first rows become, at once? The job in this process, without Spark.

The same plan and the same subtasks as a trial's, so its figures are those of a trial over as many
rows. Of each source the first rows are taken; what grows beyond the limits ends with a sentence.
"""

from collections.abc import Iterable
from itertools import repeat
from pathlib import Path
from time import perf_counter
from typing import Any, Final, TypeAlias

import msgspec
from msgspec.structs import replace

from explorer.errors import TrialError
from explorer.flink.compiler import Compilation
from explorer.rows.batch import Batch
from explorer.rows.row_type import RowType
from explorer.task.local_job import run_job
from explorer.trial.gathering import make_report
from explorer.trial.metering import Limits, Meter
from explorer.trial.planning import plan_trial
from explorer.trial.sampling import Sample, sampled
from explorer.trial.synthetic import is_synthetic
from explorer.trial.trial_report import TrialReport

ROWS: Final = 1000
"""Rows of each source."""
PREVIEW_LIMITS: Final = Limits(
    name="preview", subtasks=256, rows=100_000, bytes=64 * 1024 * 1024, seconds=2.0
)
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
    union_tag: int = 0
    """The input, 1 or 2, of a join over windows as whose row each is tagged; 0: none is."""
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
    seconds: float = PREVIEW_LIMITS.seconds,
) -> Preview:
    """Run a job over the first ``rows`` rows of each source, in this process.

    Raises ``ExplorerError`` as ``start_trial`` does, and where a limit is passed.
    """
    if is_synthetic(compilation):
        raise TrialError(NO_FUNCTIONS)
    begun = perf_counter()
    folder = None if data_dir is None else Path(data_dir)
    planned = plan_trial(compilation, data_dir=folder, limit=rows)
    meter = Meter(planned.job, replace(PREVIEW_LIMITS, seconds=seconds))
    job, cut = sampled(planned.job, Sample(rows=rows))
    watch = _Watch(meter)
    frames = run_job(job, watch.tap, meter.pause)
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


class _Watch:
    """Looks at what the operators hand on, and keeps the first of it."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._counts: dict[tuple[int, str | None, RowType], dict[int, int]] = {}
        self._data: dict[tuple[int, str | None, RowType], list[Record]] = {}

    def tap(self, subtask: int, node: int, tag: str | None, batch: Batch) -> None:
        """Take what an operator hands on."""
        self._meter.weigh(node, batch)
        place = (node, tag, batch.row_type)
        counts = self._counts.setdefault(place, {})
        before = counts.get(subtask, 0)
        counts[subtask] = before + len(batch)
        if before < SHOWN:
            first = batch.slice(0, min(len(batch), SHOWN - before))
            data = self._data.setdefault(place, [])
            data += ((subtask, time, row) for time, row in _records(first))
        self._meter.pause()

    def handed_on(self) -> tuple[HandedOn, ...]:
        """All that was seen, a table a place."""
        return tuple(
            HandedOn(
                node=node,
                tag=tag,
                columns=_columns(row_type),
                union_tag=row_type.tag,
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
