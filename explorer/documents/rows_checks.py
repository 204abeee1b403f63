"""What a source's ``rows`` must be: one kind of input, a schema that reads, values that fit it."""

import math
from pathlib import PurePosixPath, PureWindowsPath
from typing import Final

from explorer.documents.faults import Fault, Program
from explorer.documents.limits import MAX_TEXT
from explorer.java_numbers import fits_long
from explorer.model.pipeline import Rows, Scalar, Transformation
from explorer.rows.row_type import (
    BOOLEAN,
    DOUBLE,
    LONG,
    STRING,
    ColumnType,
    SchemaError,
    parse_schema,
)
from explorer.wording import described, listed, quoted

_TAKES: Final[dict[ColumnType, tuple[type, ...]]] = {
    LONG: (int,),
    DOUBLE: (float, int),
    STRING: (str,),
    BOOLEAN: (bool,),
}
"""By column type, the plain values that it takes."""

_ENDINGS: Final = {
    ".txt": "text",
    ".md": "text",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
}


def check_rows(transformation: Transformation, program: Program) -> Fault | None:
    """Ask every question about a source's rows, in order."""
    rows = transformation.rows
    if rows is None:
        return None
    return _one_kind(rows) or _sequence(rows) or _path(rows) or _schema(rows) or _values(rows)


def _one_kind(rows: Rows) -> Fault | None:
    given = [name for name in ("sequence", "path", "values") if getattr(rows, name) is not None]
    if len(given) != 1:
        has = f"has {listed(given)}" if given else "has none of them"
        return Fault("rows", f"takes exactly one of sequence, path and values, but {has}")
    if rows.format is not None and rows.path is None:
        return Fault("rows.format", f"belongs to a path; {given[0]} has no format")
    if rows.schema is not None and (rows.sequence is not None or rows.format == "text"):
        what = (
            "a sequence has the column n LONG"
            if rows.sequence
            else "text has the column line STRING"
        )
        return Fault("rows.schema", f"cannot be chosen: {what}")
    return None


def _sequence(rows: Rows) -> Fault | None:
    if rows.sequence is None or rows.sequence.first <= rows.sequence.last:
        return None
    problem = f"must not be below from, which is {rows.sequence.first}, but is {rows.sequence.last}"
    return Fault("rows.sequence.to", problem)


def _path(rows: Rows) -> Fault | None:
    if rows.path is None:
        return None
    if not rows.path.strip() or len(rows.path) > MAX_TEXT:
        return Fault("rows.path", f"must name a file, in at most {MAX_TEXT:,} characters")
    if leaves_folder(rows.path):
        problem = f"must stay inside the data folder, but is {quoted(rows.path)}; name a file in it"
        return Fault("rows.path", problem)
    if rows.format is None:
        guess = _ENDINGS.get(PurePosixPath(rows.path).suffix.lower())
        hint = f"; this looks like {guess}" if guess else ""
        return Fault("rows.format", f"is missing: text, csv, jsonl or parquet{hint}")
    return None


def leaves_folder(path: str) -> bool:
    r"""Whether a relative path could leave its folder, on any system.

    >>> leaves_folder("a/../../b"), leaves_folder("C:\\b"), leaves_folder("a/b.csv")
    (True, True, False)
    """
    windows, posix = PureWindowsPath(path), PurePosixPath(path)
    rooted = posix.is_absolute() or bool(windows.drive or windows.root)
    return rooted or ".." in windows.parts or "\0" in path or "://" in path


def _schema(rows: Rows) -> Fault | None:
    if rows.schema is None:
        needed = rows.values is not None
        return Fault("rows.schema", "is missing; values need one, as in n LONG") if needed else None
    try:
        parse_schema(rows.schema)
    except SchemaError as error:
        return Fault("rows.schema", str(error))
    return None


def _values(rows: Rows) -> Fault | None:
    if rows.values is None or rows.schema is None:
        return None
    row_type = parse_schema(rows.schema)
    columns = list(zip(row_type.names, row_type.types, strict=True))
    for number, row in enumerate(rows.values):
        if len(row) != len(columns):
            problem = f"has {len(row)} values, but the schema has {len(columns)} columns"
            return Fault(f"rows.values[{number}]", problem)
        for position, ((name, kind), value) in enumerate(zip(columns, row, strict=True)):
            if not _fits(value, kind):
                problem = f"must be {kind} for column {quoted(name)}, but is {described(value)}"
                return Fault(f"rows.values[{number}][{position}]", problem)
    return None


def _fits(value: Scalar, kind: ColumnType) -> bool:
    """Whether a value is of a column's type; null fits every column."""
    if value is None:
        return True
    if type(value) not in _TAKES[kind]:
        return False
    if kind is LONG:
        return fits_long(int(value))
    return kind is not DOUBLE or math.isfinite(float(value))
