"""Legend of the lines, boxes and colours of both graphs, a row for each sign."""

from typing import Final

LEGEND: Final[tuple[tuple[str, str], ...]] = (
    (
        "hues",
        "A colour is a chain, the same one in both graphs, in the list and in the tables. "
        "From the ninth chain on the colours start anew.",
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
    ("picked", "Blue marks the selection and its counterpart in the other graph."),
    (
        "plus",
        "At a card's foot or at an edge, adds a transformation there (key A at the selection); "
        "dragged from a card to another one, it leads a stream there.",
    ),
    ("error", "An error, at the operator or edge where Check found it"),
    ("warning", "A warning"),
    ("note", "Mark notes, too"),
    ("bar", "After a trial: a task's time, as a share of the busiest task's"),
    (
        "now",
        "While steps are played: the element of the step. Elements that do not exist yet are pale.",
    ),
)
"""A sign that the browser draws by its name, and what it means."""
