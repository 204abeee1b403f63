"""Runs a job over the first rows of its sources, in this process, without Spark.

A preview retains the first rows of each operator's output.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec
from msgspec.structs import replace

from explorer.engine.preview.sample_run import Limits, run_sample
from explorer.engine.preview.sampling import RowSample
from explorer.engine.report.trial_report import TrialReport
from explorer.engine.rows.batch import Batch
from explorer.engine.rows.sources.columns import ANSWER_BYTES
from explorer.flink.compiler import Compilation

if TYPE_CHECKING:
    from explorer.model.row_type import RowType

PREVIEW_ROWS: Final = 1000
"""Rows of each source."""
PREVIEW_LIMITS: Final = Limits(
    name="preview", subtasks=256, rows=100_000, bytes=64 * 1024 * 1024, seconds=2.0
)
SHOWN: Final = 50
"""Limit of rows retained of one subtask for an output and row type."""


Record: TypeAlias = tuple[int, int | None, tuple[Any, ...]]
"""The emitting subtask, the timestamp, if there is one, and the values."""


class EmittedRows(msgspec.Struct, frozen=True, kw_only=True):
    """Rows that an operator emitted, to its main output or to a side output."""

    node: int
    tag: str | None
    """The side output's; None: the main output."""
    columns: tuple[tuple[str, str], ...]
    """Name and type."""
    union_tag: int = 0
    """The input, 1 or 2, of a join over windows that each row is tagged with; 0: no tag."""
    rows: int
    """The count of all rows."""
    data: tuple[Record, ...]
    """The first rows of each subtask."""


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a run over the first rows."""

    report: TrialReport
    handed_on: tuple[EmittedRows, ...]
    """Tables by operator, side output and row type, in the order of their first rows."""
    cut: tuple[str, ...]
    """Names of the sources that have more rows than were read."""

    def of(self, node: int, tag: str | None = None) -> tuple[EmittedRows, ...]:
        """The rows that an operator emitted to an output, a table for each row type."""
        return tuple(
            emitted_rows
            for emitted_rows in self.handed_on
            if (emitted_rows.node, emitted_rows.tag) == (node, tag)
        )

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members: the report's and the preview's."""
        preview_values = {"handed_on": msgspec.to_builtins(self.handed_on), "cut": list(self.cut)}
        return self.report.to_dict() | preview_values


def rows_read(cut: Sequence[str], rows: int = PREVIEW_ROWS) -> str:
    """Describe how much a preview read; ``cut``: the sources that have more rows."""
    if not cut:
        return "all rows of every source"
    maximum = f"{rows:,} rows or {ANSWER_BYTES >> 20} MB of a file at most"
    return f"the first rows of {', '.join(cut)} ({maximum})"


def preview_trial(
    compilation: Compilation,
    *,
    data_dir: str | Path | None = None,
    rows: int = PREVIEW_ROWS,
    seconds: float = PREVIEW_LIMITS.seconds,
) -> Preview:
    """Run a job over the first ``rows`` rows of each source, in this process.

    Raises ``ExplorerError`` as ``start_trial`` does, and where a limit is passed.
    """
    watch = _Watch()
    run = run_sample(
        compilation,
        RowSample(rows=rows),
        replace(PREVIEW_LIMITS, seconds=seconds),
        data_dir=data_dir,
        where="this process",
        limit=rows,
        tap=watch.tap,
    )
    return Preview(report=run.report, handed_on=watch.rows(), cut=run.cut)


class _Watch:
    """Counts the rows that operators emit, and retains the first of them."""

    def __init__(self) -> None:
        self._tables: dict[
            tuple[int, str | None, RowType], tuple[defaultdict[int, int], list[Record]]
        ] = {}
        """The count of each subtask's rows, and the first rows."""

    def tap(self, subtask: int, node: int, tag: str | None, batch: Batch) -> None:
        place = (node, tag, batch.row_type)
        counts, data = self._tables.setdefault(place, (defaultdict(int), []))
        old_counts = counts[subtask]
        counts[subtask] += len(batch)
        if old_counts < SHOWN:
            first = batch.slice(0, min(len(batch), SHOWN - old_counts))
            rows = zip(*(column.to_pylist() for column in first.columns), strict=True)
            times = repeat(None) if first.timestamps is None else first.timestamps.tolist()
            data += ((subtask, time, row) for time, row in zip(times, rows, strict=False))

    def rows(self) -> tuple[EmittedRows, ...]:
        return tuple(
            EmittedRows(
                node=node,
                tag=tag,
                columns=row_type.columns,
                union_tag=row_type.tag,
                rows=sum(counts.values()),
                data=tuple(data),
            )
            for (node, tag, row_type), (counts, data) in self._tables.items()
        )
