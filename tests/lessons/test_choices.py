"""Shapes of answers: the choices, and those of them that are right."""

from explorer.lessons.choices import FEWEST, a_number, one_of, some_of
from tests.many_cases import for_each


def test_one_choice_is_right() -> None:
    found = one_of("Which?", {"b": "second", "a": "first"}, "a", "So it is.")

    assert [one.key for one in found.choices] == ["b", "a"]
    assert (found.right, found.right_texts, found.many) == (("a",), ("first",), False)


@for_each(
    ("right", "others", "keys"),
    [
        (2, (5, 1, 2), ["1", "2", "5"]),
        (1, (1, 1), ["0", "1", "2"]),
        (0, (-1,), ["0", "1", "2"]),
        (3, (7,), ["3", "4", "7"]),
    ],
)
def test_a_number_stands_among_others_the_smallest_first(
    right: int, others: tuple[int, ...], keys: list[str]
) -> None:
    found = a_number("How many?", right, others, "Counted.")

    assert [one.key for one in found.choices] == keys
    assert len(keys) >= FEWEST
    assert found.right == (str(right),)


def test_a_number_is_written_with_separators_and_keyed_without() -> None:
    found = a_number("How many?", 32_768, (1, 128), "")

    assert found.right_texts == ("32,768",)
    assert found.right == ("32768",)


def test_any_number_of_choices_may_be_right() -> None:
    reasons = {"0": "it chains", "1": "it does not"}

    found = some_of("Which edges?", "edges", {"0": "a → b", "1": "b → c"}, [], ("None.", reasons))

    assert (found.many, found.right, found.of) == (True, (), "edges")
    assert (found.reason, found.reasons) == ("None.", reasons)
