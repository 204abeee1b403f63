"""Parts of the whole page: borders that can be dragged, keys that undo, IDs to copy."""

from collections.abc import Callable
from typing import Final

from components.packaged import packaged_component

_mount: Final = packaged_component("frame", js="main.js", css="main.css")


def show(
    *,
    key: str,
    held: str | None,
    asks: bool,
    on_undo: Callable[[], None],
    on_redo: Callable[[], None],
    on_held: Callable[[], None],
) -> None:
    """Draw; run the page when it is connected again.

    Ctrl+Z calls ``on_undo``, Ctrl+Shift+Z and Ctrl+Y call ``on_redo``.

    ``held``: a text that the browser's tab holds over a reload; ``asks``: have ``on_held`` called
    with the text that it holds.
    """
    _mount(
        key=key,
        data={"held": held, "asks": asks},
        height="content",
        on_undo_change=on_undo,
        on_redo_change=on_redo,
        on_held_change=on_held,
        on_reconnected_change=lambda: None,
    )
