"""Drawing of task managers: slots, subtasks, channels.

An SVG that stands alone, with the colours of a light and a dark ground. What is too much to be
drawn is counted.
"""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import islice
from typing import Final, NamedTuple

from explorer.deployment.deploying import ClusterResources
from explorer.deployment.placement import Placement
from explorer.deployment.slot_sharing import PlacedSubtask, Slot
from explorer.drawing.svg.palette import hue, light_dark
from explorer.drawing.svg.svg_style import adaptive_rules, standalone_svg
from explorer.drawing.view.one_line import fitted
from explorer.flink.execution_graph import ExecutionEdges, ExecutionGraph
from explorer.wording import counted

_WIDE, _HIGH, _GAP, _PAD, _HEAD = 132, 19, 4, 8, 20
_WRAP: Final = 840
"""Pixels after which a row of task managers ends."""
MOST_MANAGERS: Final = 40
MOST_SLOTS: Final = 16
MOST_SUBTASKS: Final = 24
"""Number of each that is drawn; the rest is counted."""
MOST_CHANNELS: Final = 600


COLOURS: Final = (
    ("text", "fill", "ink"),
    (".mute", "fill", "mute"),
    (".manager", "fill", "soft"),
    (".manager,.slot", "stroke", "line"),
    (".slot", "fill", "panel"),
    (".task rect", "fill", "card"),
    (".local", "stroke", "good"),
    (".remote", "stroke", "warn"),
)
SHAPES: Final = (
    ".slot{stroke-dasharray:4 3}.task rect{stroke:var(--hue);stroke-width:1.4}"
    ".channel{fill:none;stroke-width:1.3;opacity:.75}"
)


class _SubtaskPlace(NamedTuple):
    left: float
    top: float


class _Drawn(NamedTuple):
    """What is drawn, and where each subtask's box is."""

    parts: list[str]
    places: dict[PlacedSubtask, _SubtaskPlace]
    width: float
    height: float


def placement_svg(
    deployment: ClusterResources, graph: ExecutionGraph, numbers: Sequence[int], edge: int | None
) -> str:
    """The task managers; ``numbers``: by vertex, its colour's; ``edge``: that of the channels.

    Empty where the job could not be placed.
    """
    if deployment.placement is None:
        return ""
    task_managers = _task_managers(deployment.placement, graph, numbers)
    lines = (
        list(_channels(deployment.placement, graph.edges[edge], task_managers))
        if edge is not None
        else []
    )
    label = f"{counted(deployment.task_managers, 'task manager')} with their slots and subtasks"
    content, size = (
        "".join([*task_managers.parts, *lines]),
        (task_managers.width, task_managers.height),
    )
    return standalone_svg(content, size, label, f"{adaptive_rules(COLOURS)}{SHAPES}")


def _task_managers(placement: Placement, graph: ExecutionGraph, numbers: Sequence[int]) -> _Drawn:
    """Draw boxes from left to right, a new row where one is full."""
    parts: list[str] = []
    places: dict[PlacedSubtask, _SubtaskPlace] = {}
    left, top, row, widest = 0.0, 0.0, 0.0, 0.0
    every = placement.task_managers
    for number, slots in enumerate(every[:MOST_MANAGERS]):
        width, height = _size(slots)
        if left and left + width > _WRAP:
            left, top, row = 0.0, top + row + _PAD, 0.0
        at = _SubtaskPlace(left, top)
        parts.append(_frame(number, slots, placement.slots_of_one, at, width, height))
        parts += _slots(slots, at, graph, numbers, places)
        left, row = left + width + _PAD, max(row, height)
        widest = max(widest, left)
    hidden = len(every) - MOST_MANAGERS
    if hidden > 0:
        top += _HEAD
        words = f"and {counted(hidden, 'task manager')} more"
        parts.append(f'<text class="mute" x="0" y="{top + row:.0f}">{words}</text>')
    return _Drawn(parts, places, widest, top + row + 2)


def _size(slots: tuple[Slot, ...]) -> tuple[float, float]:
    columns = min(len(slots), MOST_SLOTS) + (len(slots) > MOST_SLOTS) * 0.3
    tallest = max(min(len(slot.subtasks), MOST_SUBTASKS) for slot in slots)
    width = columns * (_WIDE + 3 * _PAD) + _PAD
    return width, _HEAD + 3 * _PAD + tallest * (_HIGH + _GAP)


def _frame(
    number: int,
    slots: tuple[Slot, ...],
    offered: int,
    at: _SubtaskPlace,
    width: float,
    height: float,
) -> str:
    used = f"{len(slots)} of {counted(offered, 'slot')} occupied"
    words = f"task manager {number + 1}"
    return (
        f'<rect class="manager" x="{at.left + 1:.0f}" y="{at.top + 1:.0f}" rx="8" '
        f'width="{width - 2:.0f}" height="{height - 2:.0f}"><title>{words}: {used}</title></rect>'
        f'<text class="mute" x="{at.left + _PAD + 2:.0f}" y="{at.top + 16:.0f}">{words}</text>'
    )


def _slots(
    slots: tuple[Slot, ...],
    at: _SubtaskPlace,
    graph: ExecutionGraph,
    numbers: Sequence[int],
    places: dict[PlacedSubtask, _SubtaskPlace],
) -> Iterator[str]:
    for column, slot in enumerate(slots[:MOST_SLOTS]):
        left = at.left + _PAD + column * (_WIDE + 3 * _PAD)
        shown_placed_subtasks = slot.subtasks[:MOST_SUBTASKS]
        height = len(shown_placed_subtasks) * (_HIGH + _GAP) + _PAD + _GAP
        yield (
            f'<rect class="slot" x="{left:.0f}" y="{at.top + _HEAD + 2:.0f}" rx="6" '
            f'width="{_WIDE + 2 * _PAD}" height="{height:.0f}"><title>slot of group {slot.group}: '
            f"{counted(len(slot.subtasks), 'subtask')}</title></rect>"
        )
        for row, subtask in enumerate(shown_placed_subtasks):
            place = _SubtaskPlace(left + _PAD, at.top + _HEAD + _PAD + row * (_HIGH + _GAP))
            places[subtask] = place
            yield _subtask(subtask, place, graph, numbers)
    hidden = len(slots) - MOST_SLOTS
    if hidden > 0:
        left = at.left + _PAD + MOST_SLOTS * (_WIDE + 3 * _PAD)
        yield f'<text class="mute" x="{left:.0f}" y="{at.top + 40:.0f}">+{hidden}</text>'


def _subtask(
    subtask: PlacedSubtask, place: _SubtaskPlace, graph: ExecutionGraph, numbers: Sequence[int]
) -> str:
    name = graph.vertices[subtask.vertex].subtask(subtask.number).name
    count = f"{subtask.number + 1}/{graph.vertices[subtask.vertex].parallelism}"
    fits = fitted(graph.vertices[subtask.vertex].name, _WIDE - 14 - 7 * len(count), 11)
    colour = light_dark(hue(numbers[subtask.vertex]))
    return (
        f'<g class="task" style="--hue:{colour}"><title>{escape(name)}</title>'
        f'<rect x="{place.left:.0f}" y="{place.top:.0f}" rx="4" width="{_WIDE}" '
        f'height="{_HIGH}"/><text x="{place.left + 6:.0f}" y="{place.top + 13:.0f}">'
        f'{escape(fits)}</text><text class="mute" text-anchor="end" '
        f'x="{place.left + _WIDE - 5:.0f}" y="{place.top + 13:.0f}">{count}</text></g>'
    )


def _channels(placement: Placement, edge: ExecutionEdges, drawn: _Drawn) -> Iterator[str]:
    """Yield a line for each channel with both ends drawn."""
    task_manager_of = placement.task_manager_of
    ends = ((PlacedSubtask(edge.source, a), PlacedSubtask(edge.target, b)) for a, b in edge.pairs())
    shown_pairs = ((a, b) for a, b in ends if a in drawn.places and b in drawn.places)
    for source, target in islice(shown_pairs, MOST_CHANNELS):
        side = "local" if task_manager_of[source] == task_manager_of[target] else "remote"
        route = _route(drawn.places[source], drawn.places[target])
        yield f'<path class="channel {side}" d="{route}"/>'


def _route(source: _SubtaskPlace, target: _SubtaskPlace) -> str:
    """Draw a curve from one box's side to the other's; within a column around its right side."""
    start, end = source.top + _HIGH / 2, target.top + _HIGH / 2
    if abs(source.left - target.left) < 1:
        out = into = source.left + _WIDE
        leaves, enters = 16.0, 16.0
    else:
        ahead = source.left < target.left
        out = source.left + (_WIDE if ahead else 0)
        into = target.left + (0 if ahead else _WIDE)
        leaves = max(24.0, abs(into - out) / 3) * (1 if ahead else -1)
        enters = -leaves
    return (
        f"M{out:.0f} {start:.0f}C{out + leaves:.0f} {start:.0f} {into + enters:.0f} {end:.0f} "
        f"{into:.0f} {end:.0f}"
    )
