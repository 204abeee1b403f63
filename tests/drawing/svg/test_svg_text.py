"""Text and coordinates in SVG."""

from explorer.drawing.svg.svg_text import at, text, xml
from tests.many_cases import for_each


def test_words_are_content_and_never_markup() -> None:
    assert xml('<a> & "b"') == '&lt;a&gt; &amp; "b"'
    assert text("<b>", (1.0, 2.5), "name") == '<text class="name" x="1" y="2.5">&lt;b&gt;</text>'


def test_words_may_end_at_their_place() -> None:
    assert 'text-anchor="end"' in text("a", (0.0, 0.0), "small end")
    assert "text-anchor" not in text("a", (0.0, 0.0), "small")


@for_each(
    ("number", "short"), [(0.0, "0"), (-0.04, "0"), (12.0, "12"), (1.26, "1.3"), (-3.5, "-3.5")]
)
def test_a_coordinate_is_as_short_as_can_be(number: float, short: str) -> None:
    assert at(number) == short
