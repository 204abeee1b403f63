"""Narrated steps: numbered in each part, or across all parts."""

from explorer.model.narrated_step import Highlighted, Narration, number_steps
from explorer.model.stream_graph import NodeId


def narration(title: str) -> Narration:
    return Narration(title, f"{title}.", Highlighted(node=NodeId(1)), (("Values", ("a", "b")),))


STEPS = [
    (part, event, narration(event))
    for part, event in (("hashing", "one"), ("hashing", "two"), ("chaining", "three"))
]


def test_each_part_is_counted_from_one() -> None:
    assert [(one.part, one.number) for one in number_steps(STEPS)] == [
        ("hashing", 1),
        ("hashing", 2),
        ("chaining", 1),
    ]


def test_parts_may_be_counted_through() -> None:
    assert [one.number for one in number_steps(STEPS, through=True)] == [1, 2, 3]
    assert number_steps([]) == ()


def test_a_step_has_the_event_and_its_narration() -> None:
    first = number_steps(STEPS)[0]

    assert (first.event, first.highlighted.node) == ("one", 1)
    assert first.details == (("Values", ("a", "b")),)
    assert first.text() == {
        "number": 1,
        "part": "hashing",
        "title": "one",
        "sentence": "one.",
    }
