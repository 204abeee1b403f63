"""What helps a class through the page: what words mean, a first run, a presenter's mode."""

from typing import Any, Final

from components.packaged import packaged_component
from explorer.glossary import FORMS

_mount: Final = packaged_component("guide", js="main.js")

STOPS: Final = (
    {
        "place": ".st-key-middle",
        "title": "Two graphs of one program",
        "says": "On the left the StreamGraph: your operators, and a dashed box around each chain. "
        "On the right the JobGraph: one task a chain. Click a part of either, and its counterpart "
        "lights up.",
    },
    {
        "place": ".st-key-right",
        "title": "Why",
        "says": "This panel explains what is selected. Of an edge it lists every condition of "
        "chaining, what each looked at, and buttons for what would fix it.",
    },
    {
        "place": ".st-key-left",
        "title": "What goes in",
        "says": "Change an operator and both graphs follow at once. Your own pipeline is uploaded "
        "at the foot.",
    },
    {
        "place": ".st-key-below",
        "title": "Every question has a tab",
        "says": "IDs, decisions, steps, the execution graph, deployment, restore, a trial run. The "
        "tab Lesson takes you through all of it, with questions.",
    },
    {
        "place": ".st-key-top",
        "title": "Which program, which release",
        "says": "Samples, the Flink release, chaining on or off, undo, and a link that holds "
        "everything. This tour starts again from the tab Lesson.",
    },
)
"""The first run: places by their selectors, in an order."""
BUTTONS: Final = (
    '<div class="x-guide"><button type="button" data-guide="tour">Tour of the page</button>'
    '<button type="button" data-guide="present" title="Larger, panels away; the arrow keys play">'
    "Present</button></div>"
)
"""They are the page's own HTML; the component listens for clicks on them."""


def show(*, key: str) -> None:
    """Listen on the whole page; nothing is drawn where the component stands."""
    data: dict[str, Any] = {
        "meanings": {form: (term.word, term.means) for form, term in FORMS.items()},
        "stops": STOPS,
    }
    _mount(key=key, data=data, height="content")
