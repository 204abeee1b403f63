"""The inside tab: the parts of the selected job vertex's task, and their lifecycle."""

from typing import Any, Final

import msgspec

from components import complaint, configuration, session, stepper
from components.keys import Key
from components.work import Work
from explorer.analysis.inside import inside, shared
from explorer.drawing.elements import GraphView
from explorer.drawing.highlighted_steps import steps_apart
from explorer.drawing.inside_view import MOST, inside_view
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.flink.stream_configs import stream_configs
from explorer.model.task_chain import TaskChain

HOW: Final = "Select a task or an operator in a graph to look into another."


def show(work: Work, done: Compilation, view: GraphView, lit: frozenset[str]) -> None:
    """Draw the selected task, else the first, or say why there is nothing to look into."""
    vertex = next((one for one in view.vertices if one.key in lit), view.vertices[0])
    played = session.latest("inside", (done, vertex.id), _played)
    if isinstance(played, str):
        complaint.say(played)
        return
    stepper.show(played, document=f"{work.serial} {vertex.id}", key=Key.INSIDE)
    configs = session.latest("stream configs", (done, vertex.id), stream_configs)
    configuration.show(configs)


def _played(done: Compilation, vertex: str) -> dict[str, Any] | str:
    """What the player is given; a sentence where a task cannot be told."""
    try:
        found = inside(done, vertex)
    except ExplorerError as error:
        return str(error)
    drawn = len(found.task.operators) <= MOST
    picture = {"picture": msgspec.to_builtins(inside_view(found.task))} if drawn else {}
    note = {"note": " ".join((_said(found.task), *shared(found.task)))}
    return steps_apart(found.steps) | note | picture


def _said(task: TaskChain) -> str:
    if task.end is not None:
        return f"{task.name}: a {task.invokable} with an empty {task.chain}. {HOW}"
    reuse = "objects are reused" if task.object_reuse else "records are copied between operators"
    return f"{task.name}: a {task.invokable} with a {task.chain}; {reuse}. {HOW}"
