"""SVG of the figures of a run and the findings of ``check``, as text, bars and badges."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from math import dist
from typing import Final

from explorer.drawing.layout.labels import on_curve
from explorer.drawing.layout.layers import Point
from explorer.drawing.layout.looks import RADII, SIZES, wide
from explorer.drawing.svg.palette import HUES, PARTS, Shade
from explorer.drawing.svg.svg_text import at, text, xml
from explorer.drawing.view.annotations import Bar, Load, Mark
from explorer.drawing.view.one_line import extent, fitted

SMALL: Final = SIZES["small"]
STRIP_HEIGHT: Final = 7.0
"""How high a bar is."""
THIN: Final = 3.0
"""How high the strip on an operator's card is."""
SHORTEST: Final = 28.0
"""Minimum width of a bar, however long its text is."""
BETWEEN: Final = " · "
"""Between a task's figures."""
ID_WIDTH: Final = 62.0
"""The space that an operator's shown ID occupies in its line."""
APART: Final = 4.0
"""Subtasks are distinguished on a bar where each has this much space."""
STEPS: Final = 8
"""Number of straight pieces by which a bend is measured."""

_SIGNS: Final = {
    "error": ("bad", "×", RADII["mark"]),
    "warning": ("warn", "!", RADII["mark"]),
    "note": ("mute", "i", RADII["note"]),
}
"""By severity its row of ``PARTS``, its sign in addition to the colour, and the disc's radius."""


def badge(key: str, mark: Mark, place: Point) -> str:
    """A disc with a sign around a place, with the words of a finding as its title."""
    _, sign, radius = _SIGNS[mark.severity]
    x, y = place
    disc = f'<circle cx="{at(x)}" cy="{at(y)}" r="{at(radius)}"/>'
    return (
        f'<g class="mark {mark.severity}" data-key="{key}" data-badge="{key}">'
        f"<title>{xml(mark.tip or mark.line)}</title>{disc}{text(sign, (x, y + 4), 'sign')}</g>"
    )


def figure(words: str, end: Point, space: float) -> str:
    """An operator's rows, up to ``end``, as far as there is space after its ID."""
    return text(fitted(words, space - ID_WIDTH, SMALL), end, "figure small end")


def load(busy: Load | None, start: Point, right: float) -> str:
    """An operator's busy time relative to the busiest one: a bar at its card's lower edge."""
    if busy is None:
        return ""
    left, y = start
    filled = _strip("busy", left, y, (right - left) * busy[0], THIN) if busy[0] else ""
    return _strip("track", left, y, right - left, THIN) + filled


def bar(reported: Bar, start: Point, right: float) -> str:
    """A task's bar from ``start``, which is its middle in height, and its words up to ``right``."""
    share, words, parts = reported
    left, y = start
    words = _whole_figures(words, right - left - SHORTEST - 10)
    space = max(SHORTEST, right - left - extent(words, SMALL) - 10)
    drawn = _strip("track", left, y, space)
    if share > 0:
        filled = max(APART, space * share)
        drawn += _strip("load", left, y, filled)
        # Cuts between the subtasks' shares, where these are wide enough.
        if len(parts) > 1 and filled / len(parts) >= APART:
            ends = (left + filled * end for end in accumulate(parts[:-1]))
            cuts = "".join(
                f"M{at(end)} {at(y - STRIP_HEIGHT / 2)}v{at(STRIP_HEIGHT)}" for end in ends
            )
            drawn += f'<path class="part" d="{cuts}"/>'
    return drawn + text(words, (right, y + 4), "share small mute end")


def _whole_figures(words: str, space: float) -> str:
    """As many figures, from the first, as there is space for; half a number would be another."""
    figures = words.split(BETWEEN)
    while len(figures) > 1 and extent(BETWEEN.join(figures), SMALL) > space:
        figures.pop()
    return fitted(BETWEEN.join(figures), space, SMALL)


def _strip(looks: str, left: float, y: float, wide: float, high: float = STRIP_HEIGHT) -> str:
    place = f'x="{at(left)}" y="{at(y - high / 2)}" width="{at(wide)}" height="{at(high)}"'
    return f'<rect class="{looks}" {place} rx="{at(min(high, wide) / 2)}"/>'


def halfway(stops: Sequence[Point]) -> Point:
    """The middle of the line through all points, upright at each."""
    turns = [step / STEPS for step in range(1, STEPS + 1)]
    path = [stops[0], *(pair for ends in pairwise(stops) for pair in on_curve(*ends, turns))]
    left = sum(dist(a, b) for a, b in pairwise(path)) / 2
    for a, b in pairwise(path):
        length = dist(a, b)
        if length and left <= length:
            return a[0] + (b[0] - a[0]) * left / length, a[1] + (b[1] - a[1]) * left / length
        left -= length
    return path[-1]


def annotation_rules(name: str, shade: Shade) -> Iterator[str]:
    """The rules for a drawing with a root of class ``name``."""
    colours = {part: shade(pair) for part, pair in PARTS.items()}
    yield f".{name} .mark circle{{stroke:{colours['ground']};{wide('mark')}}}"
    yield f".{name} .mark .sign{{font-weight:700;fill:{colours['card']};text-anchor:middle}}"
    yield f".{name} .mark .sign{{font-size:{SIZES['sign']:g}px}}"
    yield f".{name} .note .sign{{font-size:{SIZES['note']:g}px}}"
    for severity, (part, _, _) in _SIGNS.items():
        yield f".{name} .{severity} circle{{fill:{colours[part]}}}"
    yield f".{name} .card rect.track{{fill:{colours['track']};stroke:none}}"
    yield f".{name} .card rect.busy{{fill:{colours['mute']};stroke:none}}"
    for number, pair in enumerate(HUES):
        yield f".{name} .k{number} rect.load{{fill:{shade(pair)};stroke:none}}"
    yield f".{name} .part{{fill:none;stroke:{colours['card']};{wide('cut')}}}"
