"""What a trial of synthetic operators will do: records and time by operator, before it starts."""

from typing import Final

from components.run.trial.figures import SECOND, span
from components.session import actions
from components.session.keys import Key
from components.widgets import table
from components.widgets.table import Column, Row, numbers
from explorer.drawing.view.elements import GraphView
from explorer.engine.planning.synthetic import expected_records, synthetic_figures
from explorer.flink.compiler import Compilation
from explorer.model.stream_graph import NodeId

COLUMNS: Final = (
    Column("operator"),
    *numbers("records in", "out per record in", "records out", "µs a record", "takes"),
)


def show(
    compilation: Compilation, view: GraphView, *, selection: str | None, highlighted: frozenset[str]
) -> None:
    """Draw the table."""
    graph, expected = compilation.stream_graph, expected_records(compilation)
    rows = []
    for node in view.nodes:
        id = NodeId(node.id)
        synthetic, one = synthetic_figures(graph.node(id)), expected[id]
        source, sink = not graph.in_edges[id], not graph.out_edges[id]
        ratio = 1.0 if synthetic.records_out is None else synthetic.records_out
        cells = (
            node.name,
            "" if source else f"{one.records_in:,.0f}",
            "" if source or sink else f"{ratio:g}",
            "" if sink else f"{one.records_out:,.0f}",
            f"{synthetic.cost:g}",
            span(one.seconds * SECOND),
        )
        rows.append(Row(node.key, cells))
    table.show(
        COLUMNS,
        rows,
        label="What the trial will do",
        key=Key.FIGURES,
        selection=selection,
        highlighted=highlighted,
        height="content",
        on_pick=actions.pick,
    )
