"""The ID table: every operator with its ID and its place in a job vertex; old IDs beside new."""

from collections.abc import Sequence
from typing import Final

from components import actions, table
from components.keys import Key
from components.table import Cell, Column, Row
from explorer.drawing.elements import NodeView
from explorer.drawing.id_changes import IdRow
from explorer.drawing.palette import hue
from explorer.model.stream_graph import bare_name

COLUMNS: Final = (
    Column("number", "right"),
    Column("name", "shrink"),
    Column("uid", "mono"),
    Column("operator ID", "id"),
    Column("task"),
    Column("chain index", "right"),
    Column("", "wrap"),
)


def show(rows: Sequence[IdRow], *, selection: str | None, lit: frozenset[str]) -> None:
    """Draw; a pick selects the operator."""
    shown, note = table.near(rows, lit, "an operator")
    table.show(
        COLUMNS,
        [_row(row) for row in shown],
        label="Operator IDs",
        key=Key.IDS,
        selection=selection,
        lit=lit,
        note=note,
        on_pick=actions.pick,
    )


def _row(row: IdRow) -> Row:
    return Row(
        row.key,
        (
            row.node.id,
            _named(row.node),
            row.node.uid or table.NONE,
            _id(row),
            {"text": f"chain {row.chain}", "hue": hue(row.chain)},
            row.node.chain_index,
            {"text": row.consequence, "tone": row.tone} if row.consequence else None,
        ),
    )


def _id(row: IdRow) -> Cell:
    """Its ID; where it had another one, both."""
    if row.before is None:
        return row.node.hash
    return {"old": row.before, "new": row.node.hash, "tone": row.tone}


def _named(node: NodeView) -> Cell:
    """The operator's name, and its transformation's id where the name is another one."""
    if node.transformation in {None, node.name, bare_name(node.name)}:
        return node.name
    return {"text": node.name, "note": node.transformation}
