"""Both graphs side by side; a click in either picks an element."""

from collections.abc import Callable, Collection
from typing import Any, Final

from components.graph.legend import LEGEND
from components.packaged import packaged_component
from explorer.drawing.palette import HUES, PARTS

_mount: Final = packaged_component("graph", js="main.js", css="main.css")


def show(
    drawing: dict[str, Any],
    *,
    selection: str | None,
    around: Collection[str],
    ways: list[dict[str, Any]],
    pictures: list[dict[str, Any]],
    connects: bool,
    presents: bool,
    stale: bool,
    key: str,
    on_pick: Callable[[], None],
    on_fold: Callable[[], None],
    on_way: Callable[[], None],
    on_connect: Callable[[], None],
) -> None:
    """Draw, and hear of what is done there.

    ``around`` is lit with the selection, ``ways`` and ``pictures`` are the buttons below the
    graphs, ``connects`` lets a stream be dragged from one operator to another,
    ``presents`` shows the button of the presentation mode.

    A click is in the state under ``key`` as ``picked``, the fold button as ``folded``, a button
    below the graphs as ``way``, two operators that were connected as ``connected``.
    """
    _mount(
        key=key,
        data={
            **drawing,
            "colours": PARTS,
            "hues": HUES,
            "legend": LEGEND,
            "selection": selection,
            "around": sorted(around),
            "ways": ways,
            "pictures": pictures,
            "connects": connects,
            "presents": presents,
            "stale": stale,
        },
        height="stretch",
        on_picked_change=on_pick,
        on_folded_change=on_fold,
        on_way_change=on_way,
        on_connected_change=on_connect,
    )
