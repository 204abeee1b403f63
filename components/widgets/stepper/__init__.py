"""A player for the steps of hashing and chaining; the browser holds all of them."""

from collections.abc import Callable
from typing import Any, Final

from components.widgets.packaged import packaged_component

PARAMETER: Final = "step"
"""By this name the address has the step that is shown, counted from 1; no name: the first."""
_mount: Final = packaged_component("stepper", js="main.js", css="main.css")


def show(
    steps: dict[str, Any], *, document: str, key: str, on_pick: Callable[[], None] = lambda: None
) -> None:
    """Draw; ``document`` changes when another document is opened, which starts from step 1.

    The edge that a failed condition leads to is in the state under ``key`` as ``picked``.
    """
    data = {**steps, "document": document, "label": "Steps", "parameter": PARAMETER}
    _mount(key=key, data=data, height="stretch", on_picked_change=on_pick)
