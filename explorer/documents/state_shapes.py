"""What may a keyed process function keep for each key, and which column does it add? A row a shape.

Mirrors what people write with ``ValueState``, ``MapState``, ``ListState`` and an event-time timer
in a ``KeyedProcessFunction``.
"""

from typing import Final

import msgspec

from explorer.documents.faults import Fault, Program, outside
from explorer.java_numbers import LONG_MAX
from explorer.model.pipeline import KeyedState, Shape, Transformation
from explorer.rows.row_type import LONG, ColumnType
from explorer.wording import listed

MAX_TOP: Final = 1000
"""Rows that a key's list of the greatest may hold."""


class StateShape(msgspec.Struct, frozen=True, kw_only=True):
    """One shape of keyed state."""

    needs: tuple[str, ...] = ()
    """The fields without which it means nothing."""
    takes: tuple[str, ...] = ()
    """The fields that it may have besides."""
    adds: str | None = None
    """The column that it puts behind the row's, where ``as`` names none; None: it adds none."""
    typed_as_column: bool = False
    """Whether that column is of the type of ``column``; else it is LONG."""


SHAPES: Final[dict[Shape, StateShape]] = {
    "count": StateShape(adds="count"),
    "last": StateShape(needs=("column",), adds="last", typed_as_column=True),
    "total": StateShape(needs=("column",), adds="total", typed_as_column=True),
    "deduplicate": StateShape(takes=("column",)),
    "top": StateShape(needs=("column", "size"), adds="rank"),
    "pause": StateShape(needs=("gap",), adds="rows"),
}


def added_column(
    state: KeyedState, column: ColumnType | None
) -> tuple[str, ColumnType | None] | None:
    """The column that comes behind the row's own; ``column``: the type of the one it looks at."""
    shape = SHAPES[state.shape]
    if shape.adds is None:
        return None
    return state.as_ or shape.adds, column if shape.typed_as_column else LONG


def check_state(transformation: Transformation, program: Program) -> Fault | None:
    """Each shape has fields of its own."""
    state = transformation.state
    if state is None:
        return None
    shape = SHAPES[state.shape]
    may = (*shape.needs, *shape.takes, *(("as",) if shape.adds else ()))
    for field in ("column", "size", "gap", "as"):
        value = state.as_ if field == "as" else getattr(state, field)
        if value is None and field in shape.needs:
            problem = f"is missing; the shape {state.shape} needs it"
            return Fault(f"state.{field}", problem)
        if value is not None and field not in may:
            takes = f"takes {listed(may)} only" if may else "takes no other field"
            return Fault(f"state.{field}", f"the shape {state.shape} {takes}")
    return _check_values(transformation, program, state)


def _check_values(
    transformation: Transformation, program: Program, state: KeyedState
) -> Fault | None:
    checks = (
        None if state.size is None else outside("state.size", state.size, 1, MAX_TOP),
        None if state.gap is None else outside("state.gap", state.gap, 1, LONG_MAX),
        Fault("state.column", "must name a column") if state.column == "" else None,
        Fault("state.as", "must name a column") if state.as_ == "" else None,
    )
    return next((fault for fault in checks if fault is not None), None)
