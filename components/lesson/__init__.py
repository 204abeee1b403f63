"""A player for lessons and predictions; the browser holds the whole lesson with its answers."""

from collections.abc import Callable
from typing import Any, Final

from components.packaged import packaged_component

_mount: Final = packaged_component("lesson", js="main.js", css="main.css")


def show(
    lesson: dict[str, Any],
    *,
    document: str,
    key: str,
    on_pick: Callable[[], None],
    on_open: Callable[[], None],
    on_try: Callable[[], None],
    on_restore: Callable[[], None],
) -> None:
    """Draw; ``document`` changes when another lesson is begun, which starts from its first step.

    What is looked at is in the state under ``key`` as ``picked``, another lesson as ``opened``, the
    step to try as ``tried``, and ``restored`` undoes changes.
    """
    _mount(
        key=key,
        data={**lesson, "document": document},
        height="stretch",
        on_picked_change=on_pick,
        on_opened_change=on_open,
        on_tried_change=on_try,
        on_restored_change=on_restore,
    )
