"""A table of plain values with selectable rows; without a head it is a list."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, Final, Literal, Protocol, TypeVar

import msgspec

from components.widgets.packaged import packaged_component

_mount: Final = packaged_component("table", js="main.js", css="main.css")

Cell = str | int | dict[str, Any] | None
"""A text or a number, or one of: text, tone or note; old, new and tone; a bar's share; a hue."""
NONE: Final[Cell] = {"text": "—", "tone": "mute"}
"""For what there is not."""


class Column(msgspec.Struct, frozen=True):
    """A column's head and how its cells are set: ``mono``, ``id``, ``right``, ``wrap`` or not."""

    label: str
    kind: str = ""


def numbers(*labels: str) -> tuple[Column, ...]:
    """Columns of numbers, which stand on the right."""
    return tuple(Column(label, "right") for label in labels)


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """One row; the key is what a pick returns. A row without a key cannot be picked."""

    key: str | None
    cells: tuple[Cell, ...]
    shows: tuple[str, ...] = ()
    """Keys of further elements of the graphs that the row stands for."""


class Only(msgspec.Struct, frozen=True):
    """A box to tick that leaves some rows: what they are, and their keys."""

    label: str
    keys: tuple[str, ...]


MOST: Final = 1000
"""Rows that are sent at once."""


class HasKey(Protocol):
    """Something that becomes a row."""

    @property
    def key(self) -> str:
        """Key of the row."""


Keys = TypeVar("Keys", bound=HasKey)
Rows = TypeVar("Rows")


def beginning(rows: Sequence[Rows], maximum: int = 500) -> tuple[Sequence[Rows], str]:
    """The first rows, which are sent, and a note on the rest."""
    hidden = len(rows) - maximum
    return rows[:maximum], f"and {hidden:,} more" if hidden > 0 else ""


def near(
    all_rows: Sequence[Keys], highlighted: Collection[str], what: str
) -> tuple[Sequence[Keys], str]:
    """Return the rows of a long table around the first highlighted one, and a note on the rest.

    ``what``: the name of one, with its article.
    """
    first = next((turn for turn, row in enumerate(all_rows) if row.key in highlighted), 0)
    start = max(0, min(first - MOST // 2, len(all_rows) - MOST))
    hidden = max(0, len(all_rows) - MOST)
    note = f"and {hidden:,} more: select {what} to see those around it" if hidden else ""
    return all_rows[start : start + MOST], note


def show(
    columns: Sequence[Column],
    rows: Sequence[Row],
    *,
    label: str,
    key: str,
    selection: str | None = None,
    highlighted: Collection[str] = (),
    head: bool = True,
    note: str = "",
    only: Only | None = None,
    follows: bool = False,
    height: Literal["stretch", "content"] = "stretch",
    on_pick: Callable[[str], None] = lambda _key: None,
) -> None:
    """Draw; a pick puts the row's key into the state under ``key``, which ``on_pick`` is given.

    ``follows``: the browser selects the row of what the graphs show, whatever that is, since a
    selection does not draw this table anew. ``height``: as high as its place, of which the table is
    all, or as its rows, as a part of a longer text, which it does not scroll when it is opened.
    """
    _mount(
        key=key,
        data={
            "columns": [{"label": column.label, "kind": column.kind} for column in columns],
            "rows": rows,
            "label": label,
            "selection": selection,
            "highlighted": [row.key for row in rows if row.key in highlighted],
            "head": head,
            "note": note,
            "follows": follows,
            "alone": height == "stretch",
            "only": None if only is None else {"label": only.label, "keys": list(only.keys)},
        },
        height=height,
        on_picked_change=partial(on_pick, key),
    )
