"""A batch: many records, stored by column.

Represents a run of ``StreamRecord`` elements. A column is an Arrow array; timestamps are stored
next to the columns, and a batch has one for every record or for none.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from explorer.engine.rows.origins import Origins, Places, joined_ends
from explorer.java_numbers import LONG_MIN
from explorer.model.row_type import BOOLEAN, DOUBLE, LONG, STRING, ColumnType, RowType

Longs: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]
"""Both have one dimension, with one value per record, unless stated otherwise."""
Column: TypeAlias = pa.Array

ARROW: Final[dict[ColumnType, pa.DataType]] = {
    LONG: pa.int64(),
    DOUBLE: pa.float64(),
    STRING: pa.string(),
    BOOLEAN: pa.bool_(),
}
"""Memory layout of each column type."""


def arrow_schema(row_type: RowType) -> pa.Schema:
    """Return the Arrow schema of a row type."""
    columns = zip(row_type.names, row_type.types, strict=True)
    return pa.schema([(name, ARROW[kind]) for name, kind in columns])


BATCH_ROWS: Final = 32_768
"""Rows that a source emits at once."""

NO_TIMESTAMP: Final = LONG_MIN
"""The timestamp that a context returns for a record without one: ``Long.MIN_VALUE``."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Records of one row type, in the order in which they flow."""

    row_type: RowType
    columns: tuple[Column, ...]
    timestamps: Longs | None = None
    """Event time in milliseconds, one a record; None: no record has a timestamp."""
    origins: Origins | None = None
    """The origins of each record; None: the run is not traced."""
    objects: Longs | None = None
    """The object in memory that is each record's value; None: objects are not tracked."""

    def __len__(self) -> int:
        return len(self.columns[0])

    def column(self, name: str) -> Column:
        """Return the column called ``name``; raises ``KeyError`` if there is none."""
        return self.columns[self.row_type.index(name)]

    def take(self, indices: Longs) -> "Batch":
        """Return the records at ``indices``, in that order."""
        picked = pa.array(indices)
        return self._of(tuple(column.take(picked) for column in self.columns), indices)

    def filter(self, keep: Bools) -> "Batch":
        """Return the records where ``keep`` is true."""
        # Arrow's own filter branches on each bit of the mask, which costs several times as much.
        return self.take(np.flatnonzero(keep))

    def slice(self, start: int, stop: int) -> "Batch":
        """Return the records from ``start`` up to ``stop``, without copying."""
        columns = tuple(column.slice(start, stop - start) for column in self.columns)
        return self._of(columns, slice(start, stop))

    def _of(self, columns: tuple[Column, ...], places: Places) -> "Batch":
        """Return the records at ``places``, which have these columns."""
        return Batch(
            self.row_type,
            columns,
            None if self.timestamps is None else self.timestamps[places],
            None if self.origins is None else self.origins.at(places),
            None if self.objects is None else self.objects[places],
        )

    def with_timestamps(self, timestamps: Longs | None) -> "Batch":
        """Return the same rows with other timestamps."""
        return replace(self, timestamps=timestamps)

    def with_origins(self, origins: Origins | None) -> "Batch":
        """Return the same rows with other origins."""
        return replace(self, origins=origins)

    def with_objects(self, objects: Longs | None) -> "Batch":
        """Return the same rows as these objects."""
        return replace(self, objects=objects)

    def with_row_type(self, row_type: RowType) -> "Batch":
        """Return the same values as rows of another type with equal column types."""
        return replace(self, row_type=row_type)

    def with_columns(self, columns: tuple[Column, ...]) -> "Batch":
        """Return the same objects with other values."""
        return replace(self, columns=columns)

    def copied(self) -> "Batch":
        """Return the same records with copied values."""
        return self.with_columns(tuple(pa.concat_arrays([value]) for value in self.columns))

    def rows(self) -> list[list[Any]]:
        """Return the records as lists of Python values."""
        return [list(row) for row in zip(*(c.to_pylist() for c in self.columns), strict=True)]

    def row(self, index: int) -> dict[str, Any]:
        """Return one record by column name."""
        values = (column[index].as_py() for column in self.columns)
        return dict(zip(self.row_type.names, values, strict=True))

    def nbytes(self) -> int:
        """Estimate the bytes of memory of the records."""
        return sum(column.nbytes for column in self.columns)


def concat(batches: Sequence[Batch]) -> Batch:
    """Join batches of one row type; either all or none of them have timestamps."""
    if len(batches) == 1:
        return batches[0]
    first = batches[0]
    columns = (
        pa.concat_arrays([batch.columns[i] for batch in batches]) for i in range(len(first.columns))
    )
    times = [batch.timestamps for batch in batches if batch.timestamps is not None]
    origins = joined_ends([batch.origins for batch in batches])
    return Batch(first.row_type, tuple(columns), np.concatenate(times) if times else None, origins)


def from_rows(row_type: RowType, rows: Iterable[Sequence[Any]]) -> Batch:
    """Create a batch of Python values, one sequence per record."""
    listed = [list(row) for row in rows]
    columns = zip(*listed, strict=True) if listed else ([] for _ in row_type.names)
    arrays = (
        pa.array(values, ARROW[kind]) for values, kind in zip(columns, row_type.types, strict=True)
    )
    return Batch(row_type, tuple(arrays))


def empty(row_type: RowType) -> Batch:
    """Create a batch without records."""
    return Batch(row_type, tuple(pa.array([], ARROW[kind]) for kind in row_type.types))


def values_and_nulls(column: Column) -> tuple[npt.NDArray[Any], Bools | None]:
    """Return a number or boolean column as NumPy values, and the mask of nulls; None: no nulls."""
    if column.null_count == 0:
        return column.to_numpy(zero_copy_only=False), None
    nulls = column.is_null().to_numpy(zero_copy_only=False)
    filler = False if pa.types.is_boolean(column.type) else 0
    return column.fill_null(filler).to_numpy(zero_copy_only=False), nulls


def from_values(values: npt.NDArray[Any], nulls: Bools | None) -> Column:
    """Create an Arrow column of NumPy values, null where ``nulls`` is true."""
    return pa.array(values, mask=nulls)
