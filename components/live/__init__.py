"""Passes a running trial's figures to both graphs: the browser draws them, nothing else is made."""

from typing import Final

from components.packaged import packaged_component
from explorer.drawing.annotations import Figures

_mount: Final = packaged_component("live", js="main.js")


def show(figures: Figures, *, key: str) -> None:
    """Have both graphs show these figures in place of those that they were drawn with."""
    _mount(key=key, data=figures, height="content")
