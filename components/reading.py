"""The page for readers: what a link shows without anything that changes it, alone or in a frame.

The address selects it: with ``view=read`` there are both graphs and what is selected, with
``view=embed`` the graphs alone, for a frame in another page.
"""

from typing import Any, Final

import streamlit as st

from components import graphs, header
from components.session import link, session
from components.session.callbacks import ADDRESS
from components.session.compiled import CompileOutcome
from components.session.keys import Key
from components.session.levels import parsed_levels
from components.session.work import Work
from components.widgets import complaint, picture
from components.widgets.escaping import markup
from components.widgets.pieces import fields, heading, hint
from explorer.drawing.html.page_facts import page_facts

SELECT: Final = "Select an operator, an edge or a task in either graph."

_FRAMES: Final = {
    "read": "44px auto minmax(0,1fr)/minmax(0,1fr) 320px;"
    'grid-template-areas:"top top" "notices notices" "middle right"',
    "embed": '34px auto minmax(0,1fr)/minmax(0,1fr);grid-template-areas:"top" "notices" "middle"',
}
"""By reading, the rows and columns of the screen."""


_LOOKS: Final = (
    ".st-key-top a{color:var(--x-accent)}"
    # The title gives way, so that the link is inside the narrowest frame.
    ".st-key-top>div:first-child{flex:1 1 0!important;width:0!important;min-width:0}"
    # No drawer: there is no handle to open one, and none stands beside the graphs.
    ".st-key-screen .st-key-middle{padding:0}"
    ".st-key-screen>div:has(>.st-key-right){position:static!important;display:flex!important;"
    "width:auto!important;height:100%!important}"
    "@media(max-width:699px){.st-key-screen{grid-template-columns:minmax(0,1fr)"
    " clamp(0px,38vw,320px)}.st-key-screen:not(:has(>div>.st-key-right)){grid-template-columns:"
    "minmax(0,1fr)}}"
)


def _theme() -> str:
    """Return the rules by which a frame has the theme of the page around it."""
    theme = str(st.query_params.get(session.THEME, "")).casefold()
    if theme not in session.THEMES:
        return ""
    return f":root,.stApp{{color-scheme:{theme}!important}}.stApp,.stHtml{{color:var(--x-ink)}}"


def show(work: Work, outcome: CompileOutcome, reading: session.Reading) -> None:
    """Draw the title, both graphs and, where there is space, what is selected."""
    st.html(
        f"<style>.st-key-screen{{grid-template:{_FRAMES[reading]};min-width:0;min-height:0}}"
        f"{_LOOKS}{_theme()}</style>"
    )
    with st.container(key=Key.SCREEN):
        with st.container(key=Key.TOP, horizontal=True, vertical_alignment="center"):
            text = f"<b>{markup(work.document.heading)}</b> · {header.counts(outcome)}"
            st.html(f'<div class="x-counts">{text}</div>', width="stretch")
            route = f'<a href="{_address()}" target="_blank">Open in the explorer</a>'
            st.html(route, width="content")
        with st.container(key=Key.NOTICES):
            for place in (*ADDRESS, session.PAGE):
                complaint.show(place)
        graphs.show(work, outcome, reads=True)
        if reading == "read":
            with st.container(key=Key.RIGHT):
                _details(work, outcome)
    picture.show(work, outcome, graphs.annotations)


def _address() -> str:
    """Return the address of the editable page; the state's text needs no escaping."""
    state = st.query_params.get(link.PARAMETER)
    levels = parsed_levels(st.query_params.get(Key.LEVELS))
    shown = f"&{Key.LEVELS}={'-'.join(levels)}" if levels else ""
    return f"?{link.PARAMETER}={state}{shown}" if state else "?"


def _details(work: Work, outcome: CompileOutcome) -> None:
    parts: dict[str, dict[str, Any]] = {}
    if outcome.compilation is not None and outcome.view is not None:
        parts = session.shared("facts", (outcome.compilation, outcome.view), page_facts)["parts"]
    part = parts.get(work.selection or "")
    if part is None:
        teaches = markup(work.document.teaches or "", 600)
        st.html(heading("Pipeline", work.document.heading) + f"<p>{teaches}</p>" + hint(SELECT))
        return
    tone = "x-good" if part.get("chained") else "x-bad"
    headline = part.get("headline", "")
    text = f'<div class="x-outcome {tone}">{markup(headline)}</div>' if headline else ""
    sentences = "".join(f"<p>{markup(item, 600)}</p>" for item in part.get("sentences", ()))
    st.html(heading(part["kind"].capitalize(), part["name"]) + text + sentences)
    st.html(fields((name, value) for name, value in part["rows"]))
