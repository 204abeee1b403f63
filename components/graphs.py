"""The middle of the screen: both graphs, or why there are none."""

from typing import Any, Final
from zlib import crc32

import streamlit as st

from components import graph
from components.deploy import check
from components.explore import empty
from components.explore.pipeline import adding
from components.graph.drawing import (
    drawing,
    execution_drawing,
    is_turned,
    of_document,
    pack,
    unpack,
)
from components.graph.drawn_places import drawn_places
from components.run.trial import figures, job_figures, live, previews, runs
from components.session import actions, editing, levels, places, routes, session
from components.session.compiled import CompileOutcome
from components.session.file_plan import failure_without_graph
from components.session.guard import guarded
from components.session.keys import Key
from components.session.measured import Measured, measured
from components.session.routes import Visible
from components.session.work import Work
from components.widgets import picture
from components.widgets.escaping import markup
from components.widgets.pieces import hint
from explorer.drawing.view.annotations import Annotations, Figures
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.highlighted_steps import MOST
from explorer.drawing.view.state_figures import state_figures
from explorer.drawing.view.unread import UnreadTransformation, unread_transformations
from explorer.edits.additions import Place
from explorer.running.job_report import JobReport
from explorer.wording import counted

LARGE: Final = 3000
"""A graph of more cards or lines than this is only drawn when asked for."""


def show(work: Work, outcome: CompileOutcome, *, reads: bool = False) -> None:
    """Draw; where the pipeline does not compile, the last graphs that did stay, greyed.

    ``reads``: for a reader, who changes nothing.
    """
    view = outcome.view or session.last_view(work)
    with st.container(key=Key.MIDDLE):
        error = failure_without_graph(work) or outcome.error
        if error and empty.is_begun(work):
            st.html(f'<div class="x-refused" role="alert">{markup(error, 1200)}</div>')
        if not empty.is_begun(work):
            empty.show(work)
        elif view is None or not view.nodes:
            st.html(hint("There is nothing to draw yet."))
        elif _may_draw(work, routes.visible(work, view)):
            _draw(work, outcome, routes.visible(work, view), reads=reads)


def _draw(work: Work, outcome: CompileOutcome, visible: Visible, *, reads: bool) -> None:
    chosen_levels = levels.current_levels()
    builds = not reads and work.document.pipeline is not None and not outcome.error
    board = graph.board(
        _draw_graphs(work, outcome, visible),
        execution=_execution(work, outcome, visible)
        if levels.EXECUTION in (chosen_levels or ())
        else None,
        levels=chosen_levels,
        direction=levels.current_direction(),
        selection=work.selection,
        around=visible.around,
        places=_places(work, visible.view) if builds else (),
        routes=routes.buttons(work),
        pictures=picture.menu(visible.view.words),
        connects=builds,
        presents=not reads,
        stale=bool(outcome.error),
    )
    graph.mount(
        key=Key.GRAPH,
        data=board,
        height="stretch",
        on_picked_change=lambda: actions.pick(Key.GRAPH),
        on_folded_change=lambda: actions.fold(Key.GRAPH),
        on_route_change=lambda: routes.take(Key.GRAPH),
        on_connected_change=lambda: editing.connect_picked(Key.GRAPH),
        on_added_change=_open_dialog,
        on_levels_change=lambda: levels.choose_levels(Key.GRAPH),
        on_direction_change=lambda: levels.choose_direction(Key.GRAPH),
    )


def _places(work: Work, view: GraphView) -> dict[str, Place]:
    return session.shared("places", (view, work.document.pipeline), drawn_places)


@guarded
def _open_dialog() -> None:
    """Add a transformation where the + of a card or an edge was pressed."""
    at, work = st.session_state[Key.GRAPH]["added"], session.work()
    if at is None or work is None or work.document.pipeline is None:
        return
    view = session.compiled(work.document).view
    place = _places(work, view).get(str(at["key"])) if view else None
    if place is not None:
        adding.open_dialog(place)


def _draw_graphs(work: Work, outcome: CompileOutcome, visible: Visible) -> dict[str, Any]:
    added = annotations(work, outcome, visible.view)
    _, tab = places.current()
    asks = tab == places.LESSON and len(visible.view.nodes) <= MOST
    unread = _unread(work, outcome, visible)
    direction = "down" if is_turned(len(visible.view.nodes)) else levels.current_direction()
    parts = (visible.view, added, visible.folded, visible.operators, unread, asks, direction)
    packed = session.shared(
        "drawing",
        parts,
        lambda *_: pack(
            drawing(
                visible.view,
                added=added,
                folded=visible.folded,
                operators=visible.operators,
                unread=unread,
                asks=asks,
                direction=direction,
            )
        ),
    )
    named = of_document(unpack(packed), str(work.serial))
    # By this the browser knows that only the selection changed.
    return named | {"drawn": f"{work.serial}-{crc32(packed)}"}


def _unread(
    work: Work, outcome: CompileOutcome, visible: Visible
) -> tuple[UnreadTransformation, ...]:
    """Return what is drawn beside the graph, if all of the graph is drawn."""
    pipeline = work.document.pipeline
    if pipeline is None or outcome.error or len(visible.view.nodes) < visible.operators:
        return ()
    return session.shared("unread", (visible.view, pipeline), unread_transformations)


def _execution(work: Work, outcome: CompileOutcome, visible: Visible) -> dict[str, Any]:
    direction = levels.current_direction()
    return session.shared(
        "execution",
        (outcome.compilation, visible.view, work.serial, direction),
        lambda *_: execution_drawing(
            outcome.compilation, visible.view, document=str(work.serial), direction=direction
        ),
    )


def annotations(work: Work, outcome: CompileOutcome, view: GraphView) -> Annotations:
    """Figures of this document's run or preview, and findings, for the graphs of ``view``."""
    added = live.begun(work, view)
    if added is None:
        run = runs.of_document(work.document)
        report = run.report if run else previews.figures(outcome)
        if report is None and places.current()[1] == places.RESTORE:
            added = _saved_state(measured(work, outcome), view)
        else:
            added = session.shared("figures", (view, report), _figures)
    findings = None if outcome.error else check.marked(work)
    return session.shared(
        "annotations",
        (view, added, findings),
        lambda view, added, findings: Annotations(
            figures=added, marks=check.marks(findings, view) if findings else {}
        ),
    )


def _saved_state(against: Measured, view: GraphView) -> Figures:
    """The bytes of the baseline's savepoint, at the operators that get them."""
    savepoint = against.baseline.savepoint if against.baseline else None
    operators = against.verdict.operators if against.verdict else ()
    if savepoint is None:
        return Figures()
    return session.shared("saved-state", (view, savepoint, operators), state_figures)


def _figures(view: GraphView, report: runs.Report | None) -> Figures:
    if report is None:
        return Figures()
    if isinstance(report, JobReport):
        return job_figures.on_graph(view, report)
    return figures.on_graph(view, report)


def _may_draw(work: Work, visible: Visible) -> bool:
    """Ask the user before a graph is drawn that would block the browser."""
    view, folded = visible.view, visible.folded
    hidden = sum(len(view.vertex_of[key].nodes) - 1 for key in folded)
    cards = len(view.nodes) - hidden
    drawn_views = view.bundled.edges
    within = sum(len(view.vertex_of[key].edges) for key in folded)
    lines = len(drawn_views) - within
    if max(cards, lines) <= LARGE or st.session_state.get(Key.DRAWN) == (work.serial, work.folded):
        return True
    with st.container(key="ask"):
        counts = f"{counted(len(view.nodes), 'operator')} in {counted(len(view.vertices), 'task')}"
        st.html(
            hint(
                f"{counts}: {cards:,} cards and {lines:,} lines to draw. "
                "The tables below hold all of them."
            )
        )
        if st.button("Draw them all the same", key="draw"):
            st.session_state[Key.DRAWN] = (work.serial, work.folded)
            st.rerun()
        if len(folded) < len(view.vertices):
            st.button(
                "Fold each chain to one card",
                key="refold",
                on_click=lambda: actions.fold_all(on=True),
            )
    return False
