"""Checks of a source's ``rows`` and a sink's ``write``; whether a file exists is not checked."""

import math
from collections.abc import Sequence
from pathlib import PurePosixPath, PureWindowsPath
from typing import Final, get_args

from explorer.documents.checks.columns import LINES, NUMBERS, known_row
from explorer.documents.checks.faults import CheckContext, Fault
from explorer.documents.checks.generated_rows import PLAIN_TYPES, generated_fault
from explorer.documents.limits import MAX_TEXT
from explorer.java_numbers import fits_long
from explorer.locations import is_url
from explorer.model.pipeline import Rows, Scalar, TableFormat, Transformation, Write
from explorer.model.row_type import DOUBLE, LONG, ColumnType, RowType, SchemaError, parse_schema
from explorer.wording import described, listed, quoted

_ENDINGS: Final = {
    ".txt": "text",
    ".md": "text",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
}
_WRITTEN: Final = get_args(TableFormat)
"""The formats that a sink writes."""


def check_rows(rows: Rows, *_: object) -> Fault | None:
    """Ask every question about a source's rows, in order."""
    if rows.hybrid is not None:
        return _one_kind(rows) or _hybrid(rows.hybrid)
    return _one_kind(rows) or _sequence(rows) or _file(rows) or _columns(rows)


def _hybrid(parts: Sequence[Rows]) -> Fault | None:
    """Require at least two sources with rows of their own and, where they are known, one row."""
    if len(parts) < 2:  # noqa: PLR2004 - a source, and one that follows it
        return Fault("rows.hybrid", "must be at least two sources")
    for number, part in enumerate(parts):
        place = f"rows.hybrid[{number}]"
        if part.hybrid is not None:
            return Fault(f"{place}.hybrid", "must not be hybrid itself")
        if fault := check_rows(part):
            return Fault(f"{place}{fault.at.removeprefix('rows')}", fault.problem)
    row_types = [row for part in parts if (row := known_row(part)) is not None]
    other_row_type = next((row for row in row_types if row != row_types[0]), None)
    if other_row_type is None:
        return None
    return Fault(
        "rows.hybrid", f"must have the same columns, but has {row_types[0]} and {other_row_type}"
    )


def _one_kind(rows: Rows) -> Fault | None:
    values = [name for name in KINDS_OF_ROWS if getattr(rows, name) is not None]
    if len(values) != 1:
        has = f"has {listed(values)}" if values else "has none of them"
        return Fault("rows", f"takes exactly one of {listed(KINDS_OF_ROWS)}, but {has}")
    if rows.format is not None and rows.path is None:
        return Fault("rows.format", f"belongs to a path; {values[0]} has no format")
    own = "text" if rows.format == "text" else values[0]
    if rows.schema is not None and own in _OWN_COLUMNS:
        return Fault("rows.schema", f"cannot be chosen: {_OWN_COLUMNS[own]}")
    return generated_fault(rows.generate) if rows.generate is not None else None


KINDS_OF_ROWS: Final = ("sequence", "path", "values", "generate", "hybrid")
_OWN_COLUMNS: Final = {
    "sequence": f"a sequence has the column {NUMBERS}",
    "text": f"text has the column {LINES}",
    "generate": "rows that are made up have their own columns",
    "hybrid": "each of its sources has its own",
}


def _sequence(rows: Rows) -> Fault | None:
    if rows.sequence is None or rows.sequence.first <= rows.sequence.last:
        return None
    problem = f"must not be below from, which is {rows.sequence.first}, but is {rows.sequence.last}"
    return Fault("rows.sequence.to", problem)


def _columns(rows: Rows) -> Fault | None:
    if rows.schema is None:
        required = rows.values is not None
        return (
            Fault("rows.schema", "is missing; values need one, as in n LONG") if required else None
        )
    try:
        row_type = parse_schema(rows.schema)
    except SchemaError as error:
        return Fault("rows.schema", str(error))
    values = enumerate(rows.values or ())
    faults = (row_fault(f"rows.values[{number}]", row, row_type) for number, row in values)
    return next(filter(None, faults), None)


def row_fault(place: str, row: Sequence[Scalar], row_type: RowType) -> Fault | None:
    """Return why a row at ``place`` does not fit these columns; None if it fits."""
    columns = list(zip(row_type.names, row_type.types, strict=True))
    if len(row) != len(columns):
        return Fault(place, f"has {len(row)} values, but the schema has {len(columns)} columns")
    for position, ((name, kind), value) in enumerate(zip(columns, row, strict=True)):
        if not _fits(value, kind):
            problem = f"must be {kind} for column {quoted(name)}, but is {described(value)}"
            return Fault(f"{place}[{position}]", problem)
    return None


def _fits(value: Scalar, kind: ColumnType) -> bool:
    """Return whether a value has a column's type; null fits every column."""
    if value is None:
        return True
    column_type = PLAIN_TYPES.get(type(value))
    if column_type is not kind and (column_type, kind) != (LONG, DOUBLE):
        return False
    if kind is LONG:
        return fits_long(int(value))
    return kind is not DOUBLE or math.isfinite(float(value))


def _file(rows: Rows) -> Fault | None:
    if rows.path is None:
        return None
    fault = _path_fault("rows.path", rows.path, "the data folder", "a file")
    if fault is not None or rows.format is not None:
        return fault
    return Fault("rows.format", _missing(("text", *_WRITTEN), rows.path))


MAX_NAME: Final = 180
"""Bytes of a folder's name that a sink writes: a file system allows 255, and a trial adds to it."""


def check_write(
    write: Write, transformation: Transformation, program: CheckContext
) -> Fault | None:
    """Ask every question about the folder that a sink writes, in order."""
    fault = _path_fault("write.path", write.path, "the output folder", "a folder")
    write_path = PurePosixPath(write.path)
    if any(len(part.encode("utf-8", "surrogatepass")) > MAX_NAME for part in write_path.parts):
        return Fault("write.path", f"a folder's name takes at most {MAX_NAME} bytes; shorten it")
    return fault or _format_fault(write) or _shared_folder(write_path, transformation.id, program)


def _path_fault(place: str, path: str, folder: str, what: str) -> Fault | None:
    if not path.strip() or len(path) > MAX_TEXT:
        return Fault(place, f"must name {what}, in at most {MAX_TEXT:,} characters")
    if leaves_folder(path):
        problem = f"must be in {folder}, but is {quoted(path)}; name {what} in that folder"
        return Fault(place, problem)
    return None


def leaves_folder(path: str) -> bool:
    r"""Whether a path could leave its folder, on any system; a URL of a storage has none.

    >>> leaves_folder("a/../../b"), leaves_folder("C:\\b"), leaves_folder("a/b.csv")
    (True, True, False)
    """
    if is_url(path):
        return "\0" in path
    windows, posix = PureWindowsPath(path), PurePosixPath(path)
    rooted = posix.is_absolute() or bool(windows.drive or windows.root)
    return rooted or ".." in windows.parts or "\0" in path or "://" in path


def format_of_path(path: str) -> str | None:
    """Return the format that the ending of a file's name stands for."""
    return _ENDINGS.get(PurePosixPath(path).suffix.lower())


def _missing(formats: tuple[str, ...], path: str) -> str:
    guess = format_of_path(path)
    hint = f"; this looks like {guess}" if guess in formats else ""
    return f"is missing: {listed(formats, 'or')}{hint}"


def _format_fault(write: Write) -> Fault | None:
    """Require a folder's path and a format that the path's ending does not contradict."""
    if not PurePosixPath(write.path).parts:
        return Fault("write.path", f"must name a folder of its own, but is {quoted(write.path)}")
    if write.format is None:
        return Fault("write.format", _missing(_WRITTEN, write.path))
    reported = format_of_path(write.path)
    if reported in {None, write.format}:
        return None
    ending = PurePosixPath(write.path).suffix
    problem = (
        f"ends in {quoted(ending)}, which stands for {reported}, but the format is {write.format}"
    )
    return Fault("write.path", f"{problem}; change one of them")


def _shared_folder(write_path: PurePosixPath, id: str, program: CheckContext) -> Fault | None:
    """Refuse a folder that is, contains or is within the folder of another sink."""
    places = {
        "is also": [program.writers.get(write_path)],
        "is within": [program.writers.get(around) for around in write_path.parents],
        "holds": [program.folders_around_sinks.get(write_path)],
    }
    for how, sinks in places.items():
        for sink in sinks:
            if sink not in {None, id}:
                problem = f"{how} the folder of {quoted(sink)}; give each sink a folder of its own"
                return Fault("write.path", problem)
    return None
