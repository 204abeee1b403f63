"""Names and writes part files, a batch at a time; a part is hidden until it is finished.

Mirrors ``Bucket`` and ``LocalRecoverableWriter``: the name is ``part-<subtask>-<count>``, and
``.part-<subtask>-<count>.inprogress.<UUID>`` while it is written. Sources skip names that begin
with a dot or an underscore, as in Flink's ``DefaultFileFilter``.
"""

import uuid
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import pyarrow as pa

from explorer.engine.rows.batch import Batch, arrow_schema
from explorer.engine.rows.errors import SinkError
from explorer.engine.rows.sinks.csv_text import csv_header, csv_lines
from explorer.engine.rows.sinks.json_text import json_lines
from explorer.engine.rows.storage import FilePath, file_path
from explorer.model.pipeline import TableFormat
from explorer.model.row_type import RowType
from explorer.wording import quoted

_GROUP_ROWS: Final = 128 * 1024
_GROUP_BYTES: Final = 16 * 1024 * 1024
"""Rows, and bytes of memory, at which a row group of Parquet is written."""


class TextFormat(NamedTuple):
    """The functions that format rows as text."""

    header: Callable[[RowType], bytes]
    """Returns the beginning of a file."""
    lines: Callable[[Batch], memoryview]


TEXT_FORMATS: Final[Mapping[TableFormat, TextFormat]] = {
    "csv": TextFormat(csv_header, csv_lines),
    "jsonl": TextFormat(lambda _: b"", json_lines),
}
"""All formats but Parquet."""


def part_name(subtask: int, form: TableFormat) -> str:
    """Return the name of a subtask's only part file.

    >>> part_name(3, "csv")
    'part-3-0.csv'
    """
    return f"part-{subtask}-0.{form}"


class _Lines:
    def __init__(self, path: FilePath, text: TextFormat, row_type: RowType) -> None:
        self._file, self._lines = path.open("xb"), text.lines
        self._bytes = self._file.write(text.header(row_type))

    def write(self, batch: Batch) -> int:
        """Write rows; return the number of bytes so far."""
        self._bytes += self._file.write(self._lines(batch))
        return self._bytes

    def close(self) -> None:
        self._file.close()


class _Groups:
    """An open Parquet file; rows are buffered up to the size of a row group."""

    def __init__(self, path: FilePath, row_type: RowType) -> None:
        from pyarrow import parquet

        self._schema = arrow_schema(row_type)
        self._file = path.open("xb")
        self._writer: Any = parquet.ParquetWriter(self._file, self._schema)
        self._waiting: list[pa.RecordBatch] = []
        self._rows = self._bytes = 0

    def write(self, batch: Batch) -> int:
        columns = list(batch.columns)
        self._waiting.append(pa.RecordBatch.from_arrays(columns, schema=self._schema))
        self._rows += len(batch)
        self._bytes += batch.nbytes()
        if self._rows >= _GROUP_ROWS or self._bytes >= _GROUP_BYTES:
            self._flush()
        return self._file.tell()

    def _flush(self) -> None:
        if self._waiting:
            table = pa.Table.from_batches(self._waiting, self._schema)
            self._writer.write_table(table, row_group_size=self._rows)
        self._waiting, self._rows, self._bytes = [], 0, 0

    def close(self) -> None:
        self._flush()
        self._writer.close()
        self._file.close()


class PartWriter:
    """A part in progress; its file is created with the first rows."""

    def __init__(
        self,
        folder: str,
        name: str,
        form: TableFormat,
        row_type: RowType,
        subtask: int,
        maximum: int | None = None,
    ) -> None:
        """``name``: the folder's name in the document; ``maximum``: limit of bytes."""
        own = f".{part_name(subtask, form)}.inprogress.{uuid.uuid4()}"
        self.path = file_path(folder) / own
        self._name, self._format, self._row_type, self._most = name, form, row_type, maximum
        self._rows: _Lines | _Groups | None = None
        self.bytes = 0
        """The file's size in bytes after it is closed."""
        self.too_large = False
        """Whether the file exceeded its limit and was removed."""

    def write(self, batch: Batch) -> None:
        """Append rows; raises ``SinkError``."""
        if self.too_large or not len(batch):
            return
        try:
            rows = self._rows or self._open_part()
            self.bytes = rows.write(batch)
        except OSError as error:
            raise self._refuse(error) from None
        self._rows = rows
        self._check_size()

    def close(self) -> None:
        """Finish the file; raises ``SinkError``."""
        rows, self._rows = self._rows, None
        if rows is None:
            return
        try:
            rows.close()
            self.bytes = self.path.stat().st_size
        except OSError as error:
            raise self._refuse(error) from None
        self._check_size()

    def _open_part(self) -> _Lines | _Groups:
        text = TEXT_FORMATS.get(self._format)
        if text is None:
            return _Groups(self.path, self._row_type)
        return _Lines(self.path, text, self._row_type)

    def _check_size(self) -> None:
        if self._most is not None and self.bytes > self._most:
            self.too_large = True
            self.close()
            self.path.unlink(missing_ok=True)

    def _refuse(self, error: OSError) -> SinkError:
        why = (error.strerror or str(error)).lower()
        place = f"the folder {quoted(self._name)} below {str(self.path.parent.parent)!r}"
        return SinkError(f"a part of {place} cannot be written: {why}")
