"""Colours for light and dark backgrounds, one row for each part.

The one table of colours: the drawings, the page and what runs in a browser all read theirs from it.
Streamlit alone reads the colours of its own widgets from a file.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

Pair: TypeAlias = tuple[str, str]
"""A colour on a light ground, and on a dark one."""
Shade: TypeAlias = Callable[[Pair], str]
"""Chooses the colour of a style rule."""

HUES: Final[tuple[Pair, ...]] = (
    ("#3f7d0f", "#a3e635"),
    ("#7c3aed", "#a78bfa"),
    ("#8a6a00", "#e3c03b"),
    ("#4a44c9", "#8f8cf9"),
    ("#14803a", "#4ade80"),
    ("#9026c4", "#c98af5"),
    ("#66700a", "#c9d34a"),
)
"""The chains' colours; chains beyond the last start anew.

One meaning for one colour: ``accent`` is the page's own, ``pick`` a selection, ``bad`` and ``warn``
are findings, ``now`` is a step that is played; no chain has a hue near theirs.
"""

SERIES: Final[tuple[Pair, ...]] = (
    ("#5b7f95", "#8fb3c9"),
    ("#7d8f3c", "#b7c66b"),
    ("#b08a2e", "#d9bc6a"),
    ("#8d6e63", "#bcaaa4"),
    ("#c0785a", "#e3a788"),
    ("#9a6b8f", "#cfa3c4"),
)
"""The series of a chart, in muted colours: none of them is a chain's."""

PARTS: Final[dict[str, Pair]] = {
    "ink": ("#1c2430", "#e6eaf0"),
    "mute": ("#5c687b", "#98a4b5"),
    "line": ("#cdd5e1", "#3a4556"),
    "rule": ("#e3e7ee", "#2a3340"),
    "border": ("#dce1e9", "#333d4b"),
    "card": ("#ffffff", "#1b222c"),
    "ground": ("#fbfbfc", "#12171e"),
    "panel": ("#ffffff", "#161c24"),
    "soft": ("#f0f2f6", "#222a35"),
    "hover": ("#f6f8fb", "#1b222c"),
    "accent": ("#0f766e", "#2dd4bf"),
    "on-accent": ("#ffffff", "#06231f"),
    "pick": ("#2563eb", "#60a5fa"),
    "glow": ("#eaf1ff", "#1d2c45"),
    "highlighted": ("#f1f6ff", "#182338"),
    "cut": ("#be123c", "#fb7185"),
    "route": ("#8593a8", "#7c8aa0"),
    "track": ("#e9edf4", "#2a3340"),
    "good": ("#157a3a", "#4ade80"),
    "bad": ("#b91c1c", "#f87171"),
    "alarm": ("#fff5f6", "#2a1a20"),
    "alarm-line": ("#f3c6cf", "#5b2a37"),
    "warn": ("#c2410c", "#fb923c"),
    "on-warn": ("#fff0e5", "#3a2415"),
    "now": ("#b8147e", "#f472c8"),
    "on-now": ("#fdeef8", "#3b1a31"),
    "waiting": ("#475569", "#cbd5e1"),
    "on-chain": ("#e3f5f2", "#12332f"),
    "edge": HUES[1],
    "busy": ("#334155", "#e2e8f0"),
    "write": ("#7186a3", "#8ea3bf"),
    "read": ("#b9c6d8", "#51627a"),
    "idle": ("#cbd5e1", "#475569"),
    "shade": ("#00000033", "#00000033"),
}
"""The other colours, by what they are for.

``cut`` is an edge that does not chain, ``idle`` what is no operator, ``alarm`` the ground of a
complaint; ``now`` and ``waiting`` are those of a step that is played, ``on-`` the ground below.
``busy``, ``write`` and ``read`` are bars of a chart, which must not look like chains.
"""


def hue_number(chain: int) -> int:
    """Return the position in ``HUES`` of the chain with this number, counted from 1.

    >>> hue_number(1), hue_number(1 + len(HUES))
    (0, 0)
    """
    return (chain - 1) % len(HUES)


def hue(chain: int) -> Pair:
    """Return the colour of the chain with this number, counted from 1."""
    return HUES[hue_number(chain)]


def light_dark(colours: Pair) -> str:
    """Return a colour that follows the light or dark ground around it.

    >>> light_dark(("#000000", "#ffffff"))
    'light-dark(#000000,#ffffff)'
    """
    light, dark = colours
    return f"light-dark({light},{dark})"


def properties(prefix: str) -> str:
    """Return every row of ``PARTS`` as a CSS property, named by the prefix and its name."""
    return ";".join(f"{prefix}{part}:{light_dark(pair)}" for part, pair in PARTS.items())
