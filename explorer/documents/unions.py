"""Do a union's inputs agree, as far as a document tells without opening files or expressions?

Columns are known of inline rows, sequences, texts and schemas, of what a ``select`` names, and of
what passes them on; a type is known of a literal and of a column that goes on as it is.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from explorer.documents.columns import (
    Columns,
    Reading,
    UnlikeStreamsError,
    columns_of,
    told_row,
    walk,
)
from explorer.documents.faults import Fault
from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Transformation
from explorer.rows.row_type import BOOLEAN, DOUBLE, LONG, STRING, ColumnType

_LITERALS: Final = (
    (re.compile(r"[-+]?\d+"), LONG),
    (re.compile(r"[-+]?\d+\.\d*|[-+]?\.\d+"), DOUBLE),
    (re.compile(r"'[^']*'"), STRING),
    (re.compile(r"true|false", re.IGNORECASE), BOOLEAN),
)


def _source(source: Transformation) -> Columns | None:
    row = None if source.rows is None else told_row(source.rows)
    return None if row is None else columns_of(row)


def _select(
    owner: Transformation, number: int, texts: Mapping[str, str], columns: Columns | None
) -> Columns:
    types = dict(columns or ())
    return tuple((name, _type(text.strip(), types)) for name, text in texts.items())


def _type(expression: str, types: Mapping[str, ColumnType | None]) -> ColumnType | None:
    """The type of a bare column or a literal; None for any other expression."""
    if expression in types:
        return types[expression]
    return next((kind for form, kind in _LITERALS if form.fullmatch(expression)), None)


TOLD: Final = Reading(source=_source, select=_select, passes_on=False)
"""What a document itself says of its rows."""


def check_unions(
    transformations: Sequence[Transformation], positions: Mapping[str, int]
) -> tuple[int, Fault] | None:
    """The first union whose inputs are known to have different columns, and what is wrong."""
    if not any(KINDS[one.type].joins for one in transformations) or not any(
        map(_tells, transformations)
    ):
        return None
    try:
        for _ in walk(transformations, TOLD):
            pass
    except UnlikeStreamsError as error:
        return positions[error.union], Fault(f"inputs[{error.input}]", error.problem)
    return None


def _tells(one: Transformation) -> bool:
    fields = (one.rows, one.select, one.select1, one.select2, one.split, one.aggregate)
    return any(field is not None for field in fields)
