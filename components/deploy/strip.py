"""The strip below a verdict that shows graphs on demand: before and after, or the open version."""

from collections.abc import Callable
from functools import partial
from typing import Final

import streamlit as st

from components.deploy.plan import case_at_hand, plan_at_hand
from components.session import session
from components.session.compiled import CompileOutcome
from components.session.keys import Key
from components.session.measured import Measured
from components.session.work import Work
from components.widgets.pieces import hint, image, one_of
from explorer.drawing.svg.versions_svg import versions_svg
from explorer.plans import Plan
from explorer.plans.changed_graph import ChangedGraph
from explorer.plans.graph_comparison import compare_graphs
from explorer.wording import counted

CLOSED: Final = "No graphs"
VERSIONS: Final = "Before and after"
GRAPHS: Final = "New version"
VIEWS: Final = (CLOSED, VERSIONS, GRAPHS)
"""What the strip shows; closed at first."""


def show(
    work: Work, outcome: CompileOutcome, verdict: Measured, *, draw: Callable[[], None]
) -> None:
    """Draw the choice and what is chosen; ``draw`` draws the open version's graphs."""
    with st.container(key="deploy-graphs"):
        with st.container(key="strip-bar", horizontal=True, vertical_alignment="center"):
            st.html('<div class="x-counts">Graphs</div>', width="content")
            chosen = one_of(VIEWS, key=Key.STRIP, label="Graphs")
        if chosen == VERSIONS:
            with st.container(key="strip-body"):
                _draw_versions(work, outcome, verdict)
        elif chosen == GRAPHS:
            draw()


def _draw_versions(work: Work, outcome: CompileOutcome, verdict: Measured) -> None:
    graph = _changed_graph(work, outcome, verdict)
    if graph is None:
        st.html(hint("The graph of the baseline is not known: a savepoint alone holds none."))
        return
    if not graph.operators:
        st.html(hint("Nothing of the graph changed."))
        return
    if graph.left_out:
        left_out = counted(graph.left_out, "more operator")
        st.html(hint(f"The changed part and its neighbours; {left_out} in the tables."))
    svg = session.shared("versions", (graph,), versions_svg)
    st.html(image(svg, "x-versions", "The StreamGraphs of the baseline and the new version"))


def _changed_graph(work: Work, outcome: CompileOutcome, verdict: Measured) -> ChangedGraph | None:
    """Return both graphs whole where they can be compared; of an uploaded plan what it holds."""
    case = case_at_hand(work, outcome, verdict)
    if case is not None:
        return session.shared("changed-graph", (case,), partial(compare_graphs, whole=True))
    plan = plan_at_hand(work, outcome, verdict)
    return plan.changed_graph if isinstance(plan, Plan) else None
