"""JSON text as plain values."""

import pytest

from explorer.documents.limits import MAX_DEPTH
from explorer.documents.text.json_text import read_json
from explorer.errors import DocumentError


def refusal(text: str) -> str:
    with pytest.raises(DocumentError) as fault:
        read_json(text)
    return str(fault.value)


def test_a_text_is_one_value() -> None:
    assert read_json('{"a": [1, 2.5, null, true, "é"]}') == {"a": [1, 2.5, None, True, "é"]}


def test_a_fault_has_its_line_and_column() -> None:
    assert refusal('{"a": 1,\n "b": }') == ("line 2, column 7: this is not JSON: expecting value")


def test_a_key_that_is_given_twice_has_its_place() -> None:
    assert refusal('{"a": 1,\n "b": {"c": 1, "c": 2}}').startswith("line 2, column 16: the key 'c'")


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_a_number_that_json_does_not_have_is_refused(word: str) -> None:
    assert refusal(f'{{"a": {word}}}') == f"{word} is not JSON; write a number or null"


def test_a_number_of_many_digits_is_refused() -> None:
    assert "a number has too many digits" in refusal("9" * 5000)


@pytest.mark.parametrize(("left", "right"), [("[", "]"), ('{"a":', "}")])
def test_values_nest_as_deep_as_the_limit(left: str, right: str) -> None:
    read_json(left * MAX_DEPTH + "1" + right * MAX_DEPTH)
    for depth in (MAX_DEPTH + 1, 100_000):
        assert "are nested more than 64 deep" in refusal(left * depth + "1" + right * depth)
