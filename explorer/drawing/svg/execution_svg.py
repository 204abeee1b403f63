"""The ExecutionGraph as an SVG: a border for each task, a card for each subtask, its channels."""

from collections.abc import Iterator

from explorer.drawing.layout.blocks import Shape
from explorer.drawing.layout.looks import SIZES
from explorer.drawing.svg.both_graphs import Drawn, Lights, drawing_of, graphs_svg
from explorer.drawing.svg.execution_pane import ExecutionPane, SubtaskCard, execution_pane
from explorer.drawing.svg.palette import hue_number
from explorer.drawing.svg.svg_parts import DrawnPart, edge_part, group, label_part, name
from explorer.drawing.svg.svg_style import Theme
from explorer.drawing.svg.svg_text import text
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.one_line import extent, fitted, shortened
from explorer.flink.compiler import Compilation


def execution_svg(
    compilation: Compilation,
    view: GraphView,
    name: str,
    *,
    theme: Theme = "auto",
    lights: Lights | None = None,
) -> str:
    """Draw the ExecutionGraph of the tasks of a view below the name and its counts.

    ``lights``: highlights by key of a task or of a job edge. Raises ``ExplorerError`` for a program
    without an ExecutionGraph.
    """
    view = view.bundled
    laid = execution_pane(compilation, view)
    return graphs_svg(view, name, [draw_execution(view, laid)], theme=theme, lights=lights)


def draw_execution(view: GraphView, laid: ExecutionPane) -> Drawn:
    """Return the layout of the ExecutionGraph as SVG parts; channels have the key of their edge."""
    return drawing_of("execution", "ExecutionGraph", laid.pane, execution_parts(view, laid))


def execution_parts(view: GraphView, laid: ExecutionPane) -> Iterator[DrawnPart]:
    """Yield the parts, those that lie below first; channels have the key of their job edge."""
    for box in laid.pane.boxes:
        vertex = view.vertex_of[box.key]
        looks = f"box solid k{hue_number(vertex.colour)}"
        yield group(box, looks, shortened(vertex.name), "")
    for line in laid.pane.lines:
        yield edge_part(view.job_edge_of[laid.edges[line.key]], line, "edge")
    # Channels lead to the subtasks below the name of their task, which stays readable.
    for box in laid.pane.boxes:
        yield _task_name(view, box)
    for line in laid.pane.lines:
        key = laid.edges[line.key]
        if line.label:
            yield label_part(key, laid.labels[key], line.label, "label")
    for shape in laid.pane.shapes:
        yield _subtask(view, shape, laid.cards[shape.key])


def _task_name(view: GraphView, box: Shape) -> DrawnPart:
    left, foot = box.x - box.width / 2 + 11, box.y - box.height / 2 + 17
    words = fitted(view.vertex_of[box.key].name, box.width - 22, 11)
    content = text(words, (left, foot), "small mute")
    svg = f'<g class="task-name" data-key="{box.key}">{content}</g>'
    area = (left, foot - 13, left + extent(words, 11), foot + 4)
    return DrawnPart(f"task-name:{box.key}", box.key, area, svg)


def _subtask(view: GraphView, shape: Shape, card: SubtaskCard) -> DrawnPart:
    vertex = view.vertex_of[card.task]
    left, top, space = shape.x - shape.width / 2 + 8, shape.y - shape.height / 2, shape.width - 16
    content = name(fitted(card.title, space, SIZES["name"]), (left, top + 18))
    content += text(fitted(card.line, space, 11), (left, top + 34), "small mute")
    title = f"{shortened(vertex.name)}: subtasks {card.title}"
    return group(shape, f"card k{hue_number(vertex.colour)}", title, content)
