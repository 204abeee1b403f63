"""One or two of the three graphs side by side; a click in each selects an element."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

from components.graph.legend import LEGEND
from components.packaged import packaged_component
from explorer.drawing.looks import LOOKS
from explorer.drawing.palette import HUES, PARTS

_mount: Final = packaged_component("graph", js="main.js", css="main.css")


def board(
    drawing: dict[str, Any],
    *,
    routes: list[dict[str, Any]],
    pictures: list[dict[str, Any]],
    execution: dict[str, Any] | None = None,
    levels: Sequence[str] | None = None,
    selection: str | None = None,
    around: Collection[str] = (),
    connects: bool = True,
    presents: bool = True,
    stale: bool = False,
) -> dict[str, Any]:
    """What the browser needs to show the graphs.

    ``execution``: the drawing of the ExecutionGraph, if it is shown; ``levels``: the chosen graphs,
    None if this browser decides.

    ``around`` is highlighted with the selection, ``routes`` and ``pictures`` are the buttons below
    the graphs, ``connects`` lets a stream be dragged from one operator to another, ``presents``
    shows the button of the presentation mode.
    """
    return {
        **drawing,
        "execution": execution,
        "levels": levels,
        "colours": PARTS,
        "looks": LOOKS,
        "hues": HUES,
        "legend": LEGEND,
        "selection": selection,
        "around": sorted(around),
        "routes": routes,
        "pictures": pictures,
        "connects": connects,
        "presents": presents,
        "stale": stale,
    }


def show(
    data: dict[str, Any],
    *,
    key: str,
    on_pick: Callable[[], None],
    on_fold: Callable[[], None],
    on_route: Callable[[], None],
    on_connect: Callable[[], None],
    on_levels: Callable[[], None],
) -> None:
    """Draw the graphs of a ``board``, and report what the user does there.

    A click is in the state under ``key`` as ``picked``, the fold button as ``folded``, a button
    below the graphs as ``route``, two operators that were connected as ``connected``, the graphs
    that were chosen as ``levels``.
    """
    _mount(
        key=key,
        data=data,
        height="stretch",
        on_picked_change=on_pick,
        on_folded_change=on_fold,
        on_route_change=on_route,
        on_connected_change=on_connect,
        on_levels_change=on_levels,
    )
