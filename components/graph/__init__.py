"""One or two of the three graphs side by side; a click in each selects an element."""

from collections.abc import Collection, Sequence
from typing import Any, Final

from components.graph.legend import LEGEND
from components.widgets.packaged import packaged_component
from explorer.drawing.layout.looks import LOOKS
from explorer.drawing.svg.palette import HUES
from explorer.drawing.svg.svg_style import board_sheet

mount: Final = packaged_component("graph", js="main.js", css="main.css", isolated=False)
"""Draws a ``board``; what the user does there is in the state under the component's key."""


def board(
    drawing: dict[str, Any],
    *,
    routes: list[dict[str, Any]],
    pictures: list[dict[str, Any]],
    execution: dict[str, Any] | None = None,
    levels: Sequence[str] | None = None,
    selection: str | None = None,
    around: Collection[str] = (),
    places: Collection[str] = (),
    connects: bool = True,
    presents: bool = True,
    stale: bool = False,
) -> dict[str, Any]:
    """Return the data with which the browser shows the graphs.

    ``execution``: the drawing of the ExecutionGraph, if it is shown; ``levels``: the chosen graphs,
    None if this browser decides.

    ``around`` is highlighted with the selection, ``routes`` and ``pictures`` are the buttons below
    the graphs. At the cards and edges of ``places`` a transformation can be added; ``connects``
    lets a stream be dragged from one operator to another, ``presents`` shows the button of the
    presentation mode.
    """
    return {
        **drawing,
        "execution": execution,
        "levels": levels,
        "sheet": board_sheet("sg"),
        "looks": LOOKS,
        "hues": HUES,
        "legend": LEGEND,
        "selection": selection,
        "around": sorted(around),
        "routes": routes,
        "pictures": pictures,
        "places": list(places),
        "connects": connects,
        "presents": presents,
        "stale": stale,
    }
