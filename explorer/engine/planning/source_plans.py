"""Where do a source's rows come from, and which columns do they have?"""

from pathlib import Path
from typing import Final

from explorer.documents.columns import NUMBERS, told_row
from explorer.engine import plan
from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.sources.columns import columns_of
from explorer.engine.rows.sources.confinement import confined, version_of
from explorer.model.pipeline import Rows, Transformation
from explorer.model.row_type import RowType

DEFAULT_SOURCE: Final = plan.Source(rows=plan.SequenceRows(first=0, last=999), row_type=NUMBERS)
"""A source of which nothing is said."""


def source_plan(transformation: Transformation, data_dir: Path | None) -> plan.Source:
    """Plan a source; opens its file only where columns must be inferred."""
    rows = transformation.rows
    if rows is None:
        return DEFAULT_SOURCE
    told = told_row(rows)
    if rows.path is not None:
        return _file_source(transformation.id, rows, rows.path, data_dir, told)
    if told is None:
        msg = "inline values need a schema, as in 'word STRING, n LONG'"
        raise SourceError(msg)
    if rows.sequence is not None:
        numbers = plan.SequenceRows(first=rows.sequence.first, last=rows.sequence.last)
        return plan.Source(rows=numbers, row_type=told)
    if rows.generate is not None:
        made = plan.MadeUpRows(rows=rows.generate, last=rows.generate.rows - 1)
        return plan.Source(rows=made, row_type=told)
    return plan.Source(rows=plan.InlineRows(values=rows.values or ()), row_type=told)


def _file_source(
    who: str, rows: Rows, name: str, data_dir: Path | None, told: RowType | None
) -> plan.Source:
    path = confined(data_dir, name, who)
    if rows.format is None:
        msg = f"transformation {who!r}: the file {name!r} needs a format"
        raise SourceError(msg)
    version = version_of(path, name)
    file = plan.FileRows(path=str(path), name=name, format=rows.format, version=version)
    row_type = told or columns_of(path, name, rows.format)
    return plan.Source(rows=file, row_type=row_type)
