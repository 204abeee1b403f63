"""Reads parquet files, and the columns in their footers."""

from collections.abc import Iterator
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from explorer.engine.rows.batch import ARROW, BATCH_ROWS
from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.sizes import ROW_BYTES
from explorer.engine.rows.sources.faults import missing_column
from explorer.engine.rows.storage import FilePath
from explorer.model.row_type import LONG, RowType
from explorer.wording import quoted

UNPACKED_BYTES: Final = 128 * 1024 * 1024
MOST_TIMES: Final = 100
"""A column chunk larger than that and compressed by more than this factor is refused: it may be a
single cell, and Arrow decompresses it as a whole, twice."""


def read_parquet(path: FilePath, name: str, row_type: RowType | None) -> Iterator[pa.RecordBatch]:
    """Read the rows of a parquet file; in the file's types if ``row_type`` is None."""
    from pyarrow import parquet

    with path.open("rb") as opened, parquet.ParquetFile(opened) as file:
        _check_cells(file.metadata, name)
        if row_type is not None:
            _check_columns(file.schema_arrow.names, name, row_type)
        expected = None if row_type is None else list(row_type.names)
        for rows in file.iter_batches(batch_size=BATCH_ROWS, columns=expected):
            yield rows if row_type is None else _convert(rows, row_type)


def parquet_schema(path: FilePath) -> pa.Schema:
    """Read the columns in a parquet file's footer."""
    from pyarrow import parquet

    with path.open("rb") as opened:
        return parquet.read_schema(opened)


def _check_cells(metadata: Any, name: str) -> None:
    """Refuse cells that are too large; a damaged file may contain any size."""
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        for column in map(group.column, range(group.num_columns)):
            unpacked, packed = column.total_uncompressed_size, column.total_compressed_size
            if unpacked > UNPACKED_BYTES and unpacked > MOST_TIMES * packed:
                msg = (
                    f"file {quoted(name)} packs {unpacked:,} bytes of column "
                    f"{quoted(column.path_in_schema)} into {packed:,}, as no data of use does"
                )
                raise SourceError(msg)
            size = unpacked // max(1, column.num_values)
            if size > ROW_BYTES:
                msg = (
                    f"file {quoted(name)} has cells of {size:,} bytes in column "
                    f"{quoted(column.path_in_schema)}, and {ROW_BYTES:,} are allowed for a row"
                )
                raise SourceError(msg)


def _check_columns(names: list[str], name: str, row_type: RowType) -> None:
    for column in row_type.names:
        if column not in names:
            raise missing_column(name, column, names)
        if (times := names.count(column)) > 1:
            msg = f"file {quoted(name)} has {times} columns {quoted(column)}; rename all but one"
            raise SourceError(msg)


def _convert(rows: pa.RecordBatch, row_type: RowType) -> pa.RecordBatch:
    columns = []
    for name, kind in zip(row_type.names, row_type.types, strict=True):
        column = rows.column(name)
        # Arrow does not check that the bytes of texts are UTF-8.
        column.validate(full=True)
        if pa.types.is_timestamp(column.type) and kind is LONG:
            column = pc.cast(column, pa.timestamp("ms"), safe=False)
        columns.append(pc.cast(column, ARROW[kind]))
    return pa.RecordBatch.from_arrays(columns, names=list(row_type.names))
