"""Checks that many fields share."""

import pytest

from explorer.documents.checks.faults import (
    Fault,
    first_empty,
    given_twice,
    misplaced,
    named_once,
    node_hash_problem,
    outside,
    refuse,
    too_long,
)
from explorer.errors import DocumentError
from explorer.java_numbers import INT_MAX
from tests.many_cases import for_each


def test_only_the_first_problem_is_looked_for() -> None:
    def problems() -> object:
        yield "a.b", "is wrong"
        raise AssertionError

    with pytest.raises(DocumentError, match=r"^a.b: is wrong$"):
        refuse(problems())  # type: ignore[arg-type]
    refuse([])


@for_each(
    ("value", "most", "problem"),
    [
        (None, 5, None),
        (1, 5, None),
        (5, 5, None),
        (0, 5, "must be 1 to 5, but is 0; it is 0"),
        (6, 5, "must be 1 to 5, but is 6; it is 6"),
        (0, INT_MAX, "must be at least 1, but is 0; it is 0"),
    ],
)
def test_a_number_lies_between_two_bounds(
    value: int | None, most: int, problem: str | None
) -> None:
    found = outside("f", value, 1, most, "; it is {}")

    assert found == (None if problem is None else Fault("f", problem))


def test_a_hash_has_32_hex_digits() -> None:
    assert node_hash_problem("0aF" + "0" * 29) == ""
    for value in ("", "0" * 31, "g" * 32, "0" * 32 + "\n"):
        assert node_hash_problem(value).startswith("Node hash must be a 32 character String")


def test_a_text_may_be_as_long_as_the_limit() -> None:
    assert too_long(None) == too_long("x" * 5, 5) == ""
    assert too_long("x" * 6, 5) == "has 6 characters; at most 5 are allowed"


def test_a_variety_has_fields_of_its_own() -> None:
    def found(**given: object) -> Fault | None:
        return misplaced("w", given, ("size",), ("slide",), ("; it needs it", "it takes none"))

    assert found(size=1, slide=None) is None
    assert found(size=1, slide=2) is None
    assert found(size=None) == Fault("w.size", "is missing; it needs it")
    assert found(size=1, gap=3) == Fault("w.gap", "it takes none")


def test_columns_are_named_once() -> None:
    assert named_once("keys", ["a", "b"]) is None
    assert named_once("keys", []) == Fault("keys", "must name at least one column")
    assert named_once("keys", ["a", "a"]) == Fault("keys", "names the column 'a' twice")
    assert first_empty("s", {"a": "x", "b": ""}, "is empty") == Fault("s.b", "is empty")
    assert given_twice("k") == "the key 'k' is given twice; keep one of them"
