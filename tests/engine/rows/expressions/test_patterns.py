"""Regular expressions in linear time."""

import pyarrow as pa
import pytest

from explorer.engine.rows.expressions.patterns import (
    MAX_PATTERN,
    count,
    extracted,
    found,
    groups,
    problem,
    replaced,
)
from explorer.engine.rows.sizes import WORK_BYTES, BatchTooLargeError
from tests.engine.rows.expressions.asked import asked
from tests.many_cases import for_each

WORDS = pa.array(["a1b22", "none", "", None])


def test_a_pattern_is_found_somewhere_and_an_empty_one_nowhere() -> None:
    assert found(asked(4), WORDS, pa.scalar("[0-9]")).to_pylist() == [True, False, False, None]
    assert found(asked(4), WORDS, pa.scalar("")).to_pylist() == [False, False, False, None]


def test_matches_are_counted_without_overlap() -> None:
    assert count(asked(4), WORDS, pa.scalar("[0-9]+")).to_pylist() == [2, 0, 0, None]


def test_a_group_of_the_first_match_is_extracted() -> None:
    pattern = pa.scalar("([a-z])([0-9]+)")

    assert extracted(asked(4), WORDS, pattern).to_pylist() == ["a1", None, None, None]
    assert extracted(asked(4), WORDS, pattern, pa.scalar(2)).to_pylist() == ["1", None, None, None]
    assert extracted(asked(1), pa.array(["x\na1\ny"]), pattern).to_pylist() == ["a1"]


def test_a_replacement_is_plain_text() -> None:
    digits = pa.scalar("([0-9])")

    assert replaced(asked(4), WORDS, digits, pa.scalar(r"\1")).to_pylist() == [
        r"a\1b\1\1",
        "none",
        "",
        None,
    ]


def test_a_replacement_is_weighed_before_it_is_made() -> None:
    large = pa.scalar("x" * (WORK_BYTES // 2))

    with pytest.raises(BatchTooLargeError):
        replaced(asked(4), WORDS, pa.scalar("[0-9]"), large)


@for_each(
    ("pattern", "says"),
    [
        ("(?=a)", "invalid perl operator"),
        (r"(a)\1", "invalid escape sequence"),
        ("[", "missing ]"),
        ("a" * (MAX_PATTERN + 1), "it has 501 characters"),
        ("a" * MAX_PATTERN, ""),
    ],
)
def test_a_pattern_that_cannot_be_matched_is_refused(pattern: str, says: str) -> None:
    assert problem(pattern).startswith(says) or says in problem(pattern)
    assert bool(problem(pattern)) == bool(says)


def test_groups_are_counted() -> None:
    assert [groups(one) for one in ("a", "(a)(?:b)", "(a)((b))", "()" * 12)] == [0, 1, 3, 9]
