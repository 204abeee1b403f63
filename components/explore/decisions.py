"""The decision table: every edge, whether it chains, and the conditions that fail."""

from typing import Final

from components.session import actions
from components.session.keys import Key
from components.widgets import table
from components.widgets.table import Column, Only, Row
from explorer.drawing.view.elements import GraphView

COLUMNS: Final = (
    Column("edge"),
    Column("ship strategy"),
    Column("result"),
    Column("Why not chained", "wrap"),
    Column("job edge"),
)


def show(view: GraphView, *, selection: str | None, highlighted: frozenset[str]) -> None:
    """Draw; a pick selects the edge."""
    shown_views, note = table.near(view.edges, highlighted, "an edge")
    table.show(
        COLUMNS,
        [
            Row(
                edge.key,
                (
                    f"{edge.source_name} → {edge.target_name}",
                    edge.partitioner,
                    {"text": "chained", "tone": "good"}
                    if edge.chained
                    else {"text": "not chained", "tone": "bad"},
                    {"text": ", ".join(edge.against), "note": " ".join(edge.failed)}
                    if edge.failed
                    else table.NONE,
                    f"{cut.pattern} · {cut.result_type}" if cut else table.NONE,
                ),
            )
            for edge in shown_views
            for cut in (view.job_edge_of.get(edge.job_edge or ""),)
        ],
        label="Chaining decisions",
        key=Key.DECISIONS,
        selection=selection,
        highlighted=highlighted,
        note=note,
        only=Only(
            "only what does not chain", tuple(edge.key for edge in shown_views if not edge.chained)
        ),
        on_pick=actions.pick,
    )
