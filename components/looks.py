"""How do the colours of the one table reach the page's styles and its canvas?"""

from typing import Final

from explorer.drawing.palette import PARTS, Pair, hue, properties

__all__ = ["COLOURS", "NO_HUE", "hue", "style_properties"]

COLOURS: Final = PARTS
"""What is painted rather than styled takes them as data: by part, on light and on dark ground."""
NO_HUE: Final[Pair] = PARTS["idle"]
"""For what is no operator."""


def style_properties() -> str:
    """A rule that gives every style on the page the colours as ``--x-`` and the part's name."""
    return f":root{{{properties('--x-')}}}"
