"""Rows as one file for a download: concatenated part files, or rows in memory."""

import io
from collections.abc import Sequence
from pathlib import Path

from explorer.engine.rows.batch import Batch, arrow_schema
from explorer.engine.rows.sinks.part_files import TEXT_FORMATS
from explorer.model.pipeline import TableFormat
from explorer.model.row_type import RowType


def join_part_files(parts: Sequence[Path], form: TableFormat, row_type: RowType) -> bytes:
    """Return one file with the rows of all part files, in their order."""
    text = TEXT_FORMATS.get(form)
    if text is None:
        return _parquet_of_parts(parts, row_type)
    head = text.header(row_type)
    return head + b"".join(part.read_bytes()[len(head) :] for part in parts)


def encode_rows(batch: Batch, form: TableFormat) -> bytes:
    """Return one file with these rows."""
    text = TEXT_FORMATS.get(form)
    if text is None:
        return _parquet(batch.row_type, [batch])
    head = text.header(batch.row_type)
    return head + text.lines(batch) if len(batch) else head


def _parquet_of_parts(parts: Sequence[Path], row_type: RowType) -> bytes:
    from pyarrow import parquet

    batches = []
    for part in parts:
        with parquet.ParquetFile(part) as file:
            batches += [Batch(row_type, tuple(rows.columns)) for rows in file.iter_batches()]
    return _parquet(row_type, batches)


def _parquet(row_type: RowType, batches: Sequence[Batch]) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    schema = arrow_schema(row_type)
    values = [pa.RecordBatch.from_arrays(list(batch.columns), schema=schema) for batch in batches]
    file = io.BytesIO()
    parquet.write_table(pa.Table.from_batches(values, schema), file)
    return file.getvalue()
