"""Where do a source's rows come from, and which columns do they have?"""

from pathlib import Path
from typing import Final

from explorer.model.pipeline import Rows, Transformation
from explorer.rows.errors import SourceError
from explorer.rows.row_type import LONG, STRING, RowType, parse_schema
from explorer.rows.sources.confinement import confined
from explorer.rows.sources.tables import infer_row_type
from explorer.task import plan

NUMBERS: Final = RowType.of(n=LONG)
"""The columns of a sequence, and of a source of which nothing is said."""
LINES: Final = RowType.of(line=STRING)
DEFAULT_ROWS: Final = plan.SequenceRows(first=0, last=999)
"""What a source without ``rows`` yields."""


def default_source(*, timestamped: bool) -> plan.Source:
    """A source of which nothing is said."""
    return plan.Source(rows=DEFAULT_ROWS, row_type=NUMBERS, timestamped=timestamped)


def source_plan(
    transformation: Transformation, data_dir: Path | None, *, timestamped: bool
) -> plan.Source:
    """Plan a source; opens its file only where columns must be inferred."""
    rows = transformation.rows
    if rows is None:
        return default_source(timestamped=timestamped)
    if rows.sequence is not None:
        numbers = plan.SequenceRows(first=rows.sequence.first, last=rows.sequence.last)
        return plan.Source(rows=numbers, row_type=NUMBERS, timestamped=timestamped)
    if rows.path is not None:
        return _file_source(transformation.id, rows, rows.path, data_dir, timestamped=timestamped)
    inline = plan.InlineRows(values=rows.values or ())
    return plan.Source(rows=inline, row_type=_schema(rows), timestamped=timestamped)


def _schema(rows: Rows) -> RowType:
    if rows.schema is None:
        msg = "inline values need a schema, as in 'word STRING, n LONG'"
        raise SourceError(msg)
    return parse_schema(rows.schema)


def _file_source(
    who: str, rows: Rows, name: str, data_dir: Path | None, *, timestamped: bool
) -> plan.Source:
    path = confined(data_dir, name, who)
    if rows.format is None:
        msg = f"transformation {who!r}: the file {name!r} needs a format"
        raise SourceError(msg)
    file = plan.FileRows(path=str(path), name=name, format=rows.format)
    if rows.format == "text":
        row_type = LINES
    elif rows.schema is not None:
        row_type = parse_schema(rows.schema)
    else:
        row_type = infer_row_type(path, name, rows.format)
    return plan.Source(rows=file, row_type=row_type, timestamped=timestamped)
