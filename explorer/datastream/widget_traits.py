"""What a widget sends to its browser: scene, steps and lesson of a program, as plain JSON.

A notebook's kernel sends it through anywidget, the playground's worker through messages.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypeAlias

import msgspec

from explorer.datastream.shown_graph import Step, WidgetGraph, replace_document, requested_step
from explorer.documents import Document, JobGraphDocument
from explorer.drawing.html.notebook import LARGE
from explorer.drawing.html.widget_scene import scene
from explorer.drawing.view.highlighted_steps import MOST, highlighted_steps
from explorer.drawing.view.lesson_steps import lesson_json
from explorer.flink.compiler import compile_program
from explorer.lessons import LessonAt, answered
from explorer.model.lesson import Lesson
from explorer.narration.chaining import narrate

Json: TypeAlias = dict[str, Any]


class OpenedProgram(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A program as it was opened, with the lesson about it."""

    document: Document
    lesson: Lesson | None = None
    """The lesson that came with the document; None: it has none."""

    @cached_property
    def lesson_steps(self) -> tuple[LessonAt, ...]:
        """The lesson's steps with the compiler's answers; empty without a lesson."""
        return () if self.lesson is None else answered(self.lesson, self.document)

    def requested_step(self, message: Mapping[str, Any]) -> Step:
        """The step that a browser asks for, a lesson's steps included; raises ExplorerError."""
        match dict(message):
            case {"do": "try", "step": int(at)} if 0 <= at < len(self.lesson_steps):
                change = self.lesson_steps[at].change
                return lambda graph: graph if change is None else replace_document(graph, change)
            case {"do": "restore"}:
                return lambda graph: replace_document(graph, self.document)
            case _:
                return requested_step(message)

    def lesson_to_play(self, graph: WidgetGraph) -> Json | None:
        """The lesson for its player; None without one.

        ``apart``: the program was changed since it was opened.
        """
        if self.lesson is None:
            return None
        lesson = lesson_json(self.lesson, self.lesson_steps)
        apart = graph.document != self.document
        return {**lesson, "course": [], "key": "", "next": None, "apart": apart}


def scene_to_draw(graph: WidgetGraph, refused: str = "", *, taught: bool = False) -> Json:
    """Everything that is drawn of a graph.

    ``refused``: why a change was not applied; ``taught``: the graph has a lesson.
    """
    view, document = graph.compiled.view, graph.document
    drawing = scene(
        graph.compiled,
        view,
        document.heading,
        chaining=document.chaining,
        folded=len(view.nodes) > LARGE,
        fixed=isinstance(document, JobGraphDocument),
    )
    undo = bool(graph.history.past)
    return {**drawing, "undo": undo, "refused": refused, "taught": taught}


def steps_to_play(graph: WidgetGraph) -> Json | None:
    """The steps of hashing and chaining for their player; None for an empty or a large graph."""
    view = graph.compiled.view
    if not 0 < len(view.nodes) <= MOST:
        return None
    traced = compile_program(graph.document, graph.compiled.release.version, trace=True)
    return highlighted_steps(view, narrate(traced))
