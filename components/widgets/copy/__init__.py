"""A button that copies the page's address."""

from typing import Final

from components.widgets.packaged import packaged_component

_mount: Final = packaged_component("copy", js="main.js", css="main.css")


READERS: Final = {
    "read": ("Copy read-only link", "Both graphs and the selection, read-only"),
    "embed": ("Copy frame for a web page", "An iframe with both graphs, for your own web page"),
}
"""By the address's ``view``, a button and what it copies."""


def show_readers(*, key: str) -> None:
    """Draw the buttons for who only reads."""
    for view, (label, what) in READERS.items():
        data = {**MESSAGE, "label": label, "help": what, "view": view}
        _mount(key=f"{key}-{view}", data=data, width="stretch")


def show_text(*, key: str, label: str, text: str) -> None:
    """Draw a button that copies a text."""
    data = {"done": "Copied ✓", "failed": "Download it", "label": label, "help": label}
    _mount(key=key, data={**data, "text": text}, width="stretch")


MESSAGE: Final = {"done": "Copied ✓", "failed": "Copy the address bar"}


def show(*, key: str) -> None:
    """Draw the button."""
    what = "The link holds the document, your changes and the selection"
    _mount(key=key, data={**MESSAGE, "label": "Copy link", "help": what}, width="content")
