"""Lines and columns of a terminal."""

from hypothesis import given
from hypothesis import strategies as st

from explorer.plans.text_columns import cells, columns, wrapped


@given(st.text(max_size=200), st.integers(2, 40))
def test_lines_hold_every_letter_and_no_more_than_their_width(text: str, width: int) -> None:
    lines = wrapped(text, width)

    assert max(map(cells, lines)) <= width
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_a_wide_letter_fills_two_cells() -> None:
    assert wrapped("流流流", 4) == ["流流", "流"]
    assert cells("e\u0301") == 1


def test_columns_are_aligned_over_several_lines() -> None:
    assert list(columns(["✗", "a long name", "refused"], [1, 6, 9])) == [
        "✗  a long  refused",
        "   name",
    ]
