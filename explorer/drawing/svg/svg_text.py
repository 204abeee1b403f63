"""Text and coordinates in SVG."""

from functools import lru_cache
from html import escape

from explorer.drawing.layout.layers import Point


def text(words: str, place: Point, looks: str, attributes: str = "") -> str:
    """Words that begin, or with ``end`` among their looks end, at a place."""
    anchor = ' text-anchor="end"' if looks.endswith("end") else ""
    x, y = map(at, place)
    return f'<text class="{looks}" x="{x}" y="{y}"{anchor}{attributes}>{xml(words)}</text>'


@lru_cache(maxsize=2048)
def xml(words: str) -> str:
    """Words as the content of an element."""
    return escape(words, quote=False)


@lru_cache(maxsize=8192)
def at(number: float) -> str:
    """A coordinate, as short as can be.

    >>> at(2.0), at(-0.04), at(1.25)
    ('2', '0', '1.2')
    """
    short = f"{number:.1f}".removesuffix(".0")
    return "0" if short == "-0" else short
