"""What lies over the whole page: borders that can be dragged, keys that undo, IDs to copy."""

from collections.abc import Callable
from typing import Final

from components.packaged import packaged_component

_mount: Final = packaged_component("frame", js="main.js", css="main.css")


def show(*, key: str, on_undo: Callable[[], None], on_redo: Callable[[], None]) -> None:
    """Draw; Ctrl+Z calls ``on_undo``, Ctrl+Shift+Z and Ctrl+Y call ``on_redo``."""
    _mount(key=key, data={}, height="content", on_undo_change=on_undo, on_redo_change=on_redo)
