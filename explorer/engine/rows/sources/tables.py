"""Rows of csv, jsonl and parquet files, and which columns they have.

Types that a document does not name are inferred from the file: whole numbers are LONG, numbers
DOUBLE, true and false BOOLEAN, anything else STRING. An empty cell is NULL, save in a column of
STRING. Whatever a library throws meanwhile leaves as a ``SourceError``.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from explorer.engine.rows.batch import ARROW
from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.sources.csv_tables import read_csv
from explorer.engine.rows.sources.faults import read_faults
from explorer.engine.rows.sources.folders import files_of
from explorer.engine.rows.sources.json_tables import read_jsonl
from explorer.engine.rows.sources.lines import read_text
from explorer.engine.rows.sources.parquet_tables import parquet_schema, read_parquet
from explorer.engine.rows.storage import FilePath
from explorer.model.row_type import BOOLEAN, DOUBLE, LONG, STRING, ColumnType, RowType, checked
from explorer.wording import quoted

INFERRED_BYTES: Final = 16 * 1024 * 1024
"""How much of a file is looked at to infer its columns."""

Tables = Iterator[pa.RecordBatch]

_READERS: Final[dict[str, Callable[[FilePath, str, RowType | None], Tables]]] = {
    "csv": read_csv,
    "jsonl": read_jsonl,
    "parquet": read_parquet,
    "text": read_text,
}


def read_columns(
    path: FilePath, name: str, form: str, row_type: RowType
) -> Iterator[tuple[pa.Array, ...]]:
    """The columns of a file, or of all of a folder, in the types of ``row_type``, part by part.

    Raises ``SourceError``.
    """
    for file, called in files_of(path, name):
        with read_faults(called, form):
            yield from (tuple(rows.columns) for rows in _READERS[form](file, called, row_type))


def infer_row_type(path: FilePath, name: str, form: str) -> RowType:
    """The columns of a file and their types, from its beginning; raises ``SourceError``.

    Those of a folder are found in its files from the first on, of Parquet by the first alone.
    """
    files = files_of(path, name)
    with read_faults(name, form):
        if form == "parquet" and files:
            return _parquet_row_type(*files[0])
        return _row_type_of_text(files, name, form)


def _beginning(files: Sequence[tuple[FilePath, str]], form: str) -> Tables:
    """Rows of the files, one behind the other, as text where they are."""
    for file, called in files:
        with read_faults(called, form):
            yield from _READERS[form](file, called, None)


def _row_type_of_text(files: Sequence[tuple[FilePath, str]], name: str, form: str) -> RowType:
    visited: dict[str, ColumnType | None] = {}
    size = 0
    for rows in _beginning(files, form):
        for column, values in zip(rows.schema.names, rows.columns, strict=True):
            reported = (
                _inferred_of_text(values) if form == "csv" else _of_json(column, values, name)
            )
            visited[column] = _wider(visited.get(column), reported)
        size += rows.nbytes
        if size > INFERRED_BYTES:
            break
    if not visited:
        msg = f"file {quoted(name)} has no rows to infer columns from; give the source a schema"
        raise SourceError(msg)
    kinds = tuple(kind or STRING for kind in visited.values())
    return checked(RowType(names=tuple(visited), types=kinds))


def _parquet_row_type(path: FilePath, name: str) -> RowType:
    """A parquet file lists its columns at its end, so that no row is read."""
    schema = parquet_schema(path)
    kinds = (_inferred(field.name, field.type, name) or STRING for field in schema)
    return checked(RowType(names=tuple(schema.names), types=tuple(kinds)))


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


def _of_json(column: str, values: pa.Array, name: str) -> ColumnType | None:
    """JSON has no times: what Arrow reads as one is a text that looks like it."""
    return STRING if pa.types.is_timestamp(values.type) else _inferred(column, values.type, name)


def _inferred(column: str, given: pa.DataType, name: str) -> ColumnType | None:
    """The type of a column's values; None where all are missing."""
    if pa.types.is_dictionary(given):
        given = given.value_type
    if pa.types.is_null(given):
        return None
    for kind, test in _TYPE_TESTS:
        if test(given):
            return kind
    msg = (
        f"file {quoted(name)}: column {quoted(column)} is a {quoted(str(given))[1:-1]}, which no "
        "column type holds"
    )
    raise SourceError(msg)


def _inferred_of_text(values: pa.Array) -> ColumnType | None:
    """The first type that all cells can be read as; None where all are empty."""
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


def _wider(one: ColumnType | None, other: ColumnType | None) -> ColumnType | None:
    """The type that holds both."""
    if one is None or other is None or one is other:
        return one or other
    return DOUBLE if {one, other} == {LONG, DOUBLE} else STRING
