"""Help on the page: a glossary, a tour for the first visit, a presenter's mode."""

from typing import Final

from components.session import places
from components.session.keys import Key
from components.widgets.packaged import packaged_component
from explorer.glossary import FORMS

_mount: Final = packaged_component("guide", js="main.js")

STOPS: Final = (
    {
        "place": ".st-key-middle",
        "title": "Two graphs of one program",
        "text": "The left graph shows your operators (the StreamGraph, or the operators of a "
        "DataSet program), with a dashed box around each chain. The right graph, the JobGraph, "
        "has one task for each chain. Click an element: both graphs highlight it.",
    },
    {
        "place": ".st-key-right",
        "title": "Why",
        "text": "This panel explains what is selected. Of an edge it lists every condition of "
        "chaining, what each looked at, and buttons for what would fix it.",
    },
    {
        "place": ".st-key-left",
        "title": "The program",
        "text": "The open document and its operators. Select one here or in a graph, edit it in "
        "the inspector, and both graphs follow at once.",
    },
    {
        "place": ".st-key-below",
        "title": "Tables and tools",
        "text": "Each place has its tabs: IDs and decisions here in Explore, the verdict on a "
        "deploy in Deploy, lessons in Learn.",
    },
    {
        "place": ".st-key-place",
        "title": "Five places",
        "text": "Explore the graphs; check a deploy; run the program on local Spark with a trial; "
        "learn with lessons; and see the source, import a job, share a link. This tour starts "
        "again from Learn.",
    },
)
"""The first run: places by their selectors, in an order."""
BUTTONS: Final = (
    '<div class="x-guide"><button type="button" data-guide="tour">Tour of the page</button></div>'
)
"""The button is the page's own HTML; the component listens for clicks on it."""


def show() -> None:
    """Listen on the whole page; nothing is drawn where the component stands.

    ``begins``: whether a first visit begins with the tour, which starts at the graphs of Explore
    and would cover what a link opens elsewhere.
    """
    meanings = {form: (term.word, term.means) for form, term in FORMS.items()}
    begins = places.current()[0] == places.PLACES[0]
    data = {"meanings": meanings, "stops": STOPS, "begins": begins}
    _mount(key=Key.GUIDE, data=data, height="content")
