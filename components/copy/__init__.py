"""A button that copies the page's address."""

from typing import Final

from components.packaged import packaged_component

_mount: Final = packaged_component("copy", js="main.js", css="main.css")


def show(*, key: str) -> None:
    """Draw the button."""
    _mount(
        key=key,
        data={
            "label": "Copy link",
            "done": "Copied ✓",
            "failed": "Copy the address bar",
            "help": "The link holds the document, your changes and the selection",
        },
        width="content",
    )
