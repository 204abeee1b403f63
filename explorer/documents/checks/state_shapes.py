"""State shapes of a keyed process function and the columns that they add, one row each.

Mirrors common functions with ``ValueState``, ``MapState``, ``ListState`` and an event-time timer
in a ``KeyedProcessFunction``.
"""

from typing import Final

import msgspec

from explorer.documents.checks.faults import Fault, first_empty, misplaced, outside
from explorer.java_numbers import LONG_MAX
from explorer.model.pipeline import KeyedState, Shape
from explorer.model.row_type import LONG, ColumnType
from explorer.wording import listed

MAX_TOP: Final = 1000
"""Rows that a key's list of the greatest may hold."""


class StateShape(msgspec.Struct, frozen=True, kw_only=True):
    """One shape of keyed state."""

    needs: tuple[str, ...] = ()
    """The fields without which it means nothing."""
    optional: tuple[str, ...] = ()
    """Its optional fields."""
    adds: str | None = None
    """The column that it puts behind the row's, where ``as`` names none; None: it adds none."""
    typed_as_column: bool = False
    """Whether that column is of the type of ``column``; else it is LONG."""


SHAPES: Final[dict[Shape, StateShape]] = {
    "count": StateShape(adds="count"),
    "last": StateShape(needs=("column",), adds="last", typed_as_column=True),
    "total": StateShape(needs=("column",), adds="total", typed_as_column=True),
    "deduplicate": StateShape(optional=("column",)),
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


def check_state(state: KeyedState, *_: object) -> Fault | None:
    """Each shape has fields of its own."""
    shape = SHAPES[state.shape]
    optional = (*shape.optional, *(("as",) if shape.adds else ()))
    may = (*shape.needs, *optional)
    only = f"takes {listed(may)} only" if may else "takes no other field"
    words = f"; the shape {state.shape} needs it", f"the shape {state.shape} {only}"
    values = {"column": state.column, "size": state.size, "gap": state.gap, "as": state.as_}
    if fault := misplaced("state", values, shape.needs, optional, words):
        return fault
    return (
        outside("state.size", state.size, 1, MAX_TOP)
        or outside("state.gap", state.gap, 1, LONG_MAX)
        or first_empty("state", values, "must name a column")
    )
