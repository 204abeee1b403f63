"""Layout of the ExecutionGraph: a border for each task, a card for each subtask, a line a channel.

Mirrors the vertices and edges of ``ExecutionGraph``. Subtasks of a wide task share cards, and
channels share a line, so a drawing has a bounded number of both.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from explorer.drawing.layout.blocks import (
    Pane,
    Shape,
    assemble_pane,
    centres_of,
    outline,
    rank_gaps,
    reaches,
)
from explorer.drawing.layout.labels import Label
from explorer.drawing.layout.layers import Link, Point, Size
from explorer.drawing.layout.looks import SIZES
from explorer.drawing.layout.orientation import DOWN, Orientation
from explorer.drawing.layout.separate_parts import place_parts
from explorer.drawing.svg.wiring_svg import blocks, connected_boxes
from explorer.drawing.view.elements import GraphView, JobEdgeView, VertexView
from explorer.drawing.view.graph_view import job_edge_key
from explorer.drawing.view.one_line import extent
from explorer.flink.compiler import Compilation
from explorer.flink.execution_graph import ExecutionEdges, ExecutionJobVertex
from explorer.running.execution import LATER, keyed_tasks, span
from explorer.wording import counted

CARDS: Final = 8
"""Cards of a task; more subtasks share them."""
MOST_CARDS: Final = 1_000
"""Cards of a drawing; beyond, each task has one card."""
MOST_LINES: Final = 800
"""Lines of a drawing; beyond, each job edge is one line."""
CARD: Final = (104.0, 42.0)
GAP: Final = 10.0
BORDER: Final = (14.0, 26.0, 12.0)
"""Padding of a task: left and right of its cards, above and below them."""
TITLE: Final = SIZES["small"]
"""Height of the letters of a task's name."""
WIDEST: Final = 420.0
"""A task's name is cut beyond."""
NARROW: Final = 240.0
"""The same where edges lead to the right and the cards of a task stand one above the other."""


class SubtaskCard(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The text of one card."""

    task: str
    """Key of its task."""
    title: str
    """Subtasks counted from 1, as a task manager shows them."""
    line: str
    """Their key groups; empty for a task without keyed state or input."""


class ExecutionPane(msgspec.Struct, frozen=True, kw_only=True):
    """The drawing with its texts."""

    pane: Pane
    """Boxes have the keys of tasks; cards and lines have keys of their own."""
    cards: Mapping[str, SubtaskCard]
    """By key of a card."""
    edges: Mapping[str, str]
    """By key of a line, the key of its job edge."""
    ends: Mapping[str, tuple[str, str]]
    """By key of a line, the keys of the cards that it joins; of a line for all channels of an edge
    those of the first ones."""
    labels: Mapping[str, Label]
    """By key of a job edge; its first line has the label."""


class _PaneTask(msgspec.Struct, frozen=True, kw_only=True):
    """A task of the view with its place in the ExecutionGraph."""

    view: VertexView
    vertex: ExecutionJobVertex
    blocks: tuple[range, ...]
    """Subtasks of each card; empty if the scheduler decides the parallelism later."""
    keyed: bool

    @property
    def count(self) -> int:
        """The number of cards."""
        return max(len(self.blocks), 1)

    def size(self, orientation: Orientation) -> Size:
        """Return width and height of the border."""
        columns, rows = orientation.size((self.count, 1))
        wide, high = columns * (CARD[0] + GAP) - GAP, rows * (CARD[1] + GAP) - GAP
        name = min(NARROW if orientation.across else WIDEST, extent(self.view.name, TITLE))
        return max(wide, name) + 2 * BORDER[0], BORDER[1] + high + BORDER[2]

    def card_place(self, block: int, orientation: Orientation) -> Point:
        """Return the middle of a card, counted from the middle of the border."""
        low = (BORDER[1] - BORDER[2]) / 2
        aside = block - (self.count - 1) / 2
        if orientation.across:
            return 0.0, aside * (CARD[1] + GAP) + low
        return aside * (CARD[0] + GAP), low


class _PaneEdge(msgspec.Struct, frozen=True, kw_only=True):
    """A job edge between two tasks of the drawing."""

    view: JobEdgeView
    of: ExecutionEdges
    source: _PaneTask
    target: _PaneTask

    @property
    def label(self) -> Label:
        """The ship strategy and the number of channels."""
        count = self.of.count
        channels = LATER if count is None else counted(count, "channel")
        return Label(lines=(self.view.ship_strategy, channels))

    def joined(self, *, single: bool) -> list[tuple[int, int]]:
        """Return the cards that each line joins; none where one line stands for all channels."""
        if single or not (self.of.decided and self.source.blocks and self.target.blocks):
            return []
        return [*connected_boxes(self.of, self.source.blocks, self.target.blocks)]


def execution_pane(
    compilation: Compilation, view: GraphView, orientation: Orientation = DOWN
) -> ExecutionPane:
    """Lay out the ExecutionGraph of the tasks of a view.

    Raises ``ExplorerError`` for a program without an ExecutionGraph.
    """
    tasks = _tasks(compilation, view)
    of = {job_edge_key(edge.job_edge): edge for edge in compilation.execution_graph.edges}
    edges = [
        _PaneEdge(view=edge, of=of[edge.key], source=tasks[edge.source], target=tasks[edge.target])
        for edge in view.job_edges
    ]
    place = {key: turn for turn, key in enumerate(tasks)}
    links = [
        Link(source=place[edge.view.source], target=place[edge.view.target], space=orientation.fan)
        for edge in edges
    ]
    labels = {edge.view.key: edge.label for edge in edges}
    sizes = [task.size(orientation) for task in tasks.values()]
    placed = place_parts(
        list(map(orientation.size, sizes)),
        links,
        rank_gaps(orientation.job_gaps, links, labels.values(), orientation),
        reaches(list(labels), labels, orientation),
        orientation,
    )
    boxes = {
        key: Shape(key=key, x=x, y=y, width=size[0], height=size[1])
        for key, size, (x, y) in zip(tasks, sizes, centres_of(placed, orientation), strict=True)
    }
    outer = dict(zip(labels, placed.routes, strict=True))
    drawn = [
        (line, edge.view.key, points, ends)
        for edge, single in zip(edges, _single(edges), strict=True)
        for line, points, ends in _lines(edge, outer[edge.view.key], orientation, single=single)
    ]
    cards = [pair for key, task in tasks.items() for pair in _cards(task, boxes[key], orientation)]
    return ExecutionPane(
        pane=assemble_pane(
            placed,
            (tuple(shape for shape, _ in cards), tuple(boxes.values())),
            {line: points for line, _, points, _ in drawn},
            {_line_key(key, 0): route for key, route in outer.items()},
            {_line_key(key, 0): label for key, label in labels.items()},
            orientation,
            map(outline, boxes.values()),
        ),
        cards={shape.key: card for shape, card in cards},
        edges={line: edge for line, edge, _, _ in drawn},
        ends={line: ends for line, _, _, ends in drawn},
        labels=labels,
    )


def _tasks(compilation: Compilation, view: GraphView) -> dict[str, _PaneTask]:
    """Return the tasks of the view by key, with their cards."""
    graph = compilation.execution_graph
    of = {vertex.id: vertex for vertex in graph.vertices}
    keyed = keyed_tasks(compilation)
    expected = sum(
        min(max(of[vertex_view.id].parallelism, 1), CARDS) for vertex_view in view.vertices
    )
    maximum = CARDS if expected <= MOST_CARDS else 1
    return {
        vertex_view.key: _PaneTask(
            view=vertex_view,
            vertex=of[vertex_view.id],
            blocks=blocks(of[vertex_view.id].parallelism, maximum, maximum),
            keyed=vertex_view.id in keyed,
        )
        for vertex_view in view.vertices
    }


def _single(edges: list[_PaneEdge]) -> Iterator[bool]:
    """Yield by edge whether one line stands for its channels, since a drawing has a limit."""
    left = MOST_LINES
    for edge in edges:
        left -= edge.source.count * edge.target.count
        yield left < 0


def _cards(
    task: _PaneTask, box: Shape, orientation: Orientation
) -> Iterator[tuple[Shape, SubtaskCard]]:
    """Yield the cards of a task with their texts, from left to right or from the top."""
    for at, block in enumerate(task.blocks or (range(0),)):
        title, groups = LATER, ""
        if block:
            numbers = span((block.start + 1, block.stop)).replace(" to ", "-")
            title = f"{numbers} of {task.vertex.parallelism:,}"
        if block and task.keyed:
            first = task.vertex.subtask(block.start).key_groups[0]
            last = task.vertex.subtask(block.stop - 1).key_groups[1]
            groups = f"groups {span((first, last))}".replace(" to ", "-")
        key, (x, y) = _card_key(task, at), task.card_place(at, orientation)
        card = SubtaskCard(task=task.view.key, title=title, line=groups)
        yield Shape(key=key, x=box.x + x, y=box.y + y, width=CARD[0], height=CARD[1]), card


def _card_key(task: _PaneTask, block: int) -> str:
    return f"{task.view.key}:{block}"


def _line_key(edge: str, number: int) -> str:
    return f"{edge}:{number}"


def _lines(
    edge: _PaneEdge, route: tuple[Point, ...], orientation: Orientation, *, single: bool
) -> Iterator[tuple[str, tuple[Point, ...], tuple[str, str]]]:
    """Yield the lines of an edge from card to card, through the borders of both tasks.

    Their points are those of the layout, before it is turned.
    """
    (x, y), (to_x, to_y) = route[0], route[-1]
    behind, before = BORDER[2], BORDER[1]
    if orientation.across:
        behind, before = (
            (task.size(orientation)[0] - CARD[0]) / 2 for task in (edge.source, edge.target)
        )
    joined = edge.joined(single=single)
    for number, (out, into) in enumerate(joined or [(0, 0)]):
        # A line for all channels leaves and enters in the middle of the task.
        aside, to_aside = (
            orientation.size(task.card_place(block, orientation))[0] if joined else 0.0
            for task, block in ((edge.source, out), (edge.target, into))
        )
        points = ((x + aside, y - behind), *route[1:-1], (to_x + to_aside, to_y + before))
        ends = _card_key(edge.source, out), _card_key(edge.target, into)
        yield _line_key(edge.view.key, number), points, ends
