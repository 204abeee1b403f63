"""Functions on text, by code points."""

from functools import partial

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from explorer.engine.rows.expressions.strings import (
    concat,
    double_texts,
    left,
    length,
    lower,
    replace,
    right,
    substring,
    to_text,
    trimmed,
    upper,
)
from explorer.engine.rows.sizes import WORK_BYTES, BatchTooLargeError
from tests.engine.rows.expressions.asked import asked
from tests.many_cases import for_each

WORDS = pa.array(["héllo😀", "", None])
WIDE = pa.array(["a" * 1000] * 100)


def test_a_length_counts_code_points() -> None:
    assert length(asked(3), WORDS).to_pylist() == [6, 0, None]
    assert length(asked(1), pa.array(["plain"])).to_pylist() == [5]


def test_letters_beyond_ascii_change_as_in_java() -> None:
    assert upper(asked(1), pa.array(["straße ﬁ"])).to_pylist() == ["STRASSE FI"]
    assert lower(asked(1), pa.array(["ΟΔΟΣ"])).to_pylist() == ["οδος"]
    assert upper(asked(2), pa.array(["ab", None])).to_pylist() == ["AB", None]


@for_each(
    ("start", "size", "wanted"),
    [
        (2, 3, "éll"),
        (0, 2, "hé"),
        (-1, 5, "😀"),
        (-6, 2, "hé"),
        (-7, 3, ""),
        (9, 1, ""),
        (2, -1, ""),
    ],
)
def test_places_count_from_one_and_from_the_end(start: int, size: int, wanted: str) -> None:
    rows, first, many = asked(3), pa.scalar(start), pa.scalar(size)
    by_row = substring(rows, WORDS, pa.array([start] * 3), pa.array([size] * 3))

    assert substring(rows, WORDS, first, many).to_pylist() == [wanted, "", None]
    assert by_row.to_pylist() == [wanted, "", None]


def test_a_place_that_is_null_leaves_null() -> None:
    assert substring(asked(3), WORDS, pa.scalar(None, pa.int64())).as_py() is None
    assert substring(asked(3), WORDS, pa.array([1, None, 1])).to_pylist() == [
        "héllo😀",
        None,
        None,
    ]


def test_left_and_right_count_code_points() -> None:
    assert left(asked(3), WORDS, pa.scalar(2)).to_pylist() == ["hé", "", None]
    assert right(asked(3), WORDS, pa.scalar(2)).to_pylist() == ["o😀", "", None]


def test_trimming_removes_blanks_or_the_given_characters() -> None:
    kernel = partial(trimmed, trim=pc.utf8_trim)

    assert kernel(asked(1), pa.array([" \ta "])).to_pylist() == ["\ta"]
    assert kernel(asked(1), pa.array(["xyaxx"]), pa.scalar("xy")).to_pylist() == ["a"]


def test_a_too_large_result_is_refused_before_it_is_made() -> None:
    with pytest.raises(BatchTooLargeError):
        concat(asked(100), WIDE, pa.scalar("b" * (WORK_BYTES // 100)))
    with pytest.raises(BatchTooLargeError):
        replace(asked(100), WIDE, pa.scalar("a"), pa.scalar("b" * 1000))
    assert replace(asked(100), WIDE, pa.scalar(""), pa.scalar("b" * 1000)) is WIDE


def test_a_double_is_written_as_java_writes_it() -> None:
    doubles = pa.array([1e7, 0.1, None])

    assert double_texts(doubles).to_pylist() == ["1.0E7", "0.1", None]
    assert to_text(asked(3), doubles).to_pylist() == ["1.0E7", "0.1", None]
    assert to_text(asked(2), pa.array([True, None])).to_pylist() == ["true", None]
