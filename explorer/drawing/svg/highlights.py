"""Highlights of a drawing: a selection, its neighbours, a step of hashing and chaining.

A highlight is a class of an element; its style rules are added to those of the drawing. Elements
are found by their keys.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from explorer.drawing.layout.looks import OPACITIES, dashed, wide
from explorer.drawing.svg.palette import PARTS, Shade

LIGHTS: Final = ("picked", "highlighted", "chain", "waiting", "edge", "now", "ghost", "unhashed")
"""What there is, a class ``is-`` each; where several fall on one element, the later one shows."""

_RULES: Final = (
    ("highlighted", " rect", "stroke:{pick};" + wide("card-highlighted")),
    ("highlighted", " .route", "stroke:{pick};" + wide("edge-highlighted")),
    ("picked", " rect", "stroke:{pick};" + wide("card-picked")),
    ("picked", " .route", "stroke:{pick};" + wide("edge-picked")),
    ("chain", " rect", "stroke:{now};" + wide("card-highlighted")),
    ("waiting", " rect", f"stroke:{{waiting}};{wide('card-highlighted')};{dashed('waiting')}"),
    ("edge", " .route", "stroke:{now};" + wide("edge-picked")),
    ("edge", " .tip", "fill:{now}"),
    ("now", " rect", "stroke:{now};" + wide("card-picked")),
    ("now", " .route", "stroke:{now};" + wide("edge-picked")),
    ("ghost", "", f"opacity:{OPACITIES['ghost']:g}"),
)
"""A light, the part of an element that it changes, and to what; colours are rows of ``PARTS``."""

_GROUNDS: Final = {"highlighted": "glow", "picked": "glow", "now": "on-now"}
"""By light, the ground of a card that it falls on."""
_LINES: Final = ("highlighted", "picked")
"""Lights by which an edge's head and its label have the colour of its line."""
_HEAD: Final = re.compile(r'^<g class="([^"]*)" data-key="([^"]*)"')
_ID: Final = re.compile(r'(<text class="mono mute"[^>]*>)[^<]*')


def highlighted_parts(parts: Iterable[str], lights: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """The parts of a drawing with the lights that fall on them, by key."""
    for part in parts:
        head = _HEAD.match(part)
        fallen = set(lights.get(head[2], ())) if head else set()
        if head is None or not fallen:
            yield part
            continue
        names = " ".join([head[1], *(f"is-{light}" for light in LIGHTS if light in fallen)])
        reported = f'<g class="{names}" data-key="{head[2]}"{part[head.end() :]}'
        # An operator that is not hashed yet has no ID to show.
        yield _ID.sub(r"\1no ID yet", reported, count=1) if "unhashed" in fallen else reported


def board_class(light: str) -> str:
    """Return the class of a highlight on a board, where others are those of its elements.

    >>> board_class("picked"), board_class("edge")
    ('picked', 'step-edge')
    """
    return light if light in _LINES else f"step-{light}"


def light_rules(
    name: str, shade: Shade, class_of: Callable[[str], str] = "is-{}".format
) -> Iterator[str]:
    """The rules for a drawing with a root of class ``name``; ``class_of``: by highlight."""
    colours = {part: shade(pair) for part, pair in PARTS.items()}
    for light, place, what in _RULES:
        rule = re.sub(r"\{([\w-]+)\}", lambda match: colours[match[1]], what)
        yield f".{name} .{class_of(light)}{place}{{{rule}}}"
    for light, ground in _GROUNDS.items():
        yield f".{name} .card.{class_of(light)} rect{{fill:{colours[ground]}}}"
    for light in map(class_of, _LINES):
        yield f".{name} .{light} .tip,.{name} .label.{light} text{{fill:{colours['pick']}}}"
