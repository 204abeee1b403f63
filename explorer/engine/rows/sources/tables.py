"""Reads files of all formats, and infers their columns.

Types that a document does not name are inferred from the file: whole numbers are LONG, other
numbers DOUBLE, true and false BOOLEAN, anything else STRING. An empty cell is NULL, except in a
STRING column. Exceptions of libraries become ``SourceError``.
"""

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Final, cast

import pyarrow as pa

from explorer.engine.rows.batch import ARROW
from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.sources.faults import read_faults
from explorer.engine.rows.sources.folders import files_of
from explorer.engine.rows.storage import FilePath
from explorer.model.row_type import BOOLEAN, DOUBLE, LONG, STRING, ColumnType, RowType, checked
from explorer.wording import quoted

INFERRED_BYTES: Final = 16 * 1024 * 1024
"""Bytes of a file from which its columns are inferred."""

Tables = Iterator[pa.RecordBatch]

_READERS: Final = {
    "csv": "csv_tables:read_csv",
    "jsonl": "json_tables:read_jsonl",
    "parquet": "parquet_tables:read_parquet",
    "text": "lines:read_text",
}
"""By format, the module and the function that read it; a process loads those of its files."""


def _reader(form: str) -> Callable[[FilePath, str, RowType | None], Tables]:
    module, _, name = _READERS[form].partition(":")
    reader = getattr(import_module(f"{__package__}.{module}"), name)
    return cast("Callable[[FilePath, str, RowType | None], Tables]", reader)


def read_columns(
    path: FilePath, name: str, form: str, row_type: RowType
) -> Iterator[tuple[pa.Array, ...]]:
    """Read the columns of a file, or of all files of a folder, in the types of ``row_type``.

    Raises ``SourceError``.
    """
    for file, called in files_of(path, name):
        with read_faults(called, form):
            yield from (tuple(rows.columns) for rows in _reader(form)(file, called, row_type))


def infer_row_type(path: FilePath, name: str, form: str) -> RowType:
    """Infer the columns of a file from its beginning; raises ``SourceError``.

    The columns of a folder are inferred from its files in order, of Parquet from the first alone.
    """
    files = files_of(path, name)
    with read_faults(name, form):
        if form == "parquet" and files:
            from explorer.engine.rows.sources.parquet_tables import parquet_schema

            path, name = files[0]
            schema = parquet_schema(path)
            kinds = (_infer_type(field.name, field.type, name) or STRING for field in schema)
            return checked(RowType(names=tuple(schema.names), types=tuple(kinds)))
        return _row_type_of_text(files, name, form)


def _beginning(files: Sequence[tuple[FilePath, str]], form: str) -> Tables:
    """Read rows of the files in order, as text or in the files' types."""
    for file, called in files:
        with read_faults(called, form):
            yield from _reader(form)(file, called, None)


def _row_type_of_text(files: Sequence[tuple[FilePath, str]], name: str, form: str) -> RowType:
    visited: dict[str, ColumnType | None] = {}
    size = 0
    for rows in _beginning(files, form):
        for column, values in zip(rows.schema.names, rows.columns, strict=True):
            if form == "csv":
                kind = _inferred_of_text(values)
            elif pa.types.is_timestamp(values.type):
                kind = STRING  # JSON has no times: it is a text that looks like one.
            else:
                kind = _infer_type(column, values.type, name)
            visited[column] = _wider(visited.get(column), kind)
        size += rows.nbytes
        if size > INFERRED_BYTES:
            break
    if not visited:
        msg = f"file {quoted(name)} has no rows to infer columns from; give the source a schema"
        raise SourceError(msg)
    kinds = tuple(kind or STRING for kind in visited.values())
    return checked(RowType(names=tuple(visited), types=kinds))


_TYPE_TESTS: Final[tuple[tuple[ColumnType, Callable[[pa.DataType], bool]], ...]] = (
    (LONG, pa.types.is_integer),
    (LONG, pa.types.is_timestamp),
    (DOUBLE, pa.types.is_floating),
    (DOUBLE, pa.types.is_decimal),
    (BOOLEAN, pa.types.is_boolean),
    (STRING, pa.types.is_date),
    (STRING, pa.types.is_string),
    (STRING, pa.types.is_large_string),
)


def _infer_type(column: str, value: pa.DataType, name: str) -> ColumnType | None:
    """Return the type of a column's values; None if all are missing."""
    if pa.types.is_dictionary(value):
        value = value.value_type
    if pa.types.is_null(value):
        return None
    for kind, test in _TYPE_TESTS:
        if test(value):
            return kind
    msg = (
        f"file {quoted(name)}: column {quoted(column)} is a {quoted(str(value))[1:-1]}, which no "
        "column type holds"
    )
    raise SourceError(msg)


def _inferred_of_text(values: pa.Array) -> ColumnType | None:
    """Return the first type to which all cells can be converted; None if all are empty."""
    import pyarrow.compute as pc

    filled = values.filter(pc.not_equal(values, ""))
    if not len(filled):
        return None
    if pc.all(pc.match_substring_regex(filled, "^(?i:true|false)$")).as_py():
        return BOOLEAN
    for kind in (LONG, DOUBLE):
        try:
            pc.cast(filled, ARROW[kind])
        except pa.ArrowInvalid:
            continue
        return kind
    return STRING


def _wider(
    column_type: ColumnType | None, other_column_type: ColumnType | None
) -> ColumnType | None:
    """Return the common type of values of both types."""
    if column_type is None or other_column_type is None or column_type is other_column_type:
        return column_type or other_column_type
    return DOUBLE if {column_type, other_column_type} == {LONG, DOUBLE} else STRING
