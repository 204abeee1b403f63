"""The bytes of a row as it crosses a job edge, with the meaning of each."""

import json
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import streamlit as st

from components.widgets import table
from components.widgets.pieces import hint
from components.widgets.table import Column, Row
from explorer.documents.checks.row_checks import row_fault
from explorer.engine.preview.preview import EmittedRows
from explorer.engine.rows.batch import from_rows
from explorer.engine.task.inspection import BytePart, inspect_elements
from explorer.engine.task.serializers import batch_bytes
from explorer.errors import DocumentError
from explorer.model.row_type import ColumnType, RowType

PICK: Final = "Pick a row to see its bytes on a job edge."
COLUMNS: Final = (Column("bytes", "mono"), Column("part"), Column("value"))


def show(emitted_rows: EmittedRows, picked: int | None) -> None:
    """Draw the bytes of the row that is picked."""
    if picked is None:
        st.html(hint(PICK))
        return
    _, time, row = emitted_rows.data[picked]
    show_parts(parts_of(emitted_rows.columns, row, time, emitted_rows.union_tag))


def show_parts(parts: Sequence[BytePart]) -> None:
    """Draw a table of the parts."""
    size = sum(len(part.data) for part in parts)
    table.show(
        COLUMNS,
        [_row(part) for part in parts],
        label="Bytes of the row",
        key="row-bytes",
        note=f"{size} bytes; rest a pointer on some for their meaning",
        height="content",
    )


def parts_of(
    columns: Sequence[tuple[str, str]], row: tuple[Any, ...], time: int | None, tag: int = 0
) -> tuple[BytePart, ...]:
    """Return Flink's bytes of a row, part by part; ``tag``: of a ``TaggedUnion``, 0 for none."""
    kinds = tuple(ColumnType(kind) for _, kind in columns)
    row_type = RowType(names=tuple(name for name, _ in columns), types=kinds, tag=tag)
    batch = from_rows(row_type, [row])
    times = None if time is None else np.array([time], np.int64)
    data = batch_bytes(batch.with_timestamps(times)).tobytes()
    return inspect_elements(data, columns, tagged=tag > 0)


def typed(columns: Sequence[tuple[str, str]], text: str, tag: int = 0) -> tuple[BytePart, ...]:
    """Return the parts of a row that a user types as JSON; raise ``DocumentError``."""
    try:
        row = json.loads(text)
    except ValueError:
        row = None
    example = ", ".join(f"{name} {kind}" for name, kind in columns)
    if not isinstance(row, list):
        problem = f"write the row as a JSON list of its values: [{example}]"
        raise DocumentError(path="", problem=problem)
    kinds = tuple(ColumnType(kind) for _, kind in columns)
    names = tuple(name for name, _ in columns)
    fault = row_fault("the row", row, RowType(names=names, types=kinds))
    if fault is not None:
        raise DocumentError(fault.at, fault.problem)
    return parts_of(columns, tuple(row), None, tag)


def _row(part: BytePart) -> Row:
    return Row(None, ({"text": part.hex, "tip": part.meaning}, part.name, part.value))
