"""Parts of the whole page: borders that can be dragged, keys that undo, IDs to copy."""

from typing import Final

from components.session import actions, places, session
from components.session.keys import Key
from components.session.work import Work
from components.widgets.packaged import packaged_component

_mount: Final = packaged_component("frame", js="main.js", css="main.css")


def show(work: Work, layout: str) -> None:
    """Draw; run the page when it is connected again.

    A drawer opens for a new selection; all close for another place or document. ``layout``: the
    name of the page's grid, by which the browser knows that its borders moved.

    ``held``: a text that the browser's tab holds over a reload; ``asks``: whether the browser sends
    the text that it holds.
    """
    _mount(
        key=Key.FRAME,
        data={
            "held": session.held(),
            "asks": session.awaits_held(),
            "place": places.current()[0],
            "serial": work.serial,
            "layout": layout,
            "selected": work.selection,
        },
        height="content",
        on_undo_change=actions.undo,
        on_redo_change=actions.redo,
        on_held_change=actions.restore_held,
        on_reconnected_change=lambda: None,
    )
