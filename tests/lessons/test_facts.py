"""Facts that a lesson may ask for: their words, and whether a drawing shows the answer."""

from explorer.lessons import FACTS
from tests.lessons.asked import A_TO_E, WIDER, asked


def test_a_number_stands_among_at_least_three() -> None:
    for fact in ("tasks", "slots", "subtasks", "task_managers"):
        assert len(asked(A_TO_E, fact).choices) >= 3


def test_of_the_drawn_only_what_is_asked_of_the_pipeline_as_it_is_has_to_be_hidden() -> None:
    assert asked(A_TO_E, "tasks").hides
    assert not asked(A_TO_E, "tasks", after=WIDER).hides
    assert not asked(A_TO_E, "slots").hides


def test_every_fact_is_asked_of_something_and_put_in_words() -> None:
    for name, fact in FACTS.items():
        assert fact.name == name
        assert fact.words.endswith("?")
        assert ("{source}" in fact.words) is (fact.subject == "edge")
        assert ("{operator}" in fact.words) is (fact.subject == "operator")
