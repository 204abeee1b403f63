"""Splitting text: RE2's matches, parts that are not empty, and the short way over bytes."""

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from explorer.engine.steps.text_splitting import separators, split_column
from tests.many_cases import for_each

CLASSES = ("[^a-z]+", "[^A-Za-z]+", " +", " ", ",", r"\s+", r"\W+", r"\d", r"[^\w]+", "[-,.]", "a+")
OTHERS = ("a|b", "ab", "a*", "(a)", r"\b", "^a", ".", "a{2}", "", "b?")
TEXTS = st.lists(st.none() | st.text("ab cdB,.-09_\n\té線", max_size=12), max_size=8)


@given(st.sampled_from(CLASSES), TEXTS)
def test_splitting_bytes_finds_the_parts_that_matching_finds(
    pattern: str, texts: list[str | None]
) -> None:
    column = pa.array(texts, pa.string())
    words, parents = split_column(column, pattern, separators(pattern))
    words.validate(full=True)
    matched, matched_parents = split_column(column, pattern, None)

    assert separators(pattern) is not None
    assert words.to_pylist() == matched.to_pylist()
    assert parents().tolist() == matched_parents().tolist()


@for_each("pattern", OTHERS)
def test_a_pattern_that_is_not_one_class_is_matched(pattern: str) -> None:
    assert separators(pattern) is None


@for_each(
    ("pattern", "parts"),
    [
        ("a*", ["b", "c", "b"]),
        ("", ["a", "b", "c", "a", "b"]),
        (r"\b", ["abc", " ", "ab"]),
        ("ab", ["c "]),
        ("x", ["abc ab"]),
    ],
)
def test_a_pattern_that_matches_nothing_still_ends(pattern: str, parts: list[str]) -> None:
    found = split_column(pa.array(["abc ab"]), pattern, None)[0].to_pylist()

    assert [part for part in found if part.strip() or pattern == r"\b"] == parts


def test_text_that_holds_the_usual_marks_is_split_all_the_same() -> None:
    words, parents = split_column(pa.array(["\x1fa-\x00b", "-c\ue000"]), "-", None)

    assert words.to_pylist() == ["\x1fa", "\x00b", "c\ue000"]
    assert parents().tolist() == [0, 0, 1]


def test_a_slice_of_a_column_is_split_alone() -> None:
    column = pa.array(["a b", "c d", "e f"])[1:2]

    assert split_column(column, " ", separators(" "))[0].to_pylist() == ["c", "d"]
