"""The detail panel: an edge with its reasons and their fixes, or a node's or vertex's fields."""

from collections.abc import Sequence

import streamlit as st

from components.compiled import Compiled
from components.detail import edge, node, overview, sql, vertex
from components.keys import Key
from components.measured import Measured
from components.pieces import NOT_YET, hint
from components.work import Work
from explorer.drawing.id_changes import IdRow


def show(work: Work, done: Compiled, since: Measured, rows: Sequence[IdRow]) -> None:
    """Draw the panel for the selection; ``since``: the baseline, of which ``rows`` tell the IDs."""
    view, compilation, chosen = done.view, done.compilation, work.selection or ""
    program = since.old.program if since.old else None
    with st.container(key=Key.RIGHT):
        if view is None or compilation is None:
            st.html(hint(f"Nothing to explain {NOT_YET}"))
        elif chosen in view.edge_of:
            edge.show(compilation, view, view.edge_of[chosen], program)
        elif chosen in view.job_edge_of:
            edge.show(compilation, view, view.edge_of[view.job_edge_of[chosen].edge], program)
        elif chosen in view.node_of:
            node.show(view, view.node_of[chosen], rows)
        elif chosen in view.vertex_of:
            vertex.show(view, view.vertex_of[chosen])
        else:
            overview.show(work, compilation, view)
        sql.show(work.document, view, chosen)
