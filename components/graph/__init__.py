"""One or two of the three graphs side by side; a click in each selects an element."""

from collections.abc import Collection, Sequence
from typing import Any, Final

from components.widgets.packaged import packaged_component
from explorer.drawing.layout.looks import LOOKS
from explorer.drawing.layout.orientation import EdgeDirection
from explorer.drawing.svg.palette import HUES
from explorer.drawing.svg.svg_style import board_sheet

mount: Final = packaged_component("graph", js="main.js", css="main.css", isolated=False)
"""Draws a ``board``; what the user does there is in the state under the component's key."""
LEGEND: Final[tuple[tuple[str, str], ...]] = (
    (
        "hues",
        "A colour is a chain, the same one in both graphs, in the list and in the tables. "
        "From the eighth chain on the colours start anew; nothing else has one of them.",
    ),
    ("box", "A dashed box is a chain: its operators share a task and so a thread."),
    ("card", "A card in it is an operator: its subtasks (×2), its ID's first eight digits."),
    ("task", "A card in the JobGraph is a task with all operators of its chain and its whole ID."),
    ("chained", "A solid line in a chain's colour is a chained edge: a record is handed over."),
    (
        "cut",
        "A dashed red line is an edge that does not chain: records become bytes and go to another "
        "task. Its label shows the partitioner and the other reasons against chaining.",
    ),
    ("job", "A grey line in the JobGraph is the same edge between two tasks."),
    (
        "picked",
        "Blue marks the selection and its counterpart in the other graph, and nothing else.",
    ),
    (
        "plus",
        "At a card's foot or at an edge, adds a transformation there (key A at the selection); "
        "dragged from a card to another one, it leads a stream there. Teal is the page's own.",
    ),
    ("error", "Red: an error, at the operator or edge where Check found it"),
    ("warning", "Orange: a warning"),
    ("note", "Mark notes, too"),
    ("bar", "After a trial: a task's time, as a share of the busiest task's"),
    (
        "now",
        "Pink, while steps are played: the element of the step, and the chain that it is about. "
        "Elements that do not exist yet are pale.",
    ),
)
"""A sign that the browser draws by its name, and what it means."""


def board(
    drawing: dict[str, Any],
    *,
    routes: list[dict[str, Any]],
    pictures: list[dict[str, Any]],
    execution: dict[str, Any] | None = None,
    levels: Sequence[str] | None = None,
    direction: EdgeDirection = "down",
    selection: str | None = None,
    around: Collection[str] = (),
    places: Collection[str] = (),
    connects: bool = True,
    presents: bool = True,
    stale: bool = False,
) -> dict[str, Any]:
    """Return the data with which the browser shows the graphs.

    ``execution``: the drawing of the ExecutionGraph, if it is shown; ``levels``: the chosen graphs,
    None if this browser decides; ``direction``: that of graphs that are too large to be drawn in
    both.

    ``around`` is highlighted with the selection, ``routes`` and ``pictures`` are the buttons below
    the graphs. At the cards and edges of ``places`` a transformation can be added; ``connects``
    lets a stream be dragged from one operator to another, ``presents`` shows the button of the
    presentation mode.
    """
    return {
        **drawing,
        "execution": execution,
        "levels": levels,
        "across": direction == "right",
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
