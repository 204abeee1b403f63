"""The ID table: every operator with its ID and its place in a job vertex; with old and new IDs."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from components.session import actions
from components.session.keys import Key
from components.widgets import table
from components.widgets.pieces import verdict_line
from components.widgets.table import Cell, Column, Row
from explorer.drawing.svg.palette import hue
from explorer.drawing.view.elements import NodeView
from explorer.drawing.view.id_changes import IdRow, tone
from explorer.model.stream_graph import bare_name
from explorer.restore.restored import RestoredOperator
from explorer.restore.verdict import RestoreVerdict

COLUMNS: Final = (
    Column("node ID", "right"),
    Column("name", "shrink"),
    Column("uid", "mono"),
    Column("operator ID", "id"),
    Column("task"),
    Column("chain index", "right"),
    Column("", "wrap"),
)


MOST: Final = 500
"""Removed operators that are sent at once."""


def show(
    rows: Sequence[IdRow],
    verdict: RestoreVerdict | None,
    *,
    selection: str | None,
    highlighted: frozenset[str],
) -> None:
    """Draw the verdict and a row an operator, removed ones last; a pick selects the operator."""
    if verdict is not None and verdict.changed_ids:
        st.html(verdict_line(verdict))
    shown_rows, note = table.near(rows, highlighted, "an operator")
    gone = [operator for operator in verdict.operators if operator.node is None] if verdict else []
    table.show(
        COLUMNS,
        [*map(_row, shown_rows), *map(_removed_row, gone[:MOST])],
        label="Operator IDs",
        key=Key.IDS,
        selection=selection,
        highlighted=highlighted,
        note=note,
        on_pick=actions.pick,
    )


def _row(row: IdRow) -> Row:
    return Row(
        row.key,
        (
            row.node.id,
            _name_cell(row.node),
            row.node.uid or table.NONE,
            row.node.hash
            if row.before is None
            else {"old": row.before, "new": row.node.hash, "tone": row.tone},
            {"text": row.chain_name, "hue": hue(row.colour)},
            row.node.chain_index,
            {"text": row.consequence, "tone": row.tone} if row.consequence else None,
        ),
    )


def _removed_row(operator: RestoredOperator) -> Row:
    """Return the row of a baseline operator without a certain counterpart."""
    word = "several operators match" if operator.change == "unclear" else "removed"
    if operator.outcome == "unknown":
        word = "not found among the known IDs"
    text = {"text": f"{word}: {operator.sentence}", "tone": tone(operator)}
    return Row(None, (None, operator.name, None, operator.operator_id, None, None, text))


def _name_cell(node: NodeView) -> Cell:
    """Return the operator's name, with its transformation's id where that is different."""
    if node.transformation in {None, node.name, bare_name(node.name)}:
        return node.name
    return {"text": node.name, "note": node.transformation}
