"""Rows of csv, jsonl and parquet files, and which columns they have.

Types that a document does not name are inferred from the file: whole numbers are LONG, numbers
DOUBLE, true and false BOOLEAN, anything else STRING. An empty cell is NULL, save in a column of
STRING.
"""

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from explorer.rows.batch import ARROW, BATCH_ROWS
from explorer.rows.errors import SourceError
from explorer.rows.row_type import BOOLEAN, DOUBLE, LONG, STRING, ColumnType, RowType, checked
from explorer.rows.sizes import ROW_BYTES
from explorer.rows.sources.lines import BLOCK_SIZE, line_blocks

INFERRED_BYTES: Final = 16 * 1024 * 1024
"""How much of a file is looked at to infer its columns."""
MAX_NESTING: Final = 100
"""How deep values of JSON may lie in one another: Arrow's reader has no limit but its stack."""
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
_JSON_TEXT: Final = re.compile(rb'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_TRUE: Final = ["true", "True", "TRUE"]
_FALSE: Final = ["false", "False", "FALSE"]

Tables = Iterator[pa.RecordBatch]


def read_csv(path: Path, name: str, row_type: RowType | None) -> Tables:
    """Rows of a csv file with a header line, as text where ``row_type`` is None.

    The columns of ``row_type`` are found by name; where the header has other names, by position.
    """
    from pyarrow import csv

    header = _csv_header(path, name)
    wanted = _csv_columns(header, name, row_type)
    kinds = dict.fromkeys(header, pa.string())
    if row_type is not None:
        kinds |= {one: ARROW[kind] for one, kind in zip(wanted, row_type.types, strict=True)}
    options = csv.ConvertOptions(
        column_types=kinds,
        include_columns=wanted,
        null_values=[""],
        strings_can_be_null=False,
        true_values=_TRUE,
        false_values=_FALSE,
    )
    try:
        reader = csv.open_csv(
            path,
            read_options=csv.ReadOptions(block_size=BLOCK_SIZE),
            parse_options=csv.ParseOptions(newlines_in_values=True),
            convert_options=options,
        )
        yield from reader
    except pa.ArrowInvalid as error:
        raise _unreadable(name, error) from None


def _csv_header(path: Path, name: str) -> list[str]:
    from pyarrow import csv

    first = next(line_blocks(path, name), b"")
    if not first.strip():
        msg = f"file {name!r} is empty; a csv file begins with a header line"
        raise SourceError(msg)
    try:
        line = io.BytesIO(first.split(b"\n", 1)[0] + b"\n")
        table = csv.read_csv(line, read_options=csv.ReadOptions(autogenerate_column_names=True))
        header = [str(cell) for cell in table.to_pylist()[0].values()]
    except (pa.ArrowInvalid, IndexError, UnicodeDecodeError) as error:
        msg = f"file {name!r} has no readable header line: {error}"
        raise SourceError(msg) from None
    if len(set(header)) < len(header):
        msg = f"file {name!r} names a column twice in its header line: {', '.join(header)[:200]}"
        raise SourceError(msg)
    return header


def _csv_columns(header: list[str], name: str, row_type: RowType | None) -> list[str]:
    """The header's names of the wanted columns."""
    if row_type is None:
        return header
    if set(row_type.names) <= set(header):
        return list(row_type.names)
    if len(row_type.names) == len(header):
        return header
    missing = next(one for one in row_type.names if one not in header)
    msg = f"file {name!r} has no column {missing!r}; its columns are {', '.join(header)[:200]}"
    raise SourceError(msg)


def _unreadable(name: str, error: pa.ArrowException) -> SourceError:
    problem = str(error).partition("\n")[0].rstrip(".")
    return SourceError(f"file {name!r} cannot be read: {problem}")


def read_jsonl(path: Path, name: str, row_type: RowType | None) -> Tables:
    """Rows of a file with a JSON object a line; Arrow's own types where ``row_type`` is None."""
    from pyarrow import json

    schema = None
    if row_type is not None:
        fields = zip(row_type.names, row_type.types, strict=True)
        schema = pa.schema([(one, ARROW[kind]) for one, kind in fields])
    options = json.ParseOptions(
        explicit_schema=schema,
        unexpected_field_behavior="infer" if schema is None else "ignore",
    )
    for block in line_blocks(path, name):
        if not block.strip():
            continue
        _check_nesting(block, name)
        try:
            table = json.read_json(
                io.BytesIO(block),
                read_options=json.ReadOptions(block_size=len(block) + 1, use_threads=False),
                parse_options=options,
            )
        except pa.ArrowInvalid as error:
            raise _unreadable(name, error) from None
        yield from table.combine_chunks().to_batches()


def _check_nesting(block: bytes, name: str) -> None:
    """Brackets in texts are looked at as such only where all brackets together are too deep."""
    if _depth(block) > MAX_NESTING and _depth(_JSON_TEXT.sub(b"", block)) > MAX_NESTING:
        msg = f"file {name!r} nests its values more than {MAX_NESTING} deep; a row is a flat object"
        raise SourceError(msg)


def _depth(text: bytes) -> int:
    """How many brackets are open at the most; the second bit tells those that open."""
    brackets = np.frombuffer(text.translate(None, _NO_BRACKETS), np.uint8)
    return int(np.cumsum(np.where(brackets & 2, 1, -1)).max(initial=0))


def read_parquet(path: Path, name: str, row_type: RowType | None) -> Tables:
    """Rows of a parquet file; Arrow's own types where ``row_type`` is None."""
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            _check_cells(file.metadata, name)
            yield from (
                _in_types(rows, name, row_type) if row_type else rows
                for rows in file.iter_batches(batch_size=BATCH_ROWS)
            )
    except pa.ArrowException as error:
        raise _unreadable(name, error) from None


def _check_cells(metadata: Any, name: str) -> None:
    """Refuse cells that are too large; a damaged file may say anything, but reads as it says."""
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        for column in map(group.column, range(group.num_columns)):
            size = column.total_uncompressed_size // max(1, column.num_values)
            if size > ROW_BYTES:
                msg = (
                    f"file {name!r} has cells of {size:,} bytes in column "
                    f"{column.path_in_schema!r}, and {ROW_BYTES:,} are allowed for a row"
                )
                raise SourceError(msg)


def _in_types(rows: pa.RecordBatch, name: str, row_type: RowType) -> pa.RecordBatch:
    """The columns of ``row_type``, by name and in its types."""
    missing = [one for one in row_type.names if one not in rows.schema.names]
    if missing:
        known = ", ".join(rows.schema.names)[:200]
        msg = f"file {name!r} has no column {missing[0]!r}; its columns are {known}"
        raise SourceError(msg)
    columns = [
        _converted(rows.column(one), kind)
        for one, kind in zip(row_type.names, row_type.types, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, names=list(row_type.names))


def _converted(column: pa.Array, kind: ColumnType) -> pa.Array:
    if pa.types.is_timestamp(column.type) and kind is LONG:
        column = pc.cast(column, pa.timestamp("ms"), safe=False)
    return pc.cast(column, ARROW[kind])


READERS: Final[dict[str, Callable[[Path, str, RowType | None], Tables]]] = {
    "csv": read_csv,
    "jsonl": read_jsonl,
    "parquet": read_parquet,
}
"""The formats that have columns of their own."""


def infer_row_type(path: Path, name: str, form: str) -> RowType:
    """The columns of a file and their types, from its beginning; raises ``SourceError``."""
    if form == "parquet":
        return _parquet_row_type(path, name)
    seen: dict[str, ColumnType | None] = {}
    size = 0
    for rows in READERS[form](path, name, None):
        for column, values in zip(rows.schema.names, rows.columns, strict=True):
            text = form == "csv"
            kind = _inferred_of_text(values) if text else _inferred(column, values.type, name)
            seen[column] = _wider(seen.get(column), kind)
        size += rows.nbytes
        if size > INFERRED_BYTES:
            break
    if not seen:
        msg = f"file {name!r} has no rows to infer columns from; give the source a schema"
        raise SourceError(msg)
    kinds = tuple(kind or STRING for kind in seen.values())
    return checked(RowType(names=tuple(seen), types=kinds))


def _parquet_row_type(path: Path, name: str) -> RowType:
    """A parquet file says its columns at its end, so that no row is read."""
    from pyarrow import parquet

    try:
        schema = parquet.read_schema(path)
    except pa.ArrowException as error:
        raise _unreadable(name, error) from None
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


def _inferred(column: str, given: pa.DataType, name: str) -> ColumnType | None:
    """The type of a column's values; None where all are missing."""
    if pa.types.is_dictionary(given):
        given = given.value_type
    if pa.types.is_null(given):
        return None
    for kind, test in _TYPE_TESTS:
        if test(given):
            return kind
    msg = f"file {name!r}: column {column!r} is a {given}, which no column type holds"
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
