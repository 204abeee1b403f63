"""Reads a subtask's rows of a source.

Row ``k`` of any input goes to subtask ``k mod p``, as ``StatefulSequenceSource`` deals numbers, so
that runs can be repeated: Flink's file source assigns blocks of a file to the subtask that asks
first, and so does ``IteratorSourceEnumerator`` with the splits of ``NumberSequenceSource``, as many
as subtasks. Each subtask reads the whole file.
"""

from collections.abc import Iterator
from itertools import chain
from time import perf_counter_ns

import numpy as np
import pyarrow as pa

from explorer.engine import plan
from explorer.engine.rows.batch import BATCH_ROWS, Batch, Column, Longs, from_rows
from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.sources.confinement import check_version
from explorer.engine.rows.sources.generator import generated
from explorer.engine.rows.sources.tables import read_columns
from explorer.engine.rows.storage import file_path
from explorer.engine.steps.step_work import busy_until, timestamped
from explorer.java_numbers import LONG_MAX
from explorer.model.row_type import RowType
from explorer.wording import quoted


def read(source: plan.Source, subtask: int, parallelism: int) -> Iterator[Batch]:
    """Yield the rows of one subtask in batches; no batch is empty."""
    begun = perf_counter_ns()
    batches = (_batches(part, subtask, parallelism) for part in source.parts)
    for batch in chain.from_iterable(batches):
        if len(batch):
            busy_until(begun, len(batch), source.cost)
            yield _with_times(source, batch)
        begun = perf_counter_ns()


def _with_times(source: plan.Source, batch: Batch) -> Batch:
    """The rows with the timestamps that the source gives them."""
    if source.time_column is None:
        return timestamped(batch) if source.timestamped else batch
    times = batch.columns[source.time_column]
    if times.null_count:
        name = source.row_type.names[source.time_column]
        msg = f"a timestamp of a source is NULL, in column {quoted(name)}: it cannot be"
        raise SourceError(msg)
    return batch.with_timestamps(times.to_numpy())


def _batches(source: plan.Source, subtask: int, parallelism: int) -> Iterator[Batch]:
    match source.rows:
        case plan.SequenceRows(first=first, last=last):
            for numbers in _dealt_numbers(first + subtask, last, parallelism):
                yield Batch(source.row_type, (pa.array(numbers),))
        case plan.MadeUpRows(rows=made, last=last):
            for numbers in _dealt_numbers(subtask, last, parallelism):
                yield generated(made, source.row_type, numbers)
        case plan.InlineRows():
            mine = [source.rows.values[at] for at in source.rows.positions(subtask, parallelism)]
            yield from _cut(from_rows(source.row_type, mine))
        case plan.FileRows():
            yield from _file_batches(source.rows, source.row_type, subtask, parallelism)
        case plan.HybridRows() | None:
            pass


def _dealt_numbers(first: int, last: int, step: int) -> Iterator[Longs]:
    """Every ``step``-th number from ``first`` to ``last``, in parts of a batch's size."""
    for start in range(first, last + 1, BATCH_ROWS * step):
        count = min(BATCH_ROWS, (last - start) // step + 1)
        # ``last`` may be the greatest LONG, above which no ``np.arange`` could end.
        yield np.arange(count, dtype=np.int64) * step + start


def _file_batches(
    rows: plan.FileRows, row_type: RowType, subtask: int, parallelism: int
) -> Iterator[Batch]:
    """Every ``parallelism``-th row of a file, beginning with row ``subtask``."""
    left = LONG_MAX if rows.most is None else rows.most
    visited = 0
    for part in _file_columns(rows, row_type):
        batch = Batch(row_type, tuple(column.slice(0, left) for column in part))
        left -= len(batch)
        first = (subtask - visited) % parallelism
        visited += len(batch)
        if parallelism > 1:
            batch = batch.take(np.arange(first, len(batch), parallelism))
        yield from _cut(batch)
        if left <= 0:
            return


def _file_columns(rows: plan.FileRows, row_type: RowType) -> Iterator[tuple[Column, ...]]:
    """Yield the columns of a file, part by part; raises ``SourceError`` for a changed file."""
    path = file_path(rows.path)
    check_version(path, rows.name, rows.version)
    try:
        yield from read_columns(path, rows.name, rows.format, row_type)
    except SourceError:
        # A file that was replaced while it was read may look damaged.
        check_version(path, rows.name, rows.version)
        raise
    check_version(path, rows.name, rows.version)


def _cut(batch: Batch) -> Iterator[Batch]:
    for start in range(0, len(batch), BATCH_ROWS):
        yield batch.slice(start, min(start + BATCH_ROWS, len(batch)))
