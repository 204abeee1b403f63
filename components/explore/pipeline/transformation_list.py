"""The list of transformations: one row each, in the order in which the program declares them."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from components.session import actions
from components.session.keys import Key
from components.widgets import table
from components.widgets.escaping import cut
from components.widgets.table import Column, Row
from explorer.documents import Document
from explorer.drawing.layout.captions import spread
from explorer.drawing.svg.palette import PARTS, hue
from explorer.drawing.view.elements import GraphView, NodeView
from explorer.drawing.view.selection import TRANSFORMATION
from explorer.model.pipeline import Pipeline

COLUMNS: Final = (Column(""), Column("", "mono"))


class TransformationRow(NamedTuple):
    """One row before it is drawn."""

    key: str
    name: str
    type: str
    node: NodeView | None
    blamed: bool
    nodes: tuple[str, ...] = ()
    """Keys of all operators that it became."""


def show(
    entries: Sequence[TransformationRow],
    view: GraphView | None,
    *,
    selection: str | None,
    search: str,
) -> None:
    """Draw; a pick selects."""
    chosen = _entry_of(selection, entries, view)
    expected = search.casefold()
    rows = [entry for entry in entries if expected in _searched_text(entry).casefold()]
    shown_rows, _ = table.near(rows, (chosen or "",), "one")
    hidden = len(rows) - len(shown_rows)
    note = f"and {hidden:,} more: search to find them" if hidden else ""
    if search and not rows:
        note = f"nothing has “{cut(search, 40)}” in its id, type or name"
    table.show(
        COLUMNS,
        [_row(entry, view) for entry in shown_rows],
        label="Transformations",
        key=Key.LIST,
        head=False,
        selection=chosen,
        note=note,
        follows=True,
        on_pick=actions.pick,
    )


def _searched_text(entry: TransformationRow) -> str:
    """Return the text that a search compares: the id, the type, and the operator's name."""
    return f"{entry.name} {entry.type} {entry.node.name if entry.node else ''}"


def transformations(
    pipeline: Pipeline, view: GraphView | None, blamed: Collection[str]
) -> list[TransformationRow]:
    """A row a transformation; ``blamed`` are the ids that an error names."""
    nodes, keys = _by_transformation(view), _keys_by_transformation(view)
    return [
        TransformationRow(
            f"{TRANSFORMATION}{transformation.id}",
            transformation.id,
            transformation.type,
            nodes.get(transformation.id),
            transformation.id in blamed,
            tuple(keys[transformation.id]),
        )
        for transformation in pipeline.transformations
    ]


def operators(
    _: Document, view: GraphView | None, _blamed: Collection[str]
) -> list[TransformationRow]:
    """A row an operator: nothing else is known where the transformations are not."""
    nodes = view.nodes if view else ()
    return [TransformationRow(node.key, node.name, "", node, blamed=False) for node in nodes]


def _row(entry: TransformationRow, view: GraphView | None) -> Row:
    colour, tone, width = PARTS["idle"], "bad" if entry.blamed else "mute", ""
    if entry.node is not None and view is not None:
        colour, tone = hue(view.vertex_of[entry.node.vertex].colour), ""
        width = spread(entry.node.parallelism)
    # A type in the narrow column would leave the names no space.
    declared = f"{entry.name} · {entry.type}" if entry.type else entry.name
    name = {"text": entry.node.title if entry.node else declared, "hue": colour, "tone": tone}
    if entry.node is not None and entry.node.default_name:
        name["tip"] = f"{entry.node.title} · {entry.node.default_name}"
    return Row(entry.key, (name, {"text": width, "tone": "mute"}), entry.nodes)


def _by_transformation(view: GraphView | None) -> dict[str, NodeView]:
    nodes: dict[str, NodeView] = {}
    for node in view.nodes if view else ():
        if node.transformation is not None and not node.tags:
            nodes.setdefault(node.transformation, node)
    return nodes


def _keys_by_transformation(view: GraphView | None) -> Mapping[str, list[str]]:
    keys: dict[str, list[str]] = defaultdict(list)
    for node in view.nodes if view else ():
        if node.transformation is not None:
            keys[node.transformation].append(node.key)
    return keys


def _entry_of(
    selection: str | None, entries: Sequence[TransformationRow], view: GraphView | None
) -> str | None:
    """Return the row of a selection: its own, or that of its operator's transformation."""
    if selection is None or view is None or any(entry.key == selection for entry in entries):
        return selection
    node = view.node_of.get(selection)
    if node is None or node.transformation is None:
        return selection
    return f"{TRANSFORMATION}{node.transformation}"
