"""Both graphs side by side; a click in either picks an element."""

from collections.abc import Callable
from typing import Any, Final

from components.looks import COLOURS
from components.packaged import packaged_component

_mount: Final = packaged_component("graph", js="main.js", css="main.css")


def show(
    drawing: dict[str, Any],
    *,
    selection: str | None,
    stale: bool,
    key: str,
    on_pick: Callable[[], None],
    on_fold: Callable[[], None],
) -> None:
    """Draw; a click is in the state under ``key`` as ``picked``, the fold button as ``folded``."""
    _mount(
        key=key,
        data={**drawing, "colours": COLOURS, "selection": selection, "stale": stale},
        height="stretch",
        on_picked_change=on_pick,
        on_folded_change=on_fold,
    )
