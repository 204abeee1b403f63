"""The page: one screen that joins the parts."""

from typing import Final

import streamlit as st

from components import failed, graphs, header, palette, reading, tabs
from components.deploy import strip, versions
from components.explore import detail, pipeline
from components.explore.pipeline import adding
from components.learn import guide
from components.run import trial
from components.run.running import asking
from components.run.trial import live
from components.session import actions, places, routes, session
from components.session.callbacks import ADDRESS
from components.session.compiled import CompileOutcome
from components.session.guard import run_guarded
from components.session.keys import Key
from components.session.measured import measured
from components.session.work import Work
from components.style import STYLE
from components.widgets import complaint, frame, picture
from explorer.drawing.view.id_changes import id_rows
from explorer.drawing.view.selection import highlighted

LAYOUTS: Final = {
    "closed": f"grid-template-rows:var(--x-top) auto minmax(0,1fr) {places.CLOSED_HEIGHT}px",
    "deploy": "grid-template:var(--x-top) auto auto minmax(0,1fr) auto/minmax(0,1fr);"
    'grid-template-areas:"top" "notices" "versions" "below" "middle"',
    "source": "grid-template:var(--x-top) auto minmax(0,1fr)/var(--x-left) 50vw minmax(0,1fr);"
    'grid-template-areas:"top top top" "notices notices notices" "left below middle"',
    "changes": "grid-template:var(--x-top) auto minmax(0,1fr)/var(--x-left) minmax(0,1fr);"
    'grid-template-areas:"top top" "notices notices" "left below"',
}
"""By place, its grid where it differs; ``closed``: Explore without a table."""
_UPRIGHT: Final = ".st-key-screen .st-key-below{visibility:visible}:root{--x-grip-below:none}"
_DRAWER: Final = (
    "@media(min-width:1000px){:root{--x-drawers:right;--x-right:0px}}"
    ".st-key-screen>div:has(>.st-key-right){position:fixed;z-index:14;top:var(--x-top);bottom:0;"
    "height:auto;width:var(--x-drawer)!important;display:none}"
    ".st-key-middle{padding-right:12px}"
)
"""The right panel lies over the page while it is open; its handle lies beside the graphs."""
HANDLES: Final = {
    "closed": _UPRIGHT,
    "deploy": _UPRIGHT + _DRAWER + ":root{--x-grip-left:none}",
    "source": _UPRIGHT + _DRAWER,
    "changes": _UPRIGHT + _DRAWER + ".st-key-screen>div:has(>.st-key-middle){display:none}",
    "run": ":root{--x-below:46dvh}",
    "learn": ":root{--x-below:40dvh}",
}
"""By place, which borders can be dragged, and the height of its panel."""


def show() -> None:
    """Draw the whole screen; where that fails, say so and offer to go on."""
    st.html(STYLE)
    run_guarded(_screen, failed.show)


def _layout() -> str:
    place, tab = places.current()
    return {places.CLOSED: "closed", places.CHANGES: "changes"}.get(tab, place.lower())


def _layout_style() -> str:
    name = _layout()
    return f"<style>.st-key-screen{{{LAYOUTS.get(name, '')}}}{HANDLES.get(name, '')}</style>"


def _screen() -> None:
    actions.check_address()
    session.restore_session()
    work = session.work() or actions.open_default()
    places.resolve(travelled=session.travelled())
    asking.add_own_figures(work.document)
    linked = session.publish()
    outcome = session.compiled(work.document)
    text = session.reading()
    if text is not None:
        reading.show(work, outcome, text)
        session.end_turn(work)
        return
    verdict = measured(work, outcome)
    rows = session.shared("ids", (outcome.view, verdict.verdict), id_rows) if outcome.view else ()
    shining = frozenset[str]()
    if outcome.view is not None:
        pairs = outcome.view.counterparts
        shining = highlighted(work.selection, outcome.view, pairs) | routes.around(
            work, outcome.view
        )
    st.html(_layout_style())
    with st.container(key=Key.SCREEN):
        header.show(
            work,
            outcome,
            verdict,
            linked=linked,
            finder=lambda: palette.show(work, outcome.view),
        )
        notices = st.container(key=Key.NOTICES)
        if places.current()[0] == "Deploy":
            versions.show(
                work,
                outcome,
                verdict,
                head=lambda: header.new_version(work, outcome, verdict),
                upload=lambda: pipeline.upload(work),
            )
            strip.show(work, outcome, verdict, draw=lambda: graphs.show(work, outcome))
        else:
            pipeline.show(work, outcome, head=lambda: header.document(work, outcome, verdict))
            graphs.show(work, outcome)
        tabs.show(work, outcome, verdict, rows, shining)
        detail.show(work, outcome, verdict, rows, form=lambda: pipeline.edit(work, outcome))
        with notices:
            for place in (*ADDRESS, session.PAGE):
                complaint.show(place)
    _overlays(work, outcome)
    session.end_turn(work)


def _overlays(work: Work, outcome: CompileOutcome) -> None:
    frame.show(work, _layout())
    guide.show()
    adding.show(work)
    picture.show(work, outcome, graphs.annotations)
    live.show(work)
    trial.start_spark_early()
