"""The list of transformations: one row each, in the order in which the program declares them."""

from collections.abc import Collection
from typing import Final, NamedTuple

from components import actions, table
from components.keys import Key
from components.looks import NO_HUE, hue
from components.selection import TRANSFORMATION
from components.table import Column, Row
from explorer.documents import Document, StreamGraphDocument
from explorer.drawing.graph_view import GraphView, NodeView
from explorer.model.pipeline import Pipeline

COLUMNS: Final = (Column(""), Column("", "mono"))
MOST: Final = 1000


def show(
    document: Document,
    view: GraphView | None,
    *,
    blamed: Collection[str],
    selection: str | None,
    search: str,
) -> None:
    """Draw; a pick selects. ``blamed`` are the ids that an error speaks of."""
    if isinstance(document, StreamGraphDocument):
        entries = _operators(view)
    else:
        entries = _transformations(document, view, blamed)
    chosen = _entry_of(selection, view)
    wanted = search.casefold()
    found = [entry for entry in entries if wanted in f"{entry.name} {entry.type}".casefold()]
    at = next((turn for turn, entry in enumerate(found) if entry.key == chosen), 0)
    start = max(0, min(at - MOST // 2, len(found) - MOST))
    shown = found[start : start + MOST]
    hidden = len(found) - len(shown)
    table.show(
        COLUMNS,
        [_row(entry, view) for entry in shown],
        label="Transformations",
        key=Key.LIST,
        head=False,
        selection=chosen,
        note=f"and {hidden:,} more: search to find them" if hidden else "",
        on_pick=lambda: actions.pick(Key.LIST),
    )


class _Entry(NamedTuple):
    """One row before it is drawn."""

    key: str
    name: str
    type: str
    node: NodeView | None
    blamed: bool


def _transformations(
    pipeline: Pipeline, view: GraphView | None, blamed: Collection[str]
) -> list[_Entry]:
    nodes = _by_transformation(view)
    return [
        _Entry(f"{TRANSFORMATION}{one.id}", one.id, one.type, nodes.get(one.id), one.id in blamed)
        for one in pipeline.transformations
    ]


def _operators(view: GraphView | None) -> list[_Entry]:
    """A StreamGraph document has operators only."""
    nodes = view.nodes if view else ()
    return [_Entry(node.key, node.name, "", node, blamed=False) for node in nodes]


def _row(entry: _Entry, view: GraphView | None) -> Row:
    colour, tone, width = NO_HUE, "bad" if entry.blamed else "mute", ""
    if entry.node is not None and view is not None:
        colour, tone = hue(view.vertex_of[entry.node.vertex].number), ""
        width = f" ×{entry.node.parallelism}"
    name = {"text": entry.name, "hue": colour, "tone": tone}
    return Row(entry.key, (name, {"text": f"{entry.type}{width}".strip(), "tone": "mute"}))


def _by_transformation(view: GraphView | None) -> dict[str, NodeView]:
    nodes: dict[str, NodeView] = {}
    for node in view.nodes if view else ():
        if node.transformation is not None:
            nodes.setdefault(node.transformation, node)
    return nodes


def _entry_of(selection: str | None, view: GraphView | None) -> str | None:
    """The row that a selection stands for."""
    if selection is None or selection.startswith(TRANSFORMATION) or view is None:
        return selection
    node = view.node_of.get(selection)
    if node is None or node.transformation is None:
        return selection
    return f"{TRANSFORMATION}{node.transformation}"
