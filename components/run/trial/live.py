"""Progress of the trial of the shown document: its figures on both graphs, as they grow."""

from typing import Final

from components.run.trial import figures, runs, watching
from components.session import session
from components.session.keys import Key
from components.session.work import Work
from components.widgets.packaged import packaged_component
from explorer.drawing.view.annotations import Figures
from explorer.drawing.view.elements import GraphView

_mount: Final = packaged_component("live", js="main.js")
EVERY: Final = 0.8
"""Seconds between two looks."""
MOST: Final = 200
"""Operators of a graph that is shown at work."""


def begun(work: Work, view: GraphView) -> Figures | None:
    """Return the figures with which a graph is drawn while a trial of the document runs."""
    run = runs.unfinished_run(work.document)
    if run is None or len(view.nodes) > MOST:
        return None
    return figures.live_on_graph(view, run.handle.progress().vertices)


def show(work: Work) -> None:
    """Update both graphs repeatedly; when the trial has ended, the whole page is drawn anew."""
    run = runs.unfinished_run(work.document)
    view = session.compiled(work.document).view
    if run is None or view is None or len(view.nodes) > MOST:
        return

    def draw() -> None:
        vertex_progresses = run.handle.progress().vertices
        _mount(
            key=Key.LIVE_FIGURES,
            data=figures.live_on_graph(view, vertex_progresses),
            height="content",
        )

    watching.again(lambda: run.has_ended, draw, EVERY)
