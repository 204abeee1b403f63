"""Drawing of task internals, as boxes and lines in plain numbers.

Inputs are on the left, operators in the middle as a tree of calls, network outputs on the right. An
operator that calls one other stands right above it; where it calls several they are indented.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from explorer.drawing.layout.looks import SIZES
from explorer.drawing.view.one_line import fitted
from explorer.model.stream_graph import NodeId
from explorer.model.task_chain import IterationEnd, TaskChain, TaskOutput
from explorer.wording import counted

MOST: Final = 60
"""Operators of the largest task that is drawn; of others the steps are described alone."""
_IN, _MIDDLE, _OUT = 184, 230, 150
"""Widths of a box on the left, in the middle and on the right.

``LegacySourceFunctionThread`` has space on the left.
"""
_GAP: Final = 30
_OUTPUT_GAP: Final = 130
"""Between the operators and the network outputs, where the class of the output is known."""
_INDENT: Final = 26
_HIGH, _ROW, _STACK = 50, 78, 58
"""A box, from one operator to the next, from one box at the sides to the next."""
_TITLE, _SMALL = SIZES["name"], SIZES["mono"]
_TOP: Final = 8


class Box(msgspec.Struct, frozen=True, kw_only=True):
    """An operator, an input or a network output."""

    key: str
    kind: str
    """``operator``, ``input`` or ``network``."""
    x: float
    y: float
    width: float
    height: float
    title: str
    lines: tuple[str, ...]
    """Small beneath: classes."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """Which operator emits to which, and through which class."""

    source: str
    target: str
    points: tuple[tuple[float, float], ...]
    label: str
    at: tuple[float, float]
    copies: bool


class TaskInternalsView(msgspec.Struct, frozen=True, kw_only=True):
    """All that is drawn of a task, in pixels."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]


class _BoxPlace(NamedTuple):
    x: float
    y: float


def task_internals_view(task: TaskChain) -> TaskInternalsView:
    """The boxes and lines of a task."""
    return _Drawing(task).view()


class _Drawing:
    def __init__(self, task: TaskChain) -> None:
        self.task = task
        self.outputs = {operator.node: operator.output for operator in task.operators}
        self.names = {operator.node: operator.name for operator in task.operators}
        if task.end is not None:
            self.outputs[task.head] = task.end.output or _every_writer(task)
            self.names[task.head] = (task.end.operator or task.invokable).rpartition("$")[2]
        self.chained = [operator.node for operator in task.operators if operator.chained_source][
            ::-1
        ]
        self.places: dict[NodeId, _BoxPlace] = {}
        self.middle = _IN + _GAP
        # Depth first, as records go; a row is as high as its network outputs need.
        y = float(_TOP)
        waiting = [(self.task.head, float(self.middle))]
        while waiting:
            node, x = waiting.pop()
            self.places[node] = _BoxPlace(x, y)
            leaves = self._leaves(node)
            called = [leaf.operator for leaf in leaves if leaf.operator is not None]
            writers = len(leaves) - len(called)
            y += max(_ROW, writers * _STACK + _GAP // 2)
            inner = x + (_INDENT if len(called) > 1 else 0)
            waiting += [(node_id, inner) for node_id in reversed(called)]
        self.right = max(place.x for place in self.places.values()) + _MIDDLE + _OUTPUT_GAP
        self.boxes: list[Box] = []
        self.lines: list[Line] = []

    def view(self) -> TaskInternalsView:
        for node, place in self.places.items():
            self.boxes.append(self._operator(node, place))
            written = 0
            for leaf in self._leaves(node):
                if leaf.operator is not None:
                    self._draw_call(node, place, leaf, self.places[leaf.operator])
                elif leaf.network is not None:
                    number = leaf.network
                    box = _BoxPlace(self.right, place.y + written * _STACK)
                    output = self.task.network[number]
                    title = f"Network output {number}"
                    notes = (output.ship_strategy, counted(len(output.targets), "reader"))
                    self.boxes.append(_box(f"w{number}", "network", box, _OUT, title, notes))
                    self.lines.append(
                        _output_line(f"n{node}", place, f"w{number}", box, _label(leaf))
                    )
                    written += 1
        self._draw_inputs()
        if self.task.end is not None and self.task.end.output is not None:
            self._draw_queue(self.task.end, self.places[self.task.head])
        bottom = max(box.y + box.height for box in self.boxes)
        right = max(box.x + box.width for box in self.boxes)
        return TaskInternalsView(
            width=right + 2,
            height=bottom + _TOP,
            boxes=tuple(self.boxes),
            lines=tuple(self.lines),
        )

    def _leaves(self, node: NodeId) -> list[TaskOutput]:
        return list(self.outputs[node].leaves())

    def _operator(self, node: NodeId, place: _BoxPlace) -> Box:
        around = " > ".join(_around(self.outputs[node]))
        held = self.task.wrapper or "in the array of operators"
        if self.task.end is not None:
            around = around.replace(f"{self.task.invokable}$", "")
            held = "outside the chain" if self.task.end.operator else "no operator"
        lines = (held, around) if around else (held,)
        return _box(f"n{node}", "operator", place, _MIDDLE, self.names[node], lines)

    def _draw_call(
        self, node: NodeId, place: _BoxPlace, leaf: TaskOutput, called: _BoxPlace
    ) -> None:
        down = called.x + _INDENT / 2
        self.lines.append(
            Line(
                source=f"n{node}",
                target=f"n{leaf.operator}",
                points=((down, place.y + _HIGH), (down, called.y)),
                label=_label(leaf),
                at=(down + 7, called.y - 12),
                copies=leaf.copies,
            )
        )

    def _draw_queue(self, end: IterationEnd, place: _BoxPlace) -> None:
        """What a tail puts its records into."""
        box = _BoxPlace(self.right, place.y)
        self.boxes.append(_box("q", "network", box, _OUT, f"To {end.other}", (end.queue,)))
        self.lines.append(_output_line(f"n{self.task.head}", place, "q", box, ""))

    def _draw_inputs(self) -> None:
        head = self.places[self.task.head]
        for at, (key, title, lines) in enumerate(self._inputs()):
            place = _BoxPlace(0.0, head.y + at * _STACK)
            self.boxes.append(_box(key, "input", place, _IN, title, lines))
            source = next((node_id for node_id in self.chained if key == f"n{node_id}"), None)
            leaf = self._leaves(source)[0] if source is not None else None
            middle = place.y + _HIGH / 2
            self.lines.append(
                Line(
                    source=key,
                    target=f"n{self.task.head}",
                    points=_elbow(_IN, middle, head.x, head.y + _HIGH / 2),
                    label="",
                    at=(_IN + 4, middle - 5),
                    copies=leaf is not None and leaf.copies,
                )
            )

    def _inputs(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        reads = self.task.reads
        if reads is None and self.task.end is not None:
            yield "q", f"From {self.task.end.other}", (self.task.end.queue,)
            return
        if reads is None:
            yield "in", "The source's own thread", ("LegacySourceFunctionThread",)
            return
        for number, task_input in enumerate(reads.inputs, 1):
            chained_sources = [node for node in task_input.sources if node in self.chained]
            title = f"Input {number}" if len(reads.inputs) > 1 else "Input"
            if chained_sources:
                label = _label(self._leaves(chained_sources[0])[0])
                yield (
                    f"n{chained_sources[0]}",
                    self.names[chained_sources[0]],
                    (task_input.class_name or "", label),
                )
            else:
                gates = counted(task_input.gates, "gate") if task_input.gates else "a source"
                called = (
                    [task_input.data_output.rpartition("$")[2]] if task_input.data_output else []
                )
                yield (
                    "in",
                    f"{title}, {gates}",
                    (task_input.class_name or reads.class_name, *called),
                )


def _every_writer(task: TaskChain) -> TaskOutput:
    """Return the output of a head, which emits to each network output in turn."""
    writers = (
        TaskOutput(class_name="RecordWriterOutput", network=number)
        for number in range(len(task.network))
    )
    return TaskOutput(class_name="", outputs=tuple(writers))


def _output_line(source: str, operator: _BoxPlace, target: str, box: _BoxPlace, label: str) -> Line:
    """Return the line from an operator to a box on the right."""
    middle = box.y + _HIGH / 2
    return Line(
        source=source,
        target=target,
        points=_elbow(operator.x + _MIDDLE, operator.y + _HIGH / 2, box.x, middle),
        label=label,
        at=(box.x - 124, middle - 5),
        copies=False,
    )


def _box(
    key: str, kind: str, place: _BoxPlace, width: float, title: str, lines: Sequence[str]
) -> Box:
    space = width - 16
    return Box(
        key=key,
        kind=kind,
        x=place.x,
        y=place.y,
        width=width,
        height=_HIGH,
        title=fitted(title, space, _TITLE),
        lines=tuple(fitted(line, space, _SMALL, mono=True) for line in lines),
    )


def _around(output: TaskOutput) -> Iterator[str]:
    """Yield the classes between an operator and its leaves."""
    at = output
    while at.operator is None and at.network is None:
        if at.class_name:
            yield at.class_name
        if len(at.outputs) != 1:
            return
        at = at.outputs[0]


def _label(leaf: TaskOutput) -> str:
    return leaf.class_name if leaf.tag is None else f"{leaf.class_name}, side output {leaf.tag}"


def _elbow(
    left: float, from_y: float, right: float, to_y: float
) -> tuple[tuple[float, float], ...]:
    """Return a straight line where both ends are level, else one that bends in the gap."""
    if from_y == to_y:
        return ((left, from_y), (right, to_y))
    turn = left + _GAP / 2
    return ((left, from_y), (turn, from_y), (turn, to_y), (right, to_y))
