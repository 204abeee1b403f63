"""Files that a test writes: their rows, or the sentence on what is wrong with them."""

from pathlib import Path
from typing import Any, Literal

import pytest

from explorer.engine import plan
from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.sources.confinement import version_of
from explorer.engine.rows.sources.tables import infer_row_type, read_columns
from explorer.engine.task.source_rows import read
from explorer.model.row_type import LONG, STRING, RowType

Format = Literal["text", "csv", "jsonl", "parquet"]
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1")
LINES = RowType.of(line=STRING)
NUMBERS = RowType.of(n=LONG)


def rows_of(path: Path, form: str, row_type: RowType | None = None) -> list[tuple[Any, ...]]:
    """All rows of a file, in the types that it is found to have."""
    kinds = row_type or infer_row_type(path, path.name, form)
    parts = read_columns(path, path.name, form, kinds)
    return [
        row
        for columns in parts
        for row in zip(*(column.to_pylist() for column in columns), strict=True)
    ]


def written(folder: Path, content: bytes, name: str = "rows") -> Path:
    (folder / name).write_bytes(content)
    return folder / name


def refusal(path: Path, form: str, row_type: RowType | None = None) -> str:
    with pytest.raises(SourceError) as error:
        rows_of(path, form, row_type)
    sentence = str(error.value)
    assert sentence.startswith("file ")
    assert "\n" not in sentence
    return sentence


def file_source(path: Path, form: Format, row_type: RowType) -> plan.Source:
    version = version_of(path, path.name)
    rows = plan.FileRows(path=str(path), name=path.name, format=form, version=version)
    return plan.Source(rows=rows, row_type=row_type)


def source_rows(source: plan.Source, subtask: int = 0, parallelism: int = 1) -> list[list[Any]]:
    return [row for batch in read(source, subtask, parallelism) for row in batch.rows()]
