"""A player for the steps of hashing and chaining; the browser holds all of them."""

from typing import Any, Final

from components.packaged import packaged_component

_mount: Final = packaged_component("stepper", js="main.js", css="main.css")


def show(steps: dict[str, Any], *, document: str, key: str) -> None:
    """Draw; ``document`` changes when another document is opened, which starts from step 1."""
    _mount(key=key, data={**steps, "document": document, "label": "Steps"}, height="stretch")
