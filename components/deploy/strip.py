"""The strip below a verdict that shows graphs on demand: before and after, or the open version."""

from collections.abc import Callable
from functools import partial
from typing import Final

import streamlit as st

from components.deploy.plan import case_at_hand, plan_at_hand
from components.session import actions, session
from components.session.compiled import CompileOutcome
from components.session.keys import Key
from components.session.measured import Measured
from components.session.work import Work
from components.widgets.packaged import packaged_component
from components.widgets.pieces import hint, one_of
from explorer.drawing.svg.versions_svg import versions_svg
from explorer.drawing.view.elements import GraphView
from explorer.plans import Plan
from explorer.plans.changed_graph import ChangedGraph
from explorer.plans.graph_comparison import compare_graphs
from explorer.wording import counted

CLOSED: Final = "No graphs"
VERSIONS: Final = "Before and after"
GRAPHS: Final = "New version"
VIEWS: Final = (CLOSED, VERSIONS, GRAPHS)
"""What the strip shows; closed at first."""
_mount: Final = packaged_component("versions", js="main.js", css="main.css")


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
    picks = _selectable_operators(graph, outcome.view)
    _mount(
        key=Key.VERSIONS,
        data={"svg": svg, "picks": picks, "selected": work.selection},
        height="content",
        on_picked_change=lambda: actions.pick(Key.VERSIONS),
    )


def _selectable_operators(graph: ChangedGraph, view: GraphView | None) -> dict[str, str]:
    """Map the numbers of the drawn operators to the keys of the new version's.

    Empty where the drawing does not hold all of them, as that of an uploaded plan.
    """
    numbers = [operator.key for operator in graph.operators if operator.change != "removed"]
    nodes = view.nodes if view else ()
    if [graph.operators[number].name for number in numbers] != [node.name for node in nodes]:
        return {}
    return {str(number): node.key for number, node in zip(numbers, nodes, strict=True)}


def _changed_graph(work: Work, outcome: CompileOutcome, verdict: Measured) -> ChangedGraph | None:
    """Return both graphs whole where they can be compared; of an uploaded plan what it holds."""
    case = case_at_hand(work, outcome, verdict)
    if case is not None:
        return session.shared("changed-graph", (case,), partial(compare_graphs, whole=True))
    plan = plan_at_hand(work, outcome, verdict)
    return plan.changed_graph if isinstance(plan, Plan) else None
