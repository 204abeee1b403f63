"""Drawing of the subtasks and channels of a task or an edge.

Producers stand above their consumers, a line a channel, and below the subtasks that read by key the
key groups of each. Of many subtasks several share a box, of many channels a band stands for all. An
SVG that stands alone, with the colours of a light and a dark ground.
"""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import Final, NamedTuple

from explorer.drawing.svg.palette import hue, light_dark
from explorer.drawing.svg.svg_style import adaptive_rules, standalone_svg
from explorer.drawing.view.graph_view import chain_numbers
from explorer.drawing.view.one_line import fitted
from explorer.flink.compiler import Compilation
from explorer.flink.execution_graph import ExecutionEdges, ExecutionGraph, ExecutionJobVertex
from explorer.flink.partitioners import KEYED
from explorer.running.execution import LATER, span
from explorer.wording import counted

MOST_ALONE: Final = 64
"""Number of subtasks up to which each has its own box."""
MOST_BOXES: Final = 32
"""Maximum number of boxes for more subtasks."""
MOST_LINES: Final = 400
"""Number of pairs of boxes up to which channels are drawn; above it, a band stands for all."""
_HIGH, _GAP, _APART, _MARGIN = 22.0, 4.0, 44.0, 12.0
_HEAD: Final = 20.0
"""Height of a task's name."""
_BETWEEN: Final = 66.0
"""Height of the channels."""
_GROUPS: Final = 46.0
"""Height of the key groups below a row."""
_LETTER: Final = 6.2
"""Width of a digit, about."""


COLOURS: Final = (
    ("text", "fill", "ink"),
    (".mute", "fill", "mute"),
    (".name,.mute", "stroke", "panel"),
    (".task rect", "fill", "card"),
    (".owns", "stroke", "line"),
    (".small", "fill", "ink"),
)
SHAPES: Final = (
    ".name,.mute{paint-order:stroke;stroke-width:4px;stroke-linejoin:round}"
    ".name{font-weight:600}.small{font-size:10px}.task rect{stroke:var(--hue);stroke-width:1.4}"
    ".many rect{stroke-width:2.4}.later rect{stroke-dasharray:4 3}.owns{fill:none}"
    ".channel{fill:none;stroke:var(--hue);stroke-width:1.2;opacity:.6}"
    ".band{fill:var(--hue);opacity:.16}.groups{fill:var(--hue)}.g0{opacity:.42}.g1{opacity:.22}"
)


class _TaskRow(NamedTuple):
    """A task's boxes in a row: which subtasks each holds, and where they stand."""

    vertex: int
    blocks: tuple[range, ...]
    left: float
    box: float

    @property
    def width(self) -> float:
        return max(len(self.blocks), 1) * (self.box + _GAP) - _GAP

    def middle(self, block: int) -> float:
        return self.left + block * (self.box + _GAP) + self.box / 2


_Row = tuple[_TaskRow, ...]


def blocks(
    parallelism: int, alone: int = MOST_ALONE, maximum: int = MOST_BOXES
) -> tuple[range, ...]:
    """Return the subtasks of each box, counted from 0; none if the scheduler decides later.

    ``alone``: the largest parallelism with a box for each subtask; ``maximum``: boxes beyond that.

    >>> blocks(3), len(blocks(64)), blocks(100)[:2], blocks(100)[-1]
    ((range(0, 1), range(1, 2), range(2, 3)), 64, (range(0, 4), range(4, 8)), range(96, 100))
    >>> blocks(9, 8, 4)
    (range(0, 3), range(3, 6), range(6, 9))
    """
    size = 1 if parallelism <= alone else -(-parallelism // maximum)
    return tuple(
        range(first, min(first + size, parallelism)) for first in range(0, parallelism, size)
    )


def connected_boxes(
    edge: ExecutionEdges, sources: Sequence[range], targets: Sequence[range]
) -> Iterator[tuple[int, int]]:
    """The positions of a box of producers and one of consumers, for each two that share a channel.

    What consecutive consumers read is consecutive too, so the first and the last of a box suffice.
    """
    for to, consumers in enumerate(targets):
        first = edge.consumed(consumers.start).partitions.start
        last = edge.consumed(consumers.stop - 1).partitions.stop
        for at, producers in enumerate(sources):
            if producers.start < last and first < producers.stop:
                yield at, to


def edge_wiring_svg(
    compilation: Compilation, edge: int, colours: Sequence[int] | None = None
) -> str:
    """The subtasks of both ends of a job edge, by its position, and its channels.

    ``colours``: by vertex the number that chooses its colour; without them, that of its chain.
    """
    execution_edges = compilation.execution_graph.edges[edge]
    rows = ([execution_edges.source], [execution_edges.target])
    return _draw_wiring(compilation, rows, [edge], colours or chain_numbers(compilation))


def task_wiring_svg(
    compilation: Compilation, vertex: int, colours: Sequence[int] | None = None
) -> str:
    """The subtasks of a task, by its position, between those that it reads from and writes to.

    ``colours``: as in ``edge_wiring_svg``.
    """
    graph = compilation.execution_graph
    task = graph.vertices[vertex]
    outputs = [edge for result in task.results for edge in graph.results[result].consumers]
    sources = list(dict.fromkeys(graph.edges[edge].source for edge in task.inputs))
    targets = list(dict.fromkeys(graph.edges[edge].target for edge in outputs))
    rows = tuple(row for row in (sources, [vertex], targets) if row)
    edges = [*task.inputs, *outputs]
    return _draw_wiring(compilation, rows, edges, colours or chain_numbers(compilation))


def _draw_wiring(
    compilation: Compilation,
    rows: tuple[list[int], ...],
    edges: Sequence[int],
    numbers: Sequence[int],
) -> str:
    graph = compilation.execution_graph
    laid = _laid(graph, rows)
    width = max(row[-1].left + _extent(graph, row[-1]) for row in laid) + _MARGIN
    owners = {
        edge.target
        for edge in (graph.edges[at] for at in edges)
        if compilation.job_graph.edges[edge.job_edge].partitioner_class == KEYED
        and graph.vertices[edge.target].decided
    }
    parts: list[str] = []
    tops: list[float] = []
    top = 2.0
    for row in laid:
        tops.append(top)
        with_groups = [task for task in row if task.vertex in owners]
        for task in row:
            parts += _task(graph, task, top, numbers[task.vertex])
        for task in with_groups:
            parts += _key_groups(graph.vertices[task.vertex], task, top, numbers[task.vertex])
        top += _HEAD + _HIGH + (_GROUPS if with_groups else 0.0) + _BETWEEN
    lines = [
        part for edge in edges for part in _channels(graph.edges[edge], laid, tops, owners, numbers)
    ]
    size = width, top - _BETWEEN + 4
    style = f"{adaptive_rules(COLOURS)}{SHAPES}"
    return standalone_svg("".join([*lines, *parts]), size, "Subtasks and channels", style)


def _laid(graph: ExecutionGraph, rows: tuple[list[int], ...]) -> list[_Row]:
    """Return the rows of tasks, each row in the middle of the widest."""
    laid = []
    for row in rows:
        left, tasks = _MARGIN, []
        for vertex in row:
            task = _TaskRow(vertex, shared := blocks(graph.vertices[vertex].parallelism), left, 0.0)
            task = task._replace(box=_box_width(shared, graph.vertices[vertex].parallelism))
            tasks.append(task)
            left += _extent(graph, task) + _APART
        laid.append(tuple(tasks))
    widest = max(row[-1].left + _extent(graph, row[-1]) for row in laid)
    return [
        tuple(task._replace(left=task.left + by) for task in row)
        for row in laid
        for by in [(widest - row[-1].left - _extent(graph, row[-1])) / 2]
    ]


def _extent(graph: ExecutionGraph, task: _TaskRow) -> float:
    """Return the width of a task, its name included; a long name is cut."""
    return max(task.width, min(len(_title(graph.vertices[task.vertex])) * _LETTER, 220.0))


def _box_width(shared: Sequence[range], parallelism: int) -> float:
    if not shared:
        return 96.0
    longest = len(_numbers(shared[-1])) if len(shared) < parallelism else len(str(parallelism))
    return max(26.0, longest * _LETTER + 10)


def _numbers(block: range) -> str:
    """Return the numbers of subtasks as their names count them, from 1."""
    return span((block.start + 1, block.stop)).replace(" to ", "-")


def _title(vertex: ExecutionJobVertex) -> str:
    return f"{vertex.name} ×{vertex.parallelism if vertex.decided else 'auto'}"


def _task(graph: ExecutionGraph, task: _TaskRow, top: float, number: int) -> Iterator[str]:
    vertex = graph.vertices[task.vertex]
    name = fitted(_title(vertex), _extent(graph, task), 11.5)
    yield (
        f'<text class="name" x="{task.left:.1f}" y="{top + 13:.1f}">{escape(name)}'
        f"<title>{escape(_title(vertex))}</title></text>"
    )
    colour = light_dark(hue(number))
    if not task.blocks:
        yield _box(task.left, top + _HEAD, task.box, LATER, colour, "later")
    for at, block in enumerate(task.blocks):
        left = task.left + at * (task.box + _GAP)
        looks = "" if len(block) == 1 else "many"
        yield _box(left, top + _HEAD, task.box, _numbers(block), colour, looks)


def _box(left: float, top: float, width: float, words: str, colour: str, looks: str) -> str:
    return (
        f'<g class="task {looks}" style="--hue:{colour}">'
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{_HIGH:.0f}" rx="4"/>'
        f'<text text-anchor="middle" x="{left + width / 2:.1f}" y="{top + 15:.1f}">{words}</text>'
        "</g>"
    )


def _key_groups(
    vertex: ExecutionJobVertex, task: _TaskRow, top: float, number: int
) -> Iterator[str]:
    """Draw a bar of all key groups, cut where another box's subtasks own them."""
    high = top + _HEAD + _HIGH + 14
    each = task.width / vertex.max_parallelism
    colour = light_dark(hue(number))
    for at, block in enumerate(task.blocks):
        first = vertex.subtask(block.start).key_groups[0]
        last = vertex.subtask(block.stop - 1).key_groups[1]
        left, width = task.left + first * each, (last + 1 - first) * each
        middle = left + width / 2
        owned = f"key groups {span((first, last))}"
        begin = f"M{task.middle(at):.1f} {high - 14:.1f}"
        yield f'<path class="owns" d="{begin}L{middle:.1f} {high:.1f}"/>'
        yield (
            f'<rect class="groups g{at % 2}" style="--hue:{colour}" x="{left:.1f}" y="{high:.1f}" '
            f'width="{max(width, 0.5):.1f}" height="12"><title>{owned}</title></rect>'
        )
        words = span((first, last)).replace(" to ", "-")
        if len(words) * 5.6 + 6 < width:
            yield (
                f'<text class="small" text-anchor="middle" x="{middle:.1f}" y="{high + 10:.1f}">'
                f"{words}</text>"
            )
    text = f"{counted(vertex.max_parallelism, 'key group')}"
    yield f'<text class="mute" x="{task.left:.1f}" y="{high + 25:.1f}">{text}</text>'


def _channels(
    edge: ExecutionEdges,
    rows: Sequence[_Row],
    tops: Sequence[float],
    owners: set[int],
    numbers: Sequence[int],
) -> Iterator[str]:
    """Draw a line for each channel between two rows; a band if there are too many or unknown."""
    above, below, at = next(
        (above, below, at)
        for at, (upper, lower) in enumerate(pairwise(rows))
        for above in upper
        for below in lower
        if (above.vertex, below.vertex) == (edge.source, edge.target)
    )
    rim = tops[at] + _HEAD + _HIGH
    ends = rim + (_GROUPS if above.vertex in owners else 0.0), tops[at + 1] + _HEAD
    colour = light_dark(hue(numbers[edge.source]))
    count = len(above.blocks) * len(below.blocks)
    if not edge.decided or (count > MOST_LINES and not edge.pointwise):
        all_pairs = "every one with every one: {:,} channels"
        words = LATER if edge.count is None else all_pairs.format(edge.count)
        yield _band(above, below, ends, words, colour)
        return
    for source, target in connected_boxes(edge, above.blocks, below.blocks):
        # From a box's rim, past key groups where there are any, to another box.
        a, b, bend = above.middle(source), below.middle(target), sum(ends) / 2
        yield (
            f'<path class="channel" style="--hue:{colour}" d="M{a:.1f} {rim:.1f}V{ends[0]:.1f}'
            f'C{a:.1f} {bend:.1f} {b:.1f} {bend:.1f} {b:.1f} {ends[1]:.1f}"/>'
        )


def _band(
    above: _TaskRow, below: _TaskRow, ends: tuple[float, float], words: str, colour: str
) -> str:
    start, end = ends
    corners = (
        f"M{above.left:.1f} {start:.1f}H{above.left + above.width:.1f}"
        f"L{below.left + below.width:.1f} {end:.1f}H{below.left:.1f}Z"
    )
    middle = (above.left + above.width / 2 + below.left + below.width / 2) / 2
    return (
        f'<path class="band" style="--hue:{colour}" d="{corners}"/><text text-anchor="middle" '
        f'x="{middle:.1f}" y="{(start + end) / 2 + 4:.1f}">{words}</text>'
    )
