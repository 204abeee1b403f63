"""Words of YAML as the values that they look like."""

from typing import Any

import pytest

from explorer.documents.text.yaml_text import read_yaml
from explorer.errors import DocumentError
from tests.many_cases import for_each


@for_each(
    ("word", "value"),
    [
        ("yes", "yes"),
        ("no", "no"),
        ("on", "on"),
        ("2020-01-01", "2020-01-01"),
        ("1:30", "1:30"),
        ("010", "010"),
        ("0x1F", "0x1F"),
        ("1.20", 1.2),
        ("12", 12),
        ("-1_000", -1000),
        ("1_0_0", 100),
        ("1_", "1_"),
        ("1__2", "1__2"),
        ("1_000_", "1_000_"),
        ("-_1", "-_1"),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("-.inf", float("-inf")),
        ("true", True),
        ("False", False),
        ("~", None),
        ("null", None),
        ("", None),
        ("'12'", "12"),
        ('"true"', "true"),
        ("!!str 12", "12"),
        ("n/a", "n/a"),
        ("-", [None]),
        ("|\n  a\n  b\n", "a\nb\n"),
        (">-\n  a\n  b", "a b"),
        ("{a: [1, {b: c}]}", {"a": [1, {"b": "c"}]}),
    ],
)
def test_a_word_is_read_as_what_it_looks_like(word: str, value: Any) -> None:
    assert read_yaml(word) == value


def test_an_alias_repeats_what_its_anchor_holds() -> None:
    assert read_yaml("a: &x {n: 1}\nb: *x\nc: [*x, &y z, *y]") == {
        "a": {"n": 1},
        "b": {"n": 1},
        "c": [{"n": 1}, "z", "z"],
    }


def test_an_anchor_given_again_counts_from_then_on() -> None:
    assert read_yaml("[&x a, *x, &x b, *x]") == ["a", "a", "b", "b"]


def test_a_number_of_many_digits_is_refused_where_it_stands() -> None:
    with pytest.raises(DocumentError, match="line 2, column 4: the number has 500 digits"):
        read_yaml("a: 1\nb: " + "1" * 500)


@for_each(
    ("text", "line"),
    [
        ("a:\n\tb: 1\n", 2),
        ("\ta: 1\n", 1),
        ("a:\n  - b: 1\n\t  c: 2\n", 3),
        ("a:\n  b: 1\n  \tc: 2\n", 3),
    ],
)
def test_a_tab_that_indents_a_line_is_named(text: str, line: int) -> None:
    with pytest.raises(DocumentError) as refused:
        read_yaml(text)

    assert refused.value.path.startswith(f"line {line}, ")
    assert refused.value.problem == "this is not YAML: a tab indents this line; YAML takes spaces"
