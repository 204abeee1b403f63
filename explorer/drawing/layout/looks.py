"""Shapes of cards, chain borders and edges: the one table of widths, dashes, radii and sizes.

The drawings' style sheets read it, and the legend of the page gets it as data.
"""

from collections.abc import Mapping
from typing import Final

WIDTHS: Final = {
    "card": 1.1,
    "task": 1.6,
    "box": 1.1,
    "card-highlighted": 1.8,
    "card-picked": 2.6,
    "edge": 1.7,
    "edge-highlighted": 2.6,
    "edge-picked": 3.0,
    "mark": 1.5,
    "cut": 1.2,
}
"""Pixels of a line; ``task`` is a card of the JobGraph, ``cut`` parts a bar into its subtasks."""
DASHES: Final = {"box": (4, 4), "cut": (6, 4), "open": (2, 4), "waiting": (5, 3)}
"""Pixels drawn and left out; ``open`` is an edge of which a player hides whether it chains."""
RADII: Final = {"card": 8.0, "task": 10.0, "box": 12.0, "mark": 7.0, "note": 5.5}
"""Pixels of a rounded corner, and of the disc of a finding; ``note`` is the smallest finding."""
OPACITIES: Final = {"ghost": 0.2, "box-light": 0.055, "box-dark": 0.11}
"""Of an element that no step has made yet, and of a chain's ground on both backgrounds."""
SIZES: Final = {"name": 12.5, "small": 11.0, "mono": 10.5, "sign": 10.5, "note": 10.0}
"""Pixels of a font: an operator's name, other lines, IDs, the sign of a finding and of a note."""
LOOKS: Final[Mapping[str, Mapping[str, object]]] = {
    "widths": WIDTHS,
    "dashes": DASHES,
    "radii": RADII,
    "opacities": OPACITIES,
    "sizes": SIZES,
}
"""All tables, as the browser gets them."""


def dashed(name: str) -> str:
    """Return a row of ``DASHES`` as a rule of style.

    >>> dashed("cut")
    'stroke-dasharray:6 4'
    """
    return f"stroke-dasharray:{' '.join(map(str, DASHES[name]))}"


def wide(name: str) -> str:
    """Return a row of ``WIDTHS`` as a rule of style.

    >>> wide("edge-picked")
    'stroke-width:3'
    """
    return f"stroke-width:{WIDTHS[name]:g}"
