"""Texts of users in one line, short enough and harmless."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from explorer.drawing.view.one_line import fitted, one_line, shortened
from tests.drawn_graphs import HOSTILE
from tests.many_cases import for_each

ANY = st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(), max_size=60))


@given(ANY)
def test_a_line_holds_nothing_that_breaks_turns_or_cannot_be_encoded(text: str) -> None:
    line = one_line(text)

    assert line.encode("utf-8")[:0] == b""
    assert not [letter for letter in line if unicodedata.category(letter) in {"Cc", "Cs", "Zl"}]
    assert not [letter for letter in line if unicodedata.bidirectional(letter) in {"RLO", "LRO"}]
    assert one_line(line) == line


@given(ANY, st.integers(1, 40))
def test_a_shortened_text_is_no_longer_than_asked(text: str, most: int) -> None:
    short = shortened(text, most)

    assert len(short) <= most
    assert short == one_line(text) or short.endswith("…")


@given(ANY, st.floats(12, 400))
def test_a_fitted_text_begins_as_the_whole_one(text: str, room: float) -> None:
    short = fitted(text, room, 12)

    assert one_line(text).startswith(short.removesuffix("…"))


def test_a_cut_parts_no_letter_from_its_accent_and_no_sign_from_its_parts() -> None:
    assert shortened("e\u0301e\u0301e\u0301", 4) == "e\u0301…"
    assert shortened("👩‍👩‍👧 and more", 4) == "…"
    assert shortened("ab👍🏽cd", 4) == "ab…"


@for_each("letter", ["m", "W", "流", "i", "é"])
def test_wide_letters_need_more_room_than_narrow_ones(letter: str) -> None:
    room = 120.0

    assert len(fitted(letter * 200, room, 12)) <= len(fitted("|" * 200, room, 12))
    assert len(fitted(letter * 200, room, 12)) < len(fitted(letter * 200, 2 * room, 12))
