"""Answers of a lesson: the right choices in words, and what a choice scores."""

from explorer.model.lesson import Answer, Choice

CHOICES = tuple(Choice(key=key, text=key.upper()) for key in "abcd")


def answer(*right: str, many: bool = False) -> Answer:
    return Answer(question="Which?", choices=CHOICES, right=right, many=many, reason="So.")


def test_a_question_of_one_right_choice_scores_one_or_nothing() -> None:
    one = answer("b")

    assert [one.score(chosen) for chosen in ({"b"}, {"a"}, set[str](), {"a", "b"})] == [
        (1, 1),
        (0, 1),
        (0, 1),
        (0, 1),
    ]


def test_a_question_of_many_scores_each_choice() -> None:
    many = answer("a", "b", "d", many=True)

    assert many.score({"a", "b", "d"}) == (4, 4)
    assert many.score({"c"}) == (0, 4)
    assert many.score(set()) == (1, 4)
    assert many.score({"a", "c"}) == (1, 4)


def test_right_choices_are_in_the_order_of_the_choices() -> None:
    assert answer("d", "a", many=True).right_texts == ("A", "D")
    assert answer(many=True).right_texts == ()
