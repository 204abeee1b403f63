"""The page: one screen that joins the parts."""

from pathlib import Path
from typing import Final

import streamlit as st

from components import (
    actions,
    complaint,
    detail,
    failed,
    frame,
    graphs,
    guide,
    header,
    palette,
    picture,
    pipeline,
    reading,
    session,
    tabs,
    ways,
)
from components.callbacks import GENERAL
from components.guard import caught
from components.keys import Key
from components.measured import measured
from components.running import asking
from components.trial import early, live
from explorer.drawing.elements import counterparts
from explorer.drawing.id_changes import id_rows
from explorer.drawing.palette import properties
from explorer.drawing.selection import lit

SHEET: Final = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
STYLE: Final = f"<style>:root{{{properties('--x-')}}}\n{SHEET}</style>"
"""The page's rules, with every colour of the one table as ``--x-`` and its name."""


def show() -> None:
    """Draw the whole screen; where that fails, say so and offer to go on."""
    st.html(STYLE)
    with caught(failed.show):
        _screen()


def _screen() -> None:
    """Draw what this session works on."""
    session.restore()
    work = session.work() or actions.open_default()
    asking.lay_own(work.document)
    linked = session.publish()
    done = session.compiled(work.document)
    how = session.reading()
    if how is not None:
        reading.show(work, done, how)
        return
    since = measured(work, done)
    rows = session.latest("ids", (done.view, since.found), id_rows) if done.view else ()
    shining = frozenset[str]()
    if done.view is not None:
        pairs = session.latest("pairs", (done.view,), counterparts)
        shining = lit(work.selection, done.view, pairs) | ways.around(work, done.view)
    with st.container(key=Key.SCREEN):
        header.show(work, done, since, linked=linked, finder=lambda: palette.show(work, done.view))
        pipeline.show(work, done)
        graphs.show(work, done)
        tabs.show(work, done, since, rows, shining)
        detail.show(work, done, since, rows)
    frame.show(key=Key.FRAME, on_undo=actions.undo, on_redo=actions.redo)
    guide.show(key=Key.GUIDE)
    with st.container(key=Key.NOTICES):
        for place in GENERAL:
            complaint.show(place)
        picture.show(work, done, graphs.annotations)
        live.show(work)
    early.start()
