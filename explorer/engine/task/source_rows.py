"""Reads the rows of a source that belong to one subtask.

Row ``k`` of any input goes to subtask ``k mod p``; of a sequence every subtask emits every p-th
number, in every run: Flink's file source gives blocks of a file to the subtask that asks first.
Each subtask reads the file itself.
"""

from collections.abc import Iterator
from time import perf_counter_ns

import numpy as np
import pyarrow as pa

from explorer.engine import plan
from explorer.engine.operators.step_work import busy_until, timestamped
from explorer.engine.rows.batch import BATCH_ROWS, Batch, Column, Longs, from_rows
from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.sources.confinement import check_version
from explorer.engine.rows.sources.generator import generated
from explorer.engine.rows.sources.tables import read_columns
from explorer.engine.rows.storage import file_path
from explorer.java_numbers import LONG_MAX


def read(source: plan.Source, subtask: int, parallelism: int) -> Iterator[Batch]:
    """The rows of one subtask, a batch at a time; no batch is empty."""
    begun = perf_counter_ns()
    for batch in _batches(source, subtask, parallelism):
        if len(batch):
            busy_until(begun, len(batch), source.cost)
            yield timestamped(batch) if source.timestamped else batch
        begun = perf_counter_ns()


def _batches(source: plan.Source, subtask: int, parallelism: int) -> Iterator[Batch]:
    match source.rows:
        case plan.SequenceRows(first=first, last=last):
            for numbers in _dealt_numbers(first + subtask, last, parallelism):
                yield Batch(source.row_type, (pa.array(numbers),))
        case plan.MadeUpRows(rows=made, last=last):
            for numbers in _dealt_numbers(subtask, last, parallelism):
                yield generated(made, source.row_type, numbers)
        case plan.InlineRows():
            mine = [source.rows.values[at] for at in source.rows.of(subtask, parallelism)]
            yield from _cut(from_rows(source.row_type, mine))
        case plan.FileRows():
            parts = _first(_file_columns(source.rows, source), source.rows.most)
            yield from _dealt_out(source, parts, subtask, parallelism)
        case None:
            pass


def _dealt_numbers(first: int, last: int, step: int) -> Iterator[Longs]:
    """Every ``step``-th number from ``first`` to ``last``, as many at once as a batch has rows."""
    for start in range(first, last + 1, BATCH_ROWS * step):
        count = min(BATCH_ROWS, (last - start) // step + 1)
        # ``last`` may be the greatest LONG, above which no ``np.arange`` could end.
        yield np.arange(count, dtype=np.int64) * step + start


def _file_columns(rows: plan.FileRows, source: plan.Source) -> Iterator[tuple[Column, ...]]:
    """The columns of a file, part by part; a file that changes meanwhile is refused."""
    path = file_path(rows.path)
    check_version(path, rows.name, rows.version)
    try:
        yield from read_columns(path, rows.name, rows.format, source.row_type)
    except SourceError:
        # A file that was replaced while it was read may look damaged.
        check_version(path, rows.name, rows.version)
        raise
    check_version(path, rows.name, rows.version)


def _first(parts: Iterator[tuple[Column, ...]], most: int | None) -> Iterator[tuple[Column, ...]]:
    """The parts up to row ``most``."""
    left = LONG_MAX if most is None else most
    for columns in parts:
        yield tuple(column.slice(0, left) for column in columns)
        left -= len(columns[0])
        if left <= 0:
            return


def _dealt_out(
    source: plan.Source, parts: Iterator[tuple[Column, ...]], subtask: int, parallelism: int
) -> Iterator[Batch]:
    """Every ``parallelism``-th row, beginning with row ``subtask``."""
    visited = 0
    for columns in parts:
        count = len(columns[0])
        batch = Batch(source.row_type, columns)
        if parallelism > 1:
            batch = batch.take(np.arange((subtask - visited) % parallelism, count, parallelism))
        visited += count
        yield from _cut(batch)


def _cut(batch: Batch) -> Iterator[Batch]:
    """The same records in batches of no more than the usual size."""
    for start in range(0, len(batch), BATCH_ROWS):
        yield batch.slice(start, min(start + BATCH_ROWS, len(batch)))
