"""Plans sources: the origin of their rows, and their columns."""

from typing import Final

from explorer.documents.columns import NUMBERS, known_row
from explorer.engine import plan
from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.sources.columns import columns_of
from explorer.engine.rows.sources.confinement import source_path, version_of
from explorer.engine.rows.storage import FilePath
from explorer.model.pipeline import Transformation

DEFAULT_SOURCE: Final = plan.Source(rows=plan.SequenceRows(first=0, last=999), row_type=NUMBERS)
"""A source without described rows."""


def source_plan(
    transformation: Transformation, data_dir: FilePath | None, *, urls: bool = False
) -> plan.Source:
    """Plan a source; opens its file only where columns must be inferred.

    ``urls``: whether a source may read a URL.
    """
    rows = transformation.rows
    if rows is None:
        return DEFAULT_SOURCE
    reported = known_row(rows)
    if rows.path is not None:
        path = source_path(data_dir, rows.path, transformation.id, urls=urls)
        name = str(rows.path)
        if rows.format is None:
            msg = f"transformation {transformation.id!r}: the file {name!r} needs a format"
            raise SourceError(msg)
        version = version_of(path, name)
        file = plan.FileRows(path=str(path), name=name, format=rows.format, version=version)
        row_type = reported or columns_of(path, name, rows.format)
        return plan.Source(rows=file, row_type=row_type)
    if reported is None:
        msg = "inline values need a schema, as in 'word STRING, n LONG'"
        raise SourceError(msg)
    if rows.sequence is not None:
        numbers = plan.SequenceRows(first=rows.sequence.first, last=rows.sequence.last)
        return plan.Source(rows=numbers, row_type=reported)
    if rows.generate is not None:
        made = plan.MadeUpRows(rows=rows.generate, last=rows.generate.rows - 1)
        return plan.Source(rows=made, row_type=reported)
    return plan.Source(rows=plan.InlineRows(values=rows.values or ()), row_type=reported)
