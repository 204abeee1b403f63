"""The page: one screen that joins the parts."""

from typing import Final

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components import failed, graphs, header, palette, reading, tabs
from components.deploy import strip, versions
from components.explore import detail, pipeline
from components.explore.pipeline import adding
from components.learn import guide
from components.run import trial
from components.run.running import asking
from components.run.trial import live
from components.server.messages import SELECTION
from components.session import actions, places, routes, session
from components.session.callbacks import ADDRESS
from components.session.compiled import CompileOutcome
from components.session.guard import run_guarded
from components.session.keys import Key
from components.session.measured import measured
from components.session.work import Work
from components.style import STYLE
from components.widgets import complaint, frame, picture, table
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
    ".st-key-selection>div>div>div:has(>.st-key-right){position:fixed;z-index:14;top:var(--x-top);bottom:0;"
    "height:auto;width:var(--x-drawer)!important;display:none}"
    ".st-key-middle{padding-right:12px}"
)
"""The right panel lies over the page while it is open; its handle lies beside the graphs."""
HANDLES: Final = {
    "closed": _UPRIGHT,
    "deploy": _UPRIGHT + _DRAWER + ":root{--x-grip-left:none}",
    "source": _UPRIGHT + _DRAWER,
    "changes": _UPRIGHT
    + _DRAWER
    + ".st-key-selection>div>div>div:has(>.st-key-middle){display:none}",
    "run": ":root{--x-below:46dvh}",
    "learn": ":root{--x-below:40dvh}",
}
"""By place, which borders can be dragged, and the height of its panel."""

SELECTED: Final = frozenset({"selection", "reach"})
"""Fields of the work that a selection changes."""


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
        else:
            pipeline.show(work, outcome, head=lambda: header.document(work, outcome, verdict))
        with st.container(key=SELECTION):
            error = _selection()
        if error is not None:
            raise error
        with notices:
            for place in (*ADDRESS, session.PAGE):
                complaint.show(place)
    _overlays(work, outcome)
    session.end_turn(work)


@st.fragment(key=SELECTION)
def _selection() -> Exception | None:
    """Draw what shows the selection; after a click on an element, this part alone is drawn anew.

    Returns the error that ended it where the whole page is drawn, which reports it.
    """
    if _is_selection_alone():
        run_guarded(_draw_selection, failed.show)
        return None
    try:
        _draw_selection()
    except Exception as error:  # noqa: BLE001 - Streamlit would show its own box
        return error
    return None


def _is_selection_alone() -> bool:
    context = get_script_run_ctx()
    return context is not None and bool(context.fragment_ids_this_run)


def _is_more_changed(work: Work) -> bool:
    """Whether the page beside that part is no longer right, so that all of it must be drawn."""
    shown = _shown_beside(work)
    if _is_selection_alone():
        return bool(st.session_state.get(Key.BESIDE) != shown)
    st.session_state[Key.BESIDE] = shown
    return False


def _shown_beside(work: Work) -> tuple[object, ...]:
    """Return what that is drawn from; a long list holds only what is near the selection."""
    is_long = work.document.parts > table.MOST
    fields = (name for name in Work.__struct_fields__ if is_long or name not in SELECTED)
    return (*(getattr(work, name) for name in fields), places.current(), session.errors())


def _draw_selection() -> None:
    work = session.work()
    if work is None or _is_more_changed(work):
        st.rerun()
    session.publish()
    outcome = session.compiled(work.document)
    verdict = measured(work, outcome)
    rows = session.shared("ids", (outcome.view, verdict.verdict), id_rows) if outcome.view else ()
    shining = frozenset[str]()
    if outcome.view is not None:
        pairs = outcome.view.counterparts
        shining = highlighted(work.selection, outcome.view, pairs) | routes.around(
            work, outcome.view
        )
    if places.current()[0] == "Deploy":
        strip.show(work, outcome, verdict, draw=lambda: graphs.show(work, outcome))
    else:
        graphs.show(work, outcome)
    tabs.show(work, outcome, verdict, rows, shining)
    detail.show(work, outcome, verdict, rows, form=lambda: pipeline.edit(work, outcome))
    frame.show(work, _layout())


def _overlays(work: Work, outcome: CompileOutcome) -> None:
    guide.show()
    adding.show(work)
    picture.show(work, outcome, graphs.annotations)
    live.show(work)
    trial.start_spark_early()
