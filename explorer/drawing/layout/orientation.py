"""The direction of a graph's edges: top-down, or left to right.

Layouts are computed in their own coordinates: ``x`` across the edges, ``y`` along them. A graph
with edges to the right is laid out with width and height of its cards exchanged; ``turned`` maps
the result to the drawing.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from explorer.drawing.layout.layers import Gaps, Point, Size

EdgeDirection: TypeAlias = Literal["down", "right"]
"""Name of a direction, as ``to_svg`` and ``draw --direction`` accept it."""


class Orientation(msgspec.Struct, frozen=True, kw_only=True):
    """A direction and the lengths that depend on it; a gap: across the edges, along them."""

    across: bool
    """Whether edges lead to the right."""
    outer_gaps: Gaps
    """Between chains."""
    job_gaps: Gaps
    """Between tasks."""
    task: Size = (238.0, 76.0)
    """Width of a task's card, and its height with a name of one line."""
    gaps: Gaps
    """Between the operators of a chain."""
    forked_gaps: Gaps
    """The same in a chain that forks, where edges bend."""
    sides: tuple[float, float]
    """A chain's padding on the side where ``x`` begins, and where it ends."""
    ends: tuple[float, float]
    """A chain's padding before its first operator and behind its last one."""
    fan: float
    """Width over which edges that share an operator's rim spread there."""
    abreast: float
    """Extent across the edges up to which separate parts stand in one row."""
    aspect: float
    """Extent across the edges, divided by that along them, of a drawing of many parts."""

    def size(self, card: Size) -> Size:
        """Return a card's extent across and along the edges."""
        return card[::-1] if self.across else card


DOWN: Final = Orientation(
    across=False,
    outer_gaps=(24.0, 42.0),
    job_gaps=(26.0, 46.0),
    gaps=(28.0, 26.0),
    forked_gaps=(28.0, 38.0),
    sides=(16.0, 16.0),
    # A chain's name stands above its operators.
    ends=(24.0, 11.0),
    fan=120.0,
    abreast=1400.0,
    aspect=1.3,
)
RIGHT: Final = Orientation(
    across=True,
    # Between two ranks there is space for a label, such as "downstream strategy".
    outer_gaps=(22.0, 128.0),
    job_gaps=(24.0, 128.0),
    gaps=(20.0, 30.0),
    forked_gaps=(20.0, 42.0),
    sides=(24.0, 11.0),
    ends=(14.0, 14.0),
    # A card is less high than wide.
    fan=28.0,
    abreast=600.0,
    aspect=0.7,
)
DENSE_TASK: Final = (168.0, 42.0)
"""A task's card where space is scarce: its name, and its ID's first eight digits."""
DENSE_DOWN: Final = replace(DOWN, outer_gaps=(16.0, 28.0), job_gaps=(16.0, 28.0), task=DENSE_TASK)
DENSE_RIGHT: Final = replace(RIGHT, outer_gaps=(14.0, 60.0), job_gaps=(14.0, 60.0), task=DENSE_TASK)
SINGLE_LINE_DOWN: Final = replace(DENSE_DOWN, job_gaps=(16.0, 14.0))
TURNED_OPERATORS: Final = 200
"""Number of operators up to which a graph is laid out in both directions, to choose the larger."""
ORIENTATIONS: Final[Mapping[EdgeDirection, Orientation]] = {"down": DOWN, "right": RIGHT}


def turned(
    points: Iterable[Point], orientation: Orientation, across: float, along: float
) -> tuple[Point, ...]:
    """Map points of a layout to the drawing; ``across``, ``along``: the layout's extent."""
    if not orientation.across:
        return tuple(points)
    return tuple((y - along / 2, x + across / 2) for x, y in points)
